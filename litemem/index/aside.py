"""A thread beside a search's own, for what leaves Python's lock alone while it runs."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

T = TypeVar("T")


class Aside:
    """One thread, begun when there is first work for it; a forked process has its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: ThreadPoolExecutor | None = None
        self._process = 0
        self._closed = False

    def begin(self, work: Callable[[], T]) -> Callable[[], T]:
        """
        Begin work that something else can be done beside; return what gives its result.

        Where it hasn't been begun when its result is wanted, as on a busy machine, the caller's own
        thread does it.
        """
        with self._lock:
            try:
                future = self._submit(work)
            except RuntimeError:  # the system has no more threads, or the program ends
                self._thread = None  # and with it what it couldn't begin
                future = None
        if future is None:
            return work
        return lambda: work() if future.cancel() else future.result()

    def close(self) -> None:
        """End the thread when it's done; from then on the caller's does the work."""
        with self._lock:
            self._closed = True
            if self._thread is not None:
                self._thread.shutdown(wait=False)

    def _submit(self, work: Callable[[], T]) -> Future[T] | None:
        if self._closed:
            return None
        if self._thread is None or self._process != os.getpid():
            from concurrent.futures import ThreadPoolExecutor  # 4 ms

            self._thread, self._process = ThreadPoolExecutor(1, "litemem-aside"), os.getpid()
        return self._thread.submit(work)
