"""The streamable-HTTP app, mounted in an application that knows who asks; no socket is opened."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import Receive, Scope, Send

from litemem.aio.manager import MemoryManager
from litemem.aio.store import SQLiteMemoryStore
from litemem.mcp.app import HttpApp, http_app
from litemem.mcp.http import MAX_BODY
from litemem.server.headers import API_HEADERS

HEADERS = {"accept": "application/json, text/event-stream"}
GREETING = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@asynccontextmanager
async def served(mcp: HttpApp) -> AsyncIterator[httpx.AsyncClient]:
    """Mount the app below /mcp, where the header `x-user` says who asks."""

    async def known(scope: Scope, receive: Receive, send: Send) -> None:
        users = [value.decode() for name, value in scope["headers"] if name == b"x-user"]
        await mcp({**scope, "caller": users[0] if users else "nobody"}, receive, send)

    app = Starlette(routes=[Mount("/mcp", known)])
    transport = httpx.ASGITransport(app)
    async with (
        mcp.running(),
        httpx.AsyncClient(transport=transport, base_url="http://home") as client,
    ):
        yield client


async def post(client: httpx.AsyncClient, user: str, method: str, **params: object) -> Any:  # noqa: ANN401  # Any: JSON
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    done = await client.post("/mcp/", json=message, headers={**HEADERS, "x-user": user})
    assert done.status_code == 200, done.text
    return done.json()["result"]


async def call(client: httpx.AsyncClient, user: str, tool: str, **arguments: object) -> Any:  # noqa: ANN401  # Any: JSON
    return await post(client, user, "tools/call", name=tool, arguments=arguments)


async def test_each_request_is_its_own_users(store: SQLiteMemoryStore) -> None:
    async with served(http_app(store, lambda scope: str(scope["caller"]))) as client:
        greeting = await post(client, "ada", "initialize", **GREETING)
        await call(client, "ada", "remember", content="likes tea")
        ours = await call(client, "ada", "search", query="tea")
        theirs = await call(client, "bob", "search", query="tea")
        await call(client, "bob", "block_update", label="user", operation="replace", content="Bob")
        block = await post(client, "bob", "resources/read", uri="litemem://blocks/user")
        log = await post(client, "ada", "resources/read", uri="litemem://logs/2026-02-08")
        prompt = await post(client, "bob", "prompts/get", name="core_memory")

    assert greeting["serverInfo"]["name"] == "litemem"
    assert [one["content"] for one in ours["structuredContent"]["matches"]] == ["likes tea"]
    assert theirs["structuredContent"]["matches"] == []
    assert block["contents"][0]["text"] == "Bob"
    assert "likes tea" in log["contents"][0]["text"]
    assert "<user>\nBob\n</user>" in prompt["messages"][0]["content"]["text"]


async def test_a_manager_and_one_user_do_too(store: SQLiteMemoryStore) -> None:
    async with served(http_app(MemoryManager(store), "ada")) as client:
        await call(client, "bob", "remember", content="likes tea")

    assert [one["content"] for one in await store.list_memories("ada")] == ["likes tea"]


@pytest.mark.parametrize(
    ("body", "status"), [("x" * (MAX_BODY + 1), 413), ("{nonsense", 400), ("[]", 400)]
)
async def test_a_wrong_body_is_refused(store: SQLiteMemoryStore, body: str, status: int) -> None:
    async with served(http_app(store, "ada")) as client:
        done = await client.post(
            "/mcp/", content=body, headers={**HEADERS, "content-type": "application/json"}
        )

    assert done.status_code == status
    assert "Traceback" not in done.text


@pytest.mark.parametrize(
    ("message", "id_", "code"),
    [
        ({"jsonrpc": "1.0", "id": 5, "method": "ping"}, 5, -32600),
        ({"id": 6, "method": "ping"}, 6, -32600),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, None, -32600),
        ({"jsonrpc": "2.0", "id": 5, "method": "tools/list", "params": []}, 5, -32602),
        ({"jsonrpc": "2.0", "id": 5, "result": 7}, 5, -32600),
    ],
)
@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28"])
async def test_a_wrong_message_is_told_in_one_short_line(
    store: SQLiteMemoryStore, message: dict[str, object], id_: object, code: int, version: str
) -> None:
    async with served(http_app(store, "ada")) as client:
        done = await client.post(
            "/mcp/", json=message, headers={**HEADERS, "mcp-protocol-version": version}
        )

    said = done.json()
    assert (done.status_code, said["id"], said["error"]["code"]) == (400, id_, code)
    assert len(done.text) < 150
    assert "pydantic" not in done.text


@pytest.mark.parametrize("version", ["bogus", "", "2099-01-01", "x" * 5_000])
async def test_a_version_that_isnt_known_is_told(store: SQLiteMemoryStore, version: str) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    async with served(http_app(store, "ada")) as client:
        done = await client.post(
            "/mcp/", json=message, headers={**HEADERS, "mcp-protocol-version": version}
        )

    error = done.json()["error"]
    assert (done.status_code, error["code"]) == (400, -32022)
    assert f"MCP-Protocol-Version {version[:40]!r} isn't known; known are 2024" in error["message"]
    assert "2025-06-18" in error["data"]["supported"]
    assert len(done.text) < 500


@pytest.mark.parametrize(
    ("method", "body", "status"),
    [
        ("POST", '{"jsonrpc": "2.0", "id": 1, "method": "ping"}', 200),
        ("POST", "nonsense", 400),
        ("POST", "x" * (MAX_BODY + 1), 413),
        ("DELETE", "", 405),
        ("PUT", "", 405),
    ],
)
async def test_no_answer_is_kept_or_run(
    store: SQLiteMemoryStore, method: str, body: str, status: int
) -> None:
    async with served(http_app(store, "ada")) as client:
        done = await client.request(
            method, "/mcp/", content=body, headers={**HEADERS, "content-type": "application/json"}
        )

    assert done.status_code == status
    for name, value in API_HEADERS.items():
        assert done.headers.get_list(name) == [value]


async def test_a_body_may_come_in_parts_and_be_too_long_for_its_header(
    store: SQLiteMemoryStore,
) -> None:
    async def parts(*given: bytes) -> AsyncIterator[bytes]:
        for one in given:
            yield one

    headers = {**HEADERS, "content-type": "application/json"}
    ping = (b'{"jsonrpc": "2.0", "id": 1, ', b'"method": "ping"}', b"")
    async with served(http_app(store, "ada")) as client:
        done = await client.post("/mcp/", content=parts(*ping), headers=headers)
        long = await client.post(
            "/mcp/", content=parts(*[b" " * 300_000] * 9, *ping), headers=headers
        )

    assert done.json() == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert long.status_code == 413


async def asked_by_hand(
    app: HttpApp, method: str, *events: dict[str, object]
) -> list[Any]:  # Any: events
    """Ask without an HTTP client: events come from one that then leaves."""
    coming, sent = iter(events), list[Any]()  # Any: events
    scope = {
        "type": "http",
        "method": method,
        "path": "/",
        "query_string": b"",
        "headers": [
            (b"accept", b"application/json, text/event-stream"),
            (b"content-type", b"application/json"),
        ],
    }

    async def receive() -> Any:  # noqa: ANN401  # Any: an event
        return next(coming, {"type": "http.disconnect"})

    async def send(event: Any) -> None:  # noqa: ANN401  # Any: an event
        sent.append(event)

    async with app.running():
        await app(scope, receive, send)
    return sent


async def test_a_client_that_leaves_while_it_writes_is_no_trouble(store: SQLiteMemoryStore) -> None:
    begun = {"type": "http.request", "body": b"{", "more_body": True}
    sent = await asked_by_hand(http_app(store, "ada"), "POST", begun)

    assert not any(event.get("status") == 200 for event in sent)


async def test_a_stream_isnt_kept_either(store: SQLiteMemoryStore) -> None:
    start, *_ = await asked_by_hand(
        http_app(store, "ada"), "GET", {"type": "http.request", "body": b""}
    )

    assert start["status"] == 200
    assert [value for name, value in start["headers"] if name == b"cache-control"] == [b"no-store"]


async def test_the_hosts_logging_is_left_alone(store: SQLiteMemoryStore) -> None:
    import logging

    root = logging.getLogger()
    before = (root.level, list(root.handlers))
    http_app(store, "ada")

    assert (root.level, root.handlers) == before


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_sdks_client_speaks_to_it_in_either_protocol(
    store: SQLiteMemoryStore, mode: str
) -> None:
    app = http_app(store, lambda scope: dict(scope["headers"])[b"x-user"].decode())
    counts = {}
    async with app.running():
        for user in ("ada", "bob"):
            transport = httpx2.ASGITransport(app)
            async with (
                httpx2.AsyncClient(transport=transport, headers={"x-user": user}) as http,
                Client(streamable_http_client("http://home/mcp", http_client=http), mode=mode) as c,
            ):
                if user == "ada":
                    await c.call_tool("remember", {"content": "likes tea"})
                found = (await c.call_tool("search", {"query": "tea"})).structured_content
                counts[user] = (found or {})["count"]

    assert counts == {"ada": 1, "bob": 0}
