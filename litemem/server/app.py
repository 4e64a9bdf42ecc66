"""The app: all routes over one store, behind the checks that every request passes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Final, TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from litemem.aio.store import SQLiteMemoryStore
from litemem.memory.timeline import Maps
from litemem.server import (
    archival,
    core,
    files,
    forget,
    me,
    memories,
    page,
    search,
    sessions,
    stats,
)
from litemem.server.auth import Authentication
from litemem.server.endpoint import (
    Call,
    Endpoint,
    Json,
    Operations,
    refusal,
)
from litemem.server.errors import BUG, Refused
from litemem.server.files import Nothing
from litemem.server.guard import Guard
from litemem.server.limits import Limited, Limits
from litemem.server.logins import Logins
from litemem.server.openapi import document
from litemem.server.refusals import Refusals
from litemem.server.shapes import ANY
from litemem.server.tokens import Tokens

Beside: TypeAlias = Callable[[SQLiteMemoryStore], AbstractAsyncContextManager[None]]
"""Runs beside the server, from its start to its end."""


async def get_openapi(_: Call, __: Nothing) -> Json:
    """Return this document."""
    return DOCUMENT


ENDPOINTS: Final[tuple[Endpoint, ...]] = (
    *core.ENDPOINTS,
    *archival.ENDPOINTS,
    *search.ENDPOINTS,
    *files.ENDPOINTS,
    *forget.ENDPOINTS,
    *stats.ENDPOINTS,
    *me.ENDPOINTS,
    *sessions.ENDPOINTS,
    *page.ENDPOINTS,
    *memories.ENDPOINTS,  # last: /memory/{id} takes what none of the others has
    Endpoint(
        method="GET",
        path="/openapi.json",
        does=get_openapi,
        asked=Nothing,
        answers=ANY,
        says="This document.",
        tag="stats",
    ),
)
DOCUMENT: Final = document(ENDPOINTS)


def make_app(
    store: SQLiteMemoryStore,
    *,
    tokens: Tokens,
    allowed_hosts: Iterable[str],
    logins: Logins | None = None,
    limits: Limits | None = None,
    routes: Sequence[BaseRoute] = (),
    beside: Sequence[Beside] = (),
) -> Starlette:
    """
    Make the server's app; it opens the store when it starts, and closes it when it ends.

    Args:
        store: of the home; nobody else may close it.
        tokens: who may ask.
        allowed_hosts: what the Host header may be, such as `127.0.0.1:8765`; see `Guard`.
        logins: the page's sessions, for whoever makes codes for it.
        limits: what is too much.
        routes: more routes behind the same checks; `scope["litemem.caller"]` says whose.
        beside: what else runs while the server does.
    """
    logins, limits = logins or Logins(), limits or Limits()
    shown = page.Page(logins)
    app = Starlette(
        routes=[
            *_routes(store, logins),
            Route("/", shown.index, methods=["GET"]),
            Route("/page/{name:path}", shown.asset, methods=["GET"]),
            *routes,
        ],
        middleware=[
            Middleware(Refusals, limits),
            Middleware(Guard, allowed_hosts),
            Middleware(Authentication, tokens, logins, store),
            Middleware(Limited, limits),
        ],
        exception_handlers={HTTPException: _http_error, Exception: _bug},
        lifespan=_lifespan(store, beside),
    )
    app.router.redirect_slashes = False
    return app


def _routes(store: SQLiteMemoryStore, logins: Logins) -> list[Route]:
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in ENDPOINTS:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    maps = Maps()
    return [
        Route(path, Operations(found, store, logins, maps).answer, methods=[*found])
        for path, found in by_path.items()
    ]


def _lifespan(
    store: SQLiteMemoryStore, beside: Sequence[Beside]
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with store, AsyncExitStack() as stack:
            for one in beside:
                await stack.enter_async_context(one(store))
            yield

    return lifespan


async def _http_error(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    known = {
        404: Refused(404, "unknown", "there is no such path; /openapi.json has them all"),
        405: Refused(
            405, "wrong_method", "that path has no such method", getattr(error, "headers", None)
        ),
    }
    return refusal(known.get(status) or Refused(status, "http", "the request can't be answered"))


async def _bug(_: Request, __: Exception) -> Response:
    return refusal(BUG)  # Starlette raises it again, and the log has the traceback
