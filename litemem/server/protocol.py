"""HTTP with bounds on what a client may cost: its head, its chunks, its connections."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar, Final

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from litemem.server.endpoint import refusal
from litemem.server.errors import Refused

HEAD_S: Final = 5.0  # for the head of a request, from its first byte or from connecting
MOST_AT_ONCE: Final = 256  # connections
MOST_CHUNKS: Final = 10_000  # of a body: each costs 12 us, so 300,000 of one byte cost 3.6 s

_CLOSE: Final = {"connection": "close", "retry-after": "1"}
_TOO_MANY: Final = refusal(Refused(503, "busy", "there are too many connections", _CLOSE))


class Protocol(H11Protocol):
    """HTTP that doesn't wait for ever for the head of a request."""

    head_s: ClassVar[float] = HEAD_S
    most_at_once: ClassVar[int] = MOST_AT_ONCE
    _late: asyncio.TimerHandle | None = None

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],  # Any: as uvicorn has it
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.conn = _Connection(h11.SERVER)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take bytes, and wait for the rest of a head that isn't whole."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._unwatch()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Hand requests to the app; where there are too many, to what refuses them as JSON."""
        full = max(len(self.connections), len(self.tasks)) >= self.most_at_once
        self.app = _TOO_MANY if full else self.config.loaded_app
        super().handle_events()

    def send_400_response(self, msg: str) -> None:
        """Answer what isn't HTTP, where nothing was answered yet."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def _watch(self) -> None:
        waiting = self.conn.their_state is h11.IDLE and not self.transport.is_closing()
        if not waiting:
            self._unwatch()
        elif self._late is None:
            self._late = self.loop.call_later(self.head_s, self.transport.abort)

    def _unwatch(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class _Connection(h11.Connection):
    """Takes a body of too many chunks for what isn't HTTP."""

    _chunks = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return what comes next."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._chunks = 0
        elif isinstance(event, h11.Data):
            self._chunks += event.chunk_start
            if self._chunks > MOST_CHUNKS:
                raise h11.RemoteProtocolError("too many chunks")
        return event
