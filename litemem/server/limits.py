"""How much a request may bring, and how long it and its answer may take."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from litemem.errors import Closed
from litemem.server.body import MAX_BYTES
from litemem.server.errors import Refused, invalid

BODY_S: Final = 10.0  # for a whole body
SEND_S: Final = 30.0  # for a piece of an answer
REST_S: Final = 2.0  # for the rest of a body that was refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What is too much."""

    body_bytes: int = MAX_BYTES
    body_s: float = BODY_S
    send_s: float = SEND_S
    rest_s: float = REST_S


class Limited:
    """
    Reads the whole body before the app is called, and gives up on clients that don't take answers.

    Raises Refused: 413 for a body over the limit, 408 for one that doesn't come in time.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app, self._limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the app with a body that is there."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        read = await self._body(Headers(scope=scope), receive)
        if read["type"] != "http.request":
            return  # the client went away; there is nobody to answer
        body = [read]

        async def replay() -> Message:
            return body.pop() if body else await receive()

        async def patient(message: Message) -> None:
            try:
                async with asyncio.timeout(self._limits.send_s):
                    await send(message)
            except TimeoutError as error:
                raise Closed("the client doesn't take the answer") from error

        await self._app(scope, replay, patient)

    async def _body(self, headers: Headers, receive: Receive) -> Message:
        announced = headers.get("content-length", "0")
        if not announced.isascii() or not announced.isdigit():
            raise invalid("content-length is no number")
        if len(announced) > 12 or int(announced) > self._limits.body_bytes:
            raise self._too_large()
        try:
            async with asyncio.timeout(self._limits.body_s):
                return await self._whole(receive)
        except TimeoutError as error:
            raise Refused(408, "too_slow", "the body didn't come in time") from error

    async def _whole(self, receive: Receive) -> Message:
        body, more = bytearray(), True
        while more:
            message = await receive()
            if message["type"] != "http.request":  # it went away
                return message
            body += message.get("body", b"")
            if len(body) > self._limits.body_bytes:
                raise self._too_large()
            more = message.get("more_body", False)
        return {"type": "http.request", "body": bytes(body), "more_body": False}

    def _too_large(self) -> Refused:
        most = self._limits.body_bytes
        return Refused(413, "too_large", f"the body is larger than {most} bytes")
