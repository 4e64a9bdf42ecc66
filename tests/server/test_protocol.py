"""What a client can make a connection cost: heads, bodies, chunks and connections without end."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.server import ServerState

from litemem.server.errors import Refused
from litemem.server.limits import Limited, Limits
from litemem.server.protocol import MOST_CHUNKS, Protocol
from litemem.server.refusals import Refusals

pytestmark = pytest.mark.usefixtures("socket_enabled")

HEAD = b"POST / HTTP/1.1\r\nhost: a\r\n"
CHUNKED = HEAD + b"transfer-encoding: chunked\r\n\r\n"


class Impatient(Protocol):
    """As the server's own, in a test's time."""

    head_s = 0.2
    most_at_once = 4


async def answer_ok(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("ok")(scope, receive, send)


async def refuse(_: Scope, __: Receive, ___: Send) -> None:
    raise Refused(401, "unauthorized", "a token is needed")


@asynccontextmanager
async def listening(app: ASGIApp) -> AsyncIterator[int]:
    """Serve an app; in the end no connection may be left."""
    config = uvicorn.Config(app, log_config=None, timeout_keep_alive=1)
    loop, state = asyncio.get_running_loop(), ServerState()
    server = await loop.create_server(lambda: Impatient(config, state, {}), "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]
    await asyncio.sleep(0.05)
    assert not state.connections


async def closed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """Return what comes until the server closes, or resets because more was sent to it."""
    data = b""
    with suppress(ConnectionError):
        async with asyncio.timeout(5):
            while piece := await reader.read(1 << 16):
                data += piece
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()
    return data


@pytest.mark.parametrize("after", [b"", b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"])
@pytest.mark.parametrize("start", [b"", b"GET / HTTP/1.1\r\nhost: a\r\n"])
async def test_a_client_that_never_ends_its_head_is_cut_off(after: bytes, start: bytes) -> None:
    async with listening(answer_ok) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        if after:
            writer.write(after)
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        writer.write(start)
        assert await closed(reader, writer) == b""


async def trickle(writer: asyncio.StreamWriter, piece: bytes) -> None:
    with suppress(ConnectionError):
        while not writer.is_closing():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (HEAD + b"content-length: 900000\r\n\r\n", b"x"),
        (CHUNKED, b"1\r\nx\r\n"),
    ],
)
@pytest.mark.parametrize("app", [refuse, answer_ok], ids=["refused", "too slow"])
async def test_a_body_that_trickles_ends_with_its_refusal(
    app: ASGIApp, start: bytes, piece: bytes
) -> None:
    limits = Limits(body_s=0.3, rest_s=0.3)
    waits = Limited(app, limits) if app is answer_ok else app
    async with listening(Refusals(waits, limits)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(start)
        began = time.monotonic()
        sending = asyncio.create_task(trickle(writer, piece))
        head = await reader.readuntil(b"\r\n\r\n")
        answered_s = time.monotonic() - began
        rest = await closed(reader, writer)
        took_s = time.monotonic() - began
        await sending

    assert b"connection: close" in head
    assert json.loads(rest)["error"]["code"] in ("unauthorized", "too_slow")
    assert took_s - answered_s < 1
    assert answered_s < 0.25 or app is answer_ok
    assert took_s < 1.5


async def test_a_large_body_that_is_refused_is_read_to_the_answer() -> None:
    body = b"x" * 900_000
    async with listening(Refusals(refuse, Limits())) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"content-length: 900000\r\n\r\n" + body)
        await writer.drain()
        answer = await closed(reader, writer)

    assert answer.startswith(b"HTTP/1.1 401")
    assert b"connection: close" in answer


async def test_what_is_thrown_away_is_bounded() -> None:
    limits, read = Limits(body_bytes=1_000, rest_s=30), 0

    async def receive() -> Message:
        nonlocal read
        read += 100
        return {"type": "http.request", "body": b"x" * 100, "more_body": True}

    async def send(_: Message) -> None:
        pass

    await Refusals(refuse, limits)({"type": "http", "method": "POST"}, receive, send)
    assert read == 1_000


async def test_a_refusal_after_the_body_keeps_the_connection() -> None:
    async def late(_: Scope, receive: Receive, __: Send) -> None:
        await receive()
        raise Refused(404, "unknown", "there is no such thing")

    limits = Limits()
    async with listening(Refusals(Limited(late, limits), limits)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(2):
            writer.write(HEAD + b"content-length: 1\r\n\r\nx")
            head = await reader.readuntil(b"\r\n\r\n")
            assert b"404" in head
            assert b"connection" not in head
            await reader.readuntil(b"}}")
        writer.close()


@pytest.mark.parametrize("app", [answer_ok, refuse], ids=["waited for", "refused"])
async def test_a_body_of_too_many_chunks_is_cut_off_soon(app: ASGIApp) -> None:
    limits = Limits()
    waits = Limited(app, limits) if app is answer_ok else app
    async with listening(Refusals(waits, limits)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(CHUNKED)
        await asyncio.sleep(0.05)
        began = time.monotonic()
        writer.write(b"1\r\nx\r\n" * 300_000)
        answer = await closed(reader, writer)
        took_s = time.monotonic() - began

    assert took_s < 1.5
    assert answer == b"" or answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 401"))


async def test_as_many_chunks_as_are_allowed_are_taken_in_each_request() -> None:
    limits = Limits()
    async with listening(Limited(answer_ok, limits)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(2):
            writer.write(CHUNKED + b"1\r\nx\r\n" * MOST_CHUNKS + b"0\r\n\r\n")
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        writer.close()


async def test_one_connection_too_many_is_told_so_as_json() -> None:
    async with listening(answer_ok) as port:
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"content-length: 0\r\n\r\n")
        head, _, body = (await closed(reader, writer)).partition(b"\r\n\r\n")
        for one in idle:
            await closed(*one)

    assert head.startswith(b"HTTP/1.1 503")
    assert b"content-type: application/json" in head
    assert json.loads(body)["error"]["code"] == "busy"
