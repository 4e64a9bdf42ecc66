"""What a server does besides its routes: MCP at /mcp, and following edits of the files."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from starlette.routing import Route

from litemem.aio.store import SQLiteMemoryStore
from litemem.aio.watch import follow

if TYPE_CHECKING:
    from starlette.types import Scope

    from litemem.mcp.app import HttpApp

logger = logging.getLogger(__name__)

MCP_PATH: Final = "/mcp"
AGAIN_S: Final = 1.0  # after which a following that failed begins anew


def has_mcp() -> bool:
    """Say whether the extra is installed."""
    return find_spec("mcp") is not None


def mcp_app(store: SQLiteMemoryStore) -> HttpApp:
    """Return the MCP endpoint, which answers each request as its token's user."""
    from litemem.mcp.app import http_app

    return http_app(store, _user)


def mcp_route(app: HttpApp) -> Route:
    """Return where the endpoint stands, for all methods."""
    return Route(MCP_PATH, endpoint=app, include_in_schema=False)


@asynccontextmanager
async def following(store: SQLiteMemoryStore) -> AsyncIterator[None]:
    """Index edits of the files while the body runs; after a failure again, a second later."""
    stop = asyncio.Event()
    task = asyncio.create_task(_follow(store, stop))
    try:
        yield
    finally:
        stop.set()
        await task


async def _follow(store: SQLiteMemoryStore, stop: asyncio.Event) -> None:
    told = ""
    while not stop.is_set():
        # A task keeps its error, whatever it is: it may not end the following, nor the server.
        work = asyncio.create_task(follow(store, stop=stop))
        try:
            await asyncio.wait({work})
        finally:
            work.cancel()
        error = None if work.cancelled() else work.exception()
        if error is None:
            return
        if str(error) != told:  # once, not every second
            told = str(error)
            logger.warning("edits of the files aren't followed for now: %s", told)
        with suppress(TimeoutError):
            async with asyncio.timeout(AGAIN_S):
                await stop.wait()


def _user(scope: Scope) -> str:
    user: str = scope["litemem.caller"].user
    return user
