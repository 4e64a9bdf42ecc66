"""MCP and the following of edits, beside the routes of one server process."""

from __future__ import annotations

import time
from pathlib import Path

import httpx
import pytest

from tests.server.test_process import Process

pytestmark = pytest.mark.usefixtures("socket_enabled")

INIT = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
HEADERS = {"accept": "application/json, text/event-stream"}


def call(name: str, **arguments: object) -> dict[str, object]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}


@pytest.mark.timeout(120)
def test_mcp_is_served_to_the_tokens_user_and_edits_are_followed(home: Path) -> None:
    process = Process(home)
    try:
        started = process.client.post("/mcp", json=INIT, headers=HEADERS)
        assert started.json()["result"]["serverInfo"]["name"] == "litemem"
        made = process.client.post(
            "/mcp", json=call("remember", content="Likes figs"), headers=HEADERS
        )
        assert not made.json()["result"]["isError"], made.text
        assert "Likes figs" in next(iter((home / "memory").glob("2*.md"))).read_text()

        with httpx.Client(base_url=process.url) as stranger:
            assert stranger.post("/mcp", json=INIT, headers=HEADERS).status_code == 401
        elsewhere = HEADERS | {"origin": "http://evil.example"}
        assert process.client.post("/mcp", json=INIT, headers=elsewhere).status_code == 403

        (home / "memory/2026-01-01.md").write_text("- Plays the zither\n")
        found: list[dict[str, object]] = []
        end = time.monotonic() + 15
        while not found and time.monotonic() < end:
            answer = process.client.get("/memory/archival", params={"query": "zither"})
            found = answer.json()["memories"]
            time.sleep(0.1)
        assert [one["content"] for one in found] == ["Plays the zither"]
    finally:
        process.close()
