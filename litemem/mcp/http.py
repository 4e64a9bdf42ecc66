"""What a request over HTTP meets before the SDK: its message is read, its version is known."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from mcp.types import UNSUPPORTED_PROTOCOL_VERSION
from mcp.types.version import KNOWN_PROTOCOL_VERSIONS

from litemem.mcp.messages import Message, Refusal, error_of, read_message

if TYPE_CHECKING:
    from starlette.types import Message as Event
    from starlette.types import Receive, Scope, Send

MAX_BODY: Final = 1_000_000  # bytes of an HTTP request

_VERSION: Final = b"mcp-protocol-version"
_SHOWN: Final = 40  # characters of a header
# Memories are in the answers: for who asked, and for no browser to make anything of.
HEADERS: Final = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
}


def guarded(send: Send) -> Send:
    """Return a `send` that puts our headers in the place of the SDK's."""

    async def sending(event: Event) -> None:
        if event["type"] == "http.response.start":
            others = [one for one in event.get("headers", ()) if one[0].lower() not in HEADERS]
            event = {**event, "headers": [*others, *HEADERS.items()]}
        await send(event)

    return sending


async def refused(scope: Scope, receive: Receive, send: Send) -> Receive | None:
    """Answer what the SDK would say too much or too little of; else return the `receive` for it."""
    version = _version(scope["headers"])
    if version is not None and version not in KNOWN_PROTOCOL_VERSIONS:
        await _answer(send, _unsupported(version))
        return None
    if scope["method"] != "POST":
        return receive
    events, body = await _read(receive)
    found = None if body is None else read_message(body)
    if isinstance(found, Refusal):
        await _answer(send, error_of(found.id, found.code, found.why))
        return None
    return _again(events, receive)


async def _read(receive: Receive) -> tuple[list[Event], bytes | None]:
    """Read a body; None for one that the SDK will refuse for its size, or that never ended."""
    events: list[Event] = []
    body = bytearray()
    while len(body) <= MAX_BODY:
        event = await receive()
        events.append(event)
        if event["type"] != "http.request":
            return events, None
        body += event.get("body", b"")
        if not event.get("more_body", False):
            return events, bytes(body) if len(body) <= MAX_BODY else None
    return events, None


def _again(events: Iterable[Event], receive: Receive) -> Receive:
    """Return a `receive` that gives what was read once more, and then the rest."""
    rest = iter(events)

    async def receiving() -> Event:
        event = next(rest, None)
        return await receive() if event is None else event

    return receiving


def _version(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    return next((value.decode("latin-1") for name, value in headers if name == _VERSION), None)


def _unsupported(version: str) -> Message:
    known = ", ".join(KNOWN_PROTOCOL_VERSIONS)
    return error_of(
        None,
        UNSUPPORTED_PROTOCOL_VERSION,
        f"MCP-Protocol-Version {version[:_SHOWN]!r} isn't known; known are {known}",
        data={"supported": [*KNOWN_PROTOCOL_VERSIONS], "requested": version[:_SHOWN]},
    )


async def _answer(send: Send, message: Message) -> None:
    body = json.dumps(message).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 400, "headers": headers})
    await send({"type": "http.response.body", "body": body})
