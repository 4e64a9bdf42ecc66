"""What a server does besides its routes: MCP at /mcp, and following edits of the files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from starlette.routing import Route

from litemem.aio.store import SQLiteMemoryStore
from litemem.aio.watch import follow

if TYPE_CHECKING:
    from starlette.types import Scope

    from litemem.mcp.app import HttpApp

MCP_PATH = "/mcp"


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
    """Index edits of the files while the body runs."""
    stop = asyncio.Event()
    task = asyncio.create_task(follow(store, stop=stop))
    try:
        yield
    finally:
        stop.set()
        await task


def _user(scope: Scope) -> str:
    user: str = scope["litemem.caller"].user
    return user
