"""One operation of the API: what it takes, what it answers, and the function that does it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from litemem.aio.store import SQLiteMemoryStore
from litemem.errors import LitememError
from litemem.memory.memory import Memory
from litemem.memory.store import FactStore
from litemem.memory.timeline import Maps
from litemem.server.asked import read
from litemem.server.auth import Caller
from litemem.server.body import JSON
from litemem.server.errors import Refused, refused
from litemem.server.headers import API_HEADERS
from litemem.server.logins import Logins
from litemem.server.params import specs
from litemem.server.schema import Schema

T = TypeVar("T")

Json: TypeAlias = Mapping[str, Any]  # Any: JSON
Method = Literal["GET", "PUT", "POST", "DELETE"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Who asks, and the home that answers."""

    store: SQLiteMemoryStore
    user: str
    logins: Logins
    maps: Maps

    async def read(self, work: Callable[[Memory, FactStore], T]) -> T:
        """Do work that only reads, on this user's memory, off the event loop."""
        return await self.store.home.read(lambda core: work(core.of(self.user), core.facts))

    async def write(self, work: Callable[[Memory, FactStore], T]) -> T:
        """Do work on this user's memory, in the order that was asked, off the event loop."""
        return await self.store.home.write(lambda core: work(core.of(self.user), core.facts))


Handler: TypeAlias = Callable[[Call, Any], Awaitable[Json]]
"""Called with a value of the endpoint's `asked`. Raises Refused and what the core raises."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One method of one path. Routes, checks and the OpenAPI document are all made of these."""

    method: Method
    path: str
    does: Handler
    asked: type[Any]  # Any: its own dataclass, see `litemem.server.params`
    answers: Schema  # with status 200
    says: str
    tag: str
    fails: tuple[int, ...] = ()  # beside the statuses that every operation may have

    @property
    def name(self) -> str:
        """The operation's id."""
        return getattr(self.does, "__name__", "").strip("_")


class Operations:
    """The endpoints of one path, by method."""

    def __init__(
        self,
        endpoints: Mapping[str, Endpoint],
        store: SQLiteMemoryStore,
        logins: Logins,
        maps: Maps,
    ) -> None:
        self._endpoints, self._store = endpoints, store
        self._known = {method: specs(one.asked) for method, one in endpoints.items()}
        self._logins, self._maps = logins, maps

    async def answer(self, request: Request) -> Response:
        """Read the request, do it, and write the answer or what went wrong."""
        endpoint = self._endpoints["GET" if request.method == "HEAD" else request.method]
        try:
            return json_response(await self._answer(endpoint, request))
        except LitememError as error:
            return refusal(refused(error))

    async def _answer(self, endpoint: Endpoint, request: Request) -> Json:
        caller: Caller = request.scope["litemem.caller"]
        asked = read(
            endpoint.asked,
            self._known[endpoint.method],
            request.path_params,
            request.scope["query_string"],
            await request.body(),
            request.headers.getlist("content-type"),
            user=caller.user,
        )
        call = Call(store=self._store, user=caller.user, logins=self._logins, maps=self._maps)
        return await endpoint.does(call, asked)


def json_response(value: Json, status: int = 200, headers: Json | None = None) -> Response:
    """Return a JSON response that nothing keeps."""
    # ASCII, so that half a character, which a hand-edited file may hold, can be written too.
    try:
        content = json.dumps(value, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise Refused(500, "damaged", "what is stored there can't be written as JSON") from error
    named = {**API_HEADERS, **(headers or {})}
    return Response(content, status, named, media_type=JSON)


def refusal(error: Refused) -> Response:
    """Return the response of a request that isn't answered as asked."""
    told = {"error": {"code": error.code, "message": str(error)}}
    return json_response(told, error.status, error.headers)
