"""One open home, shared by the async classes: opened once, on the owner thread."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import TypeVar

from litemem.aio.worker import Worker
from litemem.errors import Closed, IndexDamaged
from litemem.memory.memory import Memory
from litemem.memory.opening import heal
from litemem.memory.search import Results
from litemem.memory.store import FactStore
from litemem.memory.workspace import Workspace

T = TypeVar("T")

logger = logging.getLogger(__name__)


class Core:
    """The synchronous core of an open home; used from the worker's threads alone."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.facts = memory, FactStore(memory.space)
        self._of_user, self._lock = {memory.user_id: memory}, threading.RLock()

    @property
    def space(self) -> Workspace:
        """The open home."""
        return self.memory.space

    def do(self, work: Callable[[Core], T]) -> T:
        """Do work; where the index turns out to be gone or damaged, build it anew and try again."""
        index = self.space.index
        try:
            return work(self)
        except IndexDamaged as error:
            with self._lock:
                if self.space.index is index:  # nobody else was quicker
                    heal(self.space, error)
            return work(self)

    def of(self, user_id: str) -> Memory:
        """Return one user's memory. Raises InvalidName."""
        with self._lock:
            if user_id not in self._of_user:
                opened = self.facts.user(user_id)
                self._of_user[user_id] = self.memory.for_user(user_id, opened=opened)
            return self._of_user[user_id]


class OpenHome:
    """Opens a home at its first use, and runs what is asked of it off the event loop."""

    def __init__(self, start: Callable[[], Memory]) -> None:
        self._start = start
        self._worker = Worker()
        self._core: Core | None = None
        self._closed = False
        self._working = 0  # bodies of `at_work`
        self._idle: asyncio.Event | None = None  # for who waits for their end

    @property
    def core(self) -> Core | None:
        """The open home; None before it is opened and after it is closed."""
        return self._core

    async def write(self, work: Callable[[Core], T]) -> T:
        """Do work on the owner thread, in the order that was asked."""
        return await self._worker.run(lambda: self._opened().do(work))

    async def read(self, work: Callable[[Core], T]) -> T:
        """Do work that only reads, beside the owner thread."""
        core = await self._worker.run(self._opened) if self._core is None else self._core
        return await self._worker.read(lambda: core.do(work))

    async def search(self, user: str, work: Callable[[Core], Results]) -> Results:
        """Do a search, and count afterwards that this user's facts among its hits were recalled."""
        results = await self.read(work)
        self.later(lambda core: core.facts.record_use(results, user))
        return results

    def call(self, work: Callable[[Core], T]) -> T:
        """Do work on the owner thread and wait for it, without an event loop."""
        return self._worker.submit(lambda: self._opened().do(work)).result()

    def later(self, work: Callable[[Core], None]) -> None:
        """Do work on the owner thread that nobody waits for; its failure is logged."""
        with suppress(Closed):  # it was closed meanwhile
            self._worker.submit(lambda: self._opened().do(work)).add_done_callback(_log_failure)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Let `close` wait for the body, which asks for several things in turn. Raises Closed."""
        if self._closed:
            raise Closed("this memory is closed; open it again to go on")
        self._working += 1
        try:
            yield
        finally:
            self._working -= 1
            if not self._working and self._idle is not None:
                self._idle.set()

    async def close(self) -> None:
        """Finish what was asked and close the home; a second call does nothing."""
        if not self._closed:
            self._closed = True
            if self._working:
                self._idle = asyncio.Event()
                await self._idle.wait()
            await self._worker.run(self._close)
            await self._worker.aclose()

    def _opened(self) -> Core:
        if self._core is None:
            if self._closed:
                raise Closed("this memory is closed; open it again to go on")
            self._core = Core(self._start())
        return self._core

    def _close(self) -> None:
        if self._core is not None:
            self._core.memory.close()
            self._core = None


def _log_failure(done: Future[None]) -> None:
    if not done.cancelled() and (error := done.exception()) is not None:
        logger.warning("work in the background failed: %s", error)
