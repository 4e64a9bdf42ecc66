"""A thread beside a search's own, for what leaves Python's lock alone while it runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

T = TypeVar("T")


class Aside:
    """One thread, begun when there is first work for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: ThreadPoolExecutor | None = None
        self._closed = False

    def begin(self, work: Callable[[], T]) -> Callable[[], T]:
        """
        Begin work that something else can be done beside; return what gives its result.

        Where it hasn't been begun when its result is wanted, as on a busy machine, the caller's own
        thread does it.
        """
        with self._lock:
            if self._closed:
                return work
            if self._thread is None:
                from concurrent.futures import ThreadPoolExecutor  # 4 ms

                self._thread = ThreadPoolExecutor(1, "litemem-aside")
            try:
                future = self._thread.submit(work)
            except RuntimeError:  # the process has no more threads, or it ends
                return work
        return lambda: work() if future.cancel() else future.result()

    def close(self) -> None:
        """End the thread when it's done; from then on the caller's does the work."""
        with self._lock:
            self._closed = True
            if self._thread is not None:
                self._thread.shutdown(wait=False)
