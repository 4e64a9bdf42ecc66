"""The process that serves: its socket, its signals, and its end."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Any, Final

import uvicorn

from litemem.aio.store import SQLiteMemoryStore
from litemem.edge import home_folder
from litemem.errors import InvalidValue
from litemem.server.app import Beside, make_app
from litemem.server.guard import ANY_ADDRESS
from litemem.server.logins import Logins
from litemem.server.more import following, has_mcp, mcp_app, mcp_route
from litemem.server.protocol import Protocol
from litemem.server.running import announced
from litemem.server.tokens import Tokens, own_token
from litemem.types import DEFAULT_USER

logger = logging.getLogger(__name__)

DEFAULT_PORT: Final = 8765
KEEP_ALIVE_S: Final = 15
GRACE_S: Final = 1  # for requests that are being answered when the server is stopped
END_S: Final = 1.6  # after which a process that is being stopped ends whatever it does
START_LIFE_S: Final = 3600.0  # of the code that is printed at the start


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """What `litemem serve` was told."""

    home: str | None = None
    model: str | None = None
    user: str = DEFAULT_USER  # whose page is opened
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT  # 0: any that is free
    allowed_hosts: tuple[str, ...] = ()  # more names that Host may have


def serve(
    told: Serving,
    say: Callable[[str], None],
    *,
    beside: Sequence[Beside] = (),
    opened: Callable[[str], object] | None = None,
) -> None:
    """
    Serve one home until the process is told to end; what was acknowledged is on disk then.

    Args:
        told: where and what.
        say: prints a line for the person.
        beside: what else runs while the server does.
        opened: called with the page's address, which opens it once, when it can be asked for.

    Raises InvalidValue where the address can't be used, and as `litemem.open`.
    """
    home = home_folder(told.home)
    home.user_dir(told.user)  # a wrong id makes no home
    own_token(home)
    tokens, logins = Tokens(home), Logins()
    check_binding(told.host, tokens)
    store = SQLiteMemoryStore(home.root, model=told.model)
    with bound(told.host, told.port) as sock:
        address, port = sock.getsockname()[:2]
        if not is_loopback(address):
            say(f"{told.host} is reached by other machines, which read along without TLS in front")
        mcp = mcp_app(store) if has_mcp() else None
        app = make_app(
            store,
            tokens=tokens,
            allowed_hosts=hosts(told.host, port, told.allowed_hosts),
            logins=logins,
            routes=() if mcp is None else (mcp_route(mcp),),
            beside=(following, *(() if mcp is None else (lambda _: mcp.running(),)), *beside),
        )
        url = f"http://{_shown(told.host)}:{port}"
        code = logins.code(told.user, life_s=START_LIFE_S)
        server = _Server(_config(app), store, lambda: _started(url, code, say, opened))
        with announced(home, url), _ending(server):
            server.run(sockets=[sock])


def check_binding(host: str, tokens: Tokens) -> None:
    """Refuse to answer other machines without a token. Raises InvalidValue."""
    if not is_loopback(host) and not len(tokens):
        raise InvalidValue(
            f"{host} can be reached from other machines, and there is no token: serve on "
            "127.0.0.1, or make one with 'litemem serve --add-user ID'"
        )


def is_loopback(host: str) -> bool:
    """Say whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def hosts(host: str, port: int, more: Sequence[str] = ()) -> set[str]:
    """Return what the Host header may be."""
    names = {_shown(host), *more}
    if is_loopback(host):
        names |= {"127.0.0.1", "localhost", "[::1]"}
    found = {name if ":" in name.rpartition("]")[2] else f"{name}:{port}" for name in names}
    found |= {name for name in names if port == 80}
    wild = host in ("0.0.0.0", "::")  # noqa: S104  # that is what is looked for
    return found | ({ANY_ADDRESS} if wild else set())


@contextmanager
def bound(host: str, port: int) -> Iterator[socket.socket]:
    """Bind a socket. Raises InvalidValue where that can't be."""
    if not 0 <= port <= 65535:
        raise InvalidValue(f"port {port} is out of range; give 0 to 65535")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        sock = socket.create_server(address[:2], family=family)
    except (OSError, UnicodeError) as error:
        told = error.strerror if isinstance(error, OSError) else "that is no host"
        raise InvalidValue(
            f"can't serve on {host} port {port}: {told}; choose another with --host and --port"
        ) from error
    with sock:
        yield sock


class _Server(uvicorn.Server):
    """A server that opens its store first, says when it answers, and ends in time."""

    def __init__(
        self, config: uvicorn.Config, store: SQLiteMemoryStore, started: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._store, self._tell = store, started
        self._deadline: threading.Timer | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve. Raises what opening the store does."""
        await self._store.connect()
        await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        if self.started:
            await asyncio.to_thread(self._tell)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """
        Begin to end.

        Each write was on disk before it was acknowledged. So a thread that is still at work, such
        as at a rebuild, needn't be waited for: what it leaves is what a kill leaves.
        """
        super().handle_exit(sig, frame)
        if self._deadline is None:
            self._deadline = threading.Timer(END_S, os._exit, (0,))
            self._deadline.daemon = True
            self._deadline.start()

    def ended(self) -> None:
        """Let the process end by itself."""
        if self._deadline is not None:
            self._deadline.cancel()


def _config(app: Any) -> uvicorn.Config:  # noqa: ANN401  # Any: an ASGI app, as uvicorn has it
    return uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,  # its lines would hold questions
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
    )


def _started(
    url: str, code: str, say: Callable[[str], None], opened: Callable[[str], object] | None
) -> None:
    page = f"{url}/?code={code}"
    say(f"litemem serves {url} (stop it with Ctrl-C)")
    say(f"its page, once: {page}")
    if opened is not None:
        opened(page)


def _shown(host: str) -> str:
    wild = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
    name = wild.get(host, host)
    return f"[{name}]" if ":" in name else name


@contextmanager
def _ending(server: _Server) -> Iterator[None]:
    """Let the process end normally, and quietly, when it's told to."""

    def on_term(*_: object) -> None:
        if not server.should_exit:  # else it's at its end, and uvicorn raises the signal again
            raise SystemExit(0)

    before = signal.signal(signal.SIGTERM, on_term)
    log, news = logging.getLogger("uvicorn.error"), partial(_is_news, server=server)
    log.addFilter(news)
    try:
        with suppress(KeyboardInterrupt):  # that is how a person stops it
            yield
    finally:
        server.ended()
        log.removeFilter(news)
        signal.signal(signal.SIGTERM, before)


def _is_news(record: logging.LogRecord, server: _Server) -> bool:
    """Say whether it's more than that requests were given up at the end, a line or a page each."""
    if not server.should_exit:
        return True
    if record.exc_info is not None and record.exc_info[0] is not None:
        return not issubclass(record.exc_info[0], asyncio.CancelledError)
    return not record.getMessage().startswith(("ASGI callable returned", "Cancel "))
