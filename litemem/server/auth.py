"""Who asks: the holder of a token, or the page's own session."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final, Literal

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from litemem.aio.store import SQLiteMemoryStore
from litemem.server.errors import Refused
from litemem.server.logins import Logins
from litemem.server.tokens import Tokens

SAFE: Final = frozenset({"GET", "HEAD"})
LOOK_EVERY_S: Final = 1.0  # after which a token that was taken away is refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Whose memory a request may reach, and how it was shown."""

    user: str
    by: Literal["token", "session"]


class Authentication:
    """
    Puts the caller into the scope as `litemem.caller`; without one only `/` is answered.

    Raises Refused: 401 for nobody, 403 for a write in the page's name that isn't the page's.
    """

    def __init__(
        self, app: ASGIApp, tokens: Tokens, logins: Logins, store: SQLiteMemoryStore
    ) -> None:
        self._app, self._tokens, self._logins, self._store = app, tokens, logins, store
        self._looked_s = -LOOK_EVERY_S

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a caller through."""
        if scope["type"] == "http":
            if time.monotonic() - self._looked_s >= LOOK_EVERY_S:
                await self._look()
            scope["litemem.caller"] = await self._caller(Headers(scope=scope), scope)
        await self._app(scope, receive, send)

    async def _caller(self, headers: Headers, scope: Scope) -> Caller | None:
        if "authorization" in headers:
            given = headers.getlist("authorization")
            kind, _, token = given[0].partition(" ")
            single = len(given) == 1 and kind.lower() == "bearer"
            user = await self._user_of(token.strip()) if single else None
            if user is None:
                raise _nobody()
            return Caller(user=user, by="token")
        user = self._logins.user(session_of(headers, cookie_name(headers)))
        if user is not None:
            _check_own(headers, scope["method"])
            return Caller(user=user, by="session")
        if scope["path"] == "/":
            return None
        raise _nobody()

    async def _user_of(self, token: str) -> str | None:
        found = self._tokens.user_of(token)
        if found is None:
            await self._look()  # it may be new
            found = self._tokens.user_of(token)
        return found

    async def _look(self) -> None:
        """Look for tokens that came or ended; with a token its user's sessions end."""
        self._looked_s = time.monotonic()
        for user in await self._store.home.read(lambda _: self._tokens.reload()):
            self._logins.end(user)


def cookie_name(headers: Headers) -> str:
    """Return the session cookie's name: cookies don't know ports, so the name has the port."""
    return f"litemem_{headers.get('host', '').rpartition(':')[2]}"


def session_of(headers: Headers, name: str) -> str:
    """Return the page's session of a request, '' for none."""
    # Servers on other ports of this host have their cookies in here too, of whatever form.
    return cookie_parser(headers.get("cookie", "")).get(name, "")


def _check_own(headers: Headers, method: str) -> None:
    """A cookie comes along by itself; so for a write the browser must say that it's our page's."""
    if method in SAFE:
        return
    if "origin" not in headers and headers.get("sec-fetch-site") != "same-origin":
        raise Refused(403, "cross_site", "the browser doesn't say that this comes from the page")


def _nobody() -> Refused:
    return Refused(
        401,
        "unauthorized",
        "a token is needed: 'Authorization: Bearer ...' with the one in the home's server-token",
        {"www-authenticate": "Bearer"},
    )
