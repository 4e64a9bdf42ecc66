"""Messages as lines on the wire: read on a thread of their own, none too long, none unanswered."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import queue
import threading
from concurrent.futures import CancelledError, Future
from typing import Final

from litemem.mcp.messages import PARSE_ERROR, Message, Refusal, is_id, read_message
from litemem.mcp.wire import Wire

logger = logging.getLogger(__name__)

MAX_LINE: Final = 4_000_000  # bytes of a message
_READ: Final = 65_536
LAST_ANSWERS_S: Final = 3.0


class Lines:
    """
    What the SDK reads from and writes to.

    Iterating gives a client's messages. When the client closes its side, the iteration ends as soon
    as what it asked is answered, or after a few seconds. What is no message is answered here: the
    SDK would leave its client waiting.

    Made and used in one event loop.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._over = asyncio.get_running_loop().create_future()
        self._incoming: asyncio.Queue[bytes | None] = asyncio.Queue(64)
        self._asked = set[str | int]()
        self._all_answered = asyncio.Event()
        self._outgoing = queue.SimpleQueue[tuple[bytes, Future[bool]]]()

    def start(self) -> None:
        """Begin to read and write; nothing can end these threads while they wait: a process may."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop,), name="mcp-stdin", daemon=True).start()
        threading.Thread(target=self._write, name="mcp-stdout", daemon=True).start()

    def end(self) -> None:
        """Give no more messages, and wait for nothing any more; may be called again."""
        if not self._over.done():
            self._over.set_result(None)
        while not self._incoming.empty():
            self._incoming.get_nowait()
        self._incoming.put_nowait(None)
        self._all_answered.set()

    def __aiter__(self) -> Lines:
        return self

    async def __anext__(self) -> str:
        while (line := await self._incoming.get()) is not None:
            if not line.strip():
                continue
            message = _message(line)
            if not isinstance(message, Refusal):
                self._note(message)
                return line.decode()
            if message.is_answer:  # an error to that might be answered with another, and so on
                logger.warning("an answer of the client was left out: %s", message.why)
            else:
                await self._send(f"{message}\n")
        await self._answers()
        raise StopAsyncIteration

    async def write(self, text: str) -> None:
        """Send a message; what it answers is no longer waited for."""
        await self._send(text)
        answered = json.loads(text)
        if "method" not in answered:
            self._answer(answered.get("id"))

    async def flush(self) -> None:
        """Do nothing: a message is sent at once."""

    def _note(self, message: Message) -> None:
        """Keep in mind what a message asks, or takes back."""
        id_ = message.get("id")
        if message.get("method") == "notifications/cancelled":
            self._answer((message.get("params") or {}).get("requestId"))
        elif "method" in message and id_ is not None:
            self._asked.add(id_)

    def _answer(self, id_: object) -> None:
        if is_id(id_):
            self._asked.discard(id_)
        if not self._asked:
            self._all_answered.set()

    async def _answers(self) -> None:
        if self._asked and not self._over.done():
            self._all_answered.clear()
            try:
                await asyncio.wait_for(self._all_answered.wait(), LAST_ANSWERS_S)
            except TimeoutError:
                return

    async def _send(self, text: str) -> None:
        sent = Future[bool]()
        self._outgoing.put((text.encode(), sent))
        done = asyncio.wrap_future(sent)
        await asyncio.wait((done, self._over), return_when=asyncio.FIRST_COMPLETED)
        if not done.done():
            done.cancel()  # whenever it ends, nobody waits for it any more
        elif not done.result():
            self.end()

    def _write(self) -> None:
        while True:
            data, sent = self._outgoing.get()
            if sent.set_running_or_notify_cancel():
                sent.set_result(self._wire.write(data))

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        rest = bytearray()
        try:
            while data := os.read(self._wire.reads, _READ):
                *lines, tail = data.split(b"\n")
                for line in lines:
                    _put(loop, self._incoming, bytes(rest + line)[: MAX_LINE + 1])
                    rest.clear()
                if len(rest) <= MAX_LINE:  # what is longer is refused at its end
                    rest += tail
            if rest:
                _put(loop, self._incoming, bytes(rest))
            _put(loop, self._incoming, None)
        except (OSError, RuntimeError, CancelledError):
            return  # the descriptor failed, or the loop has ended before us


def _put(
    loop: asyncio.AbstractEventLoop, queue: asyncio.Queue[bytes | None], line: bytes | None
) -> None:
    """Hand a line over, and wait while there is no room. Raises RuntimeError, CancelledError."""
    putting = queue.put(line)
    try:
        put = asyncio.run_coroutine_threadsafe(putting, loop)
    except RuntimeError:
        putting.close()
        raise
    put.result()


def _message(line: bytes) -> Message | Refusal:
    if len(line) > MAX_LINE:
        return Refusal(code=PARSE_ERROR, why=f"a message has at most {MAX_LINE} bytes")
    return read_message(line)
