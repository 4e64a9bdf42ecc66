"""What a request must be before anybody looks at it: to this host, from this site, a plain path."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import unquote_to_bytes

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from litemem.server.errors import Refused, invalid

ANY_ADDRESS: Final = "*"
"""Among the hosts: an IP address is taken for a host too; a rebound name never looks like one."""

_MAX_PATH: Final = 1_000  # bytes
_CODED: Final = re.compile(rb"%(2f|5c|00)", re.IGNORECASE)
_CONTROL: Final = re.compile("[\x00-\x1f\x7f\\\\]")


class Guard:
    """
    Refuses what a browser sends for another site, and paths that play tricks.

    A page elsewhere can let its name point to 127.0.0.1, but not change what the browser says of
    Host and Origin. Raises Refused: 421 for another host, 403 for another site, 400 for a path.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through what is meant for here."""
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            self._check_host(headers)
            _check_site(headers, scope)
            check_path(scope.get("raw_path") or scope["path"].encode())
        await self._app(scope, receive, send)

    def _check_host(self, headers: Headers) -> None:
        hosts = headers.getlist("host")
        host = hosts[0].lower() if len(hosts) == 1 else ""
        if host in self._hosts or (ANY_ADDRESS in self._hosts and _is_address(host)):
            return
        raise Refused(421, "wrong_host", "this server doesn't answer for that host")


def _check_site(headers: Headers, scope: Scope) -> None:
    own = {f"{scheme}://{headers['host'].lower()}" for scheme in ("http", "https")}
    origins = [origin.lower() for origin in headers.getlist("origin")]
    site = headers.get("sec-fetch-site", "none")
    # A link elsewhere may open the page: the session's cookie doesn't come along.
    opens = scope["path"] == "/" and scope["method"] == "GET" and not origins
    elsewhere = site not in ("none", "same-origin") and not opens
    if elsewhere or any(origin not in own for origin in origins):
        raise Refused(403, "cross_site", "another site can't ask here")


def check_path(raw: bytes) -> None:
    """Refuse a path with `..`, a coded separator, control characters, bad UTF-8, or too long."""
    try:
        path = unquote_to_bytes(raw).decode()
    except UnicodeDecodeError as error:
        raise invalid("the path isn't UTF-8") from error
    if len(raw) > _MAX_PATH or _CODED.search(raw) or _CONTROL.search(path):
        raise invalid("the path is too long, or holds a separator or a control character")
    if any(part in (".", "..") for part in path.split("/")):
        raise invalid("the path holds '.' or '..'")


def _is_address(host: str) -> bool:
    name = host[1:].partition("]")[0] if host.startswith("[") else host.rpartition(":")[0] or host
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
