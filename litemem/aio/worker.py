"""Work of the synchronous core, off the event loop: writes on one thread, reads beside it."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

from litemem.errors import Closed

P = ParamSpec("P")
T = TypeVar("T")

READERS: Final = 2  # a search has its own connection and doesn't queue behind a rebuild


class Worker:
    """
    One owner thread, on which calls run in the order they were made, and threads that only read.

    A caller that is cancelled stops waiting; what has begun finishes, and what hasn't is left out.
    """

    def __init__(self, name: str = "litemem") -> None:
        self._owner = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix=f"{name}_read")
        self._closed = False

    async def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do work on the owner thread, after all that was asked before."""
        return await asyncio.wrap_future(self.submit(work, *args, **kwargs))

    async def read(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do work that only reads, beside the owner thread."""
        return await asyncio.wrap_future(_submit(self._open(self._readers), work, *args, **kwargs))

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Do work on the owner thread, for a caller without an event loop. Raises Closed."""
        return _submit(self._open(self._owner), work, *args, **kwargs)

    def close(self) -> None:
        """Finish what was asked, then end the threads; a second call does nothing."""
        self._closed = True
        self._owner.shutdown()
        self._readers.shutdown()

    async def aclose(self) -> None:
        """Do `close` without holding the event loop up."""
        self._closed = True
        await asyncio.to_thread(self.close)

    def _open(self, pool: ThreadPoolExecutor) -> ThreadPoolExecutor:
        if self._closed:
            raise Closed("this memory is closed; open it again to go on")
        return pool


def _submit(
    pool: ThreadPoolExecutor, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
) -> Future[T]:
    context = contextvars.copy_context()
    return pool.submit(lambda: context.run(work, *args, **kwargs))
