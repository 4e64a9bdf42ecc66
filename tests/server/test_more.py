"""MCP and the following of edits, beside the routes of one server process."""

from __future__ import annotations

import asyncio
import signal
import time
from pathlib import Path

import httpx
import pytest

from litemem.aio.store import SQLiteMemoryStore
from litemem.server.more import following
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
        assert found(process, "zither") == ["Plays the zither"]
    finally:
        process.close()


def found(process: Process, query: str) -> list[str]:
    """Search until there is something."""
    hits: list[dict[str, str]] = []
    end = time.monotonic() + 15
    while not hits and time.monotonic() < end:
        answer = process.client.get("/memory/archival", params={"query": query})
        hits = answer.json().get("memories", [])
        time.sleep(0.1)
    return [one["content"] for one in hits]


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records if one.name == "litemem.server.more"]


async def test_a_following_that_fails_says_so_once_and_begins_anew(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("litemem.server.more.AGAIN_S", 0.05)
    home.write_text("in the way")
    store = SQLiteMemoryStore(home, model="none")
    async with following(store):
        await asyncio.sleep(0.3)
        home.unlink()
        (home / "memory").mkdir(parents=True)
        (home / "memory/2026-01-01.md").write_text("- Plays the zither\n")
        for _ in range(150):
            await asyncio.sleep(0.1)
            if (home / "index.db").exists() and await store.get_memory_count("default"):
                break
        assert await store.get_memory_count("default") == 1
    await store.close()

    assert len(said(caplog)) == 1
    assert said(caplog)[0].startswith("edits of the files aren't followed for now: ")


async def test_a_following_that_goes_on_failing_does_not_hold_up_the_end(home: Path) -> None:
    home.write_text("in the way")
    async with asyncio.timeout(5):
        async with following(SQLiteMemoryStore(home, model="none")):
            await asyncio.sleep(0.1)


@pytest.mark.timeout(120)
def test_edits_are_followed_after_the_index_was_deleted(home: Path) -> None:
    process = Process(home)
    try:
        process.remember("Likes figs")
        for path in home.glob("index.db*"):
            path.unlink()
        time.sleep(1.5)  # a look falls into this
        process.client.get("/memory/stats")
        (home / "memory/2026-01-01.md").write_text("- Plays the zither\n")
        assert found(process, "zither") == ["Plays the zither"]
        assert process.end(signal.SIGTERM)[0] == 0
    finally:
        told = process.close()
    assert "Traceback" not in told
    assert "shutdown failed" not in told
