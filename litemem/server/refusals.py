"""The answer to what is refused before its body was read, and the end of that connection."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from litemem.errors import LitememError
from litemem.server.endpoint import refusal
from litemem.server.errors import Refused, refused
from litemem.server.limits import Limits

logger = logging.getLogger(__name__)


class Refusals:
    """
    Answers what the other checks, and routes that aren't operations, refuse.

    Where the body wasn't read to its end, the connection ends with the answer. The client gets that
    at once; what it still sends is thrown away, for a while: a connection that is closed before
    that takes the answer with it.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app, self._limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the app, and answer its refusal."""
        started = is_read = False

        async def noted(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        async def reading() -> Message:
            nonlocal is_read
            message = await receive()
            is_read = is_read or not message.get("more_body", False)
            return message

        try:
            await self._app(scope, reading, noted)
        except LitememError as error:
            if started or scope["type"] != "http":
                logger.info("an answer was given up: %s", error)
            elif is_read:
                await refusal(refused(error))(scope, receive, send)
            else:
                await self._refuse(refused(error), scope, receive, send)

    async def _refuse(self, error: Refused, scope: Scope, receive: Receive, send: Send) -> None:
        response = refusal(error)
        response.headers["connection"] = "close"

        async def held(message: Message) -> None:
            if message["type"] == "http.response.body":
                await send({**message, "more_body": True})
                await self._throw_away(receive)
                message = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(message)

        await response(scope, receive, held)

    async def _throw_away(self, receive: Receive) -> None:
        left, more = self._limits.body_bytes, True
        with suppress(TimeoutError):
            async with asyncio.timeout(self._limits.rest_s):
                while more and left > 0:
                    message = await receive()
                    left -= len(message.get("body", b""))
                    more = message.get("more_body", False)
