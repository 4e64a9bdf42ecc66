"""The page: its files, and the way into a session of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from litemem.server.auth import Caller, cookie_name
from litemem.server.endpoint import Call, Endpoint, Json
from litemem.server.errors import Refused
from litemem.server.files import Nothing
from litemem.server.headers import PAGE_HEADERS
from litemem.server.logins import SESSION_LIFE_S, Logins
from litemem.server.shapes import TEXT, made

FOLDER: Final = Path(__file__).parent / "page"
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
_FRAME: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width"><title>litemem</title>'
)
LOCKED: Final = (
    f"{_FRAME}<h1>litemem</h1><p>This link was used, or is too old. Run <code>litemem ui</code> to "
    'open the page, or <a href="/">try again</a> where it is open already.</p>'
)
BARE: Final = (
    f'{_FRAME}<h1>litemem</h1><p>The API is described at <a href="/openapi.json">here</a>.</p>'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asset:
    path: Path
    media_type: str


class Page:
    """The files of the page by name; nothing else of the disk can be asked for."""

    def __init__(self, logins: Logins, folder: Path = FOLDER) -> None:
        self._logins = logins
        self._assets = {
            path.relative_to(folder).as_posix(): _Asset(path=path, media_type=media_type)
            for path in sorted(folder.rglob("*"))
            if (media_type := _TYPES.get(path.suffix)) and path.is_file()
        }

    async def index(self, request: Request) -> Response:
        """Answer `/`: a code becomes a session; a session gets the page."""
        code = request.query_params.get("code")
        if code is not None:
            return self._enter(request, code)
        caller: Caller | None = request.scope["litemem.caller"]
        if caller is None:
            return _html(LOCKED, 401)
        if "index.html" not in self._assets:
            return _html(BARE, 200)
        return self._file("index.html")

    async def asset(self, request: Request) -> Response:
        """Answer `/page/NAME`. Raises Refused (404)."""
        name = request.path_params["name"]
        if name not in self._assets:
            raise Refused(404, "unknown", "there is no such file")
        return self._file(name)

    def _file(self, name: str) -> Response:
        asset = self._assets[name]
        # A few kilobytes that the system has in memory: no thread is worth it.
        return Response(asset.path.read_bytes(), 200, PAGE_HEADERS, asset.media_type)

    def _enter(self, request: Request, code: str) -> Response:
        session = self._logins.session(code)
        if session is None:
            return _html(LOCKED, 401)
        response = Response(status_code=303, headers={**PAGE_HEADERS, "location": "/"})
        response.set_cookie(
            cookie_name(Headers(scope=request.scope)),
            session,
            max_age=int(SESSION_LIFE_S),
            path="/",
            httponly=True,
            samesite="strict",
        )
        return response


def _html(content: str, status: int) -> Response:
    return Response(content, status, PAGE_HEADERS, "text/html; charset=utf-8")


async def new_login(call: Call, _: Nothing) -> Json:
    """Make a code that opens the page once."""
    return {"path": f"/?code={call.logins.code(call.user)}"}


ENDPOINTS: Final = (
    Endpoint(
        method="POST",
        path="/login",
        does=new_login,
        asked=Nothing,
        answers=made(path=TEXT),
        says="A path that opens the page in a browser, once and for ten minutes.",
        tag="page",
    ),
)
