"""One open home folder: its settings, index, embedder and write lock."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from litemem.errors import ModelError
from litemem.files.lock import locked
from litemem.files.note import undo_half
from litemem.index.following import Reader, SourceFile
from litemem.index.store import Index
from litemem.memory.sources import source_files
from litemem.settings import Home, Settings
from litemem.types import Embedder

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime]
RandomBytes = Callable[[int], bytes]
Progress = Callable[[int, int], None]
"""Called with (done, all) while something long goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the caller of `litemem.open` may choose; edges add what the environment says."""

    model: str | None = None  # a name, a folder, "hash" or "none"; chooses for a new home
    embedder: Embedder | None = None  # the caller's own, instead of a model
    threads: int = 0  # of the model; 0 is one a core
    time_zone: str = "UTC"  # for a new home
    readers: tuple[Reader, ...] = ()  # see Followed
    environ: Mapping[str, str] = field(default_factory=dict)  # LITEMEM_MODEL, for a new home


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """The source files of a home, and how they're read."""

    home: Home
    zone: tzinfo
    readers: tuple[Reader, ...] = ()  # of what isn't memory's own: transcripts, sessions

    def files(self, user: str) -> Iterator[SourceFile]:
        """Find the files that one user's rows come from; NOBODY for `global/`."""
        return source_files(self.home, user, self.readers)


@dataclass(slots=True, kw_only=True)
class Workspace:
    """
    What every operation on one home needs.

    The write lock is one for the whole home: a write is short (texts are embedded before it is
    taken), and one lock can't deadlock.
    """

    home: Home
    settings: Settings
    zone: tzinfo
    followed: Followed
    index: Index
    options: Options
    embedders: Embedders
    clock: Clock
    rng: RandomBytes
    _thread_lock: threading.RLock = field(default_factory=threading.RLock)
    _depth: int = 0

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the home's write lock, against other threads and processes; may be nested."""
        with self._thread_lock:
            self._depth += 1
            try:
                if self._depth > 1:
                    yield
                else:
                    with locked(self.home.lock):
                        undo_half(self.home.note)
                        yield
            finally:
                self._depth -= 1

    def close(self) -> None:
        """Close the index; a second call does nothing."""
        self.index.close()


class Embedders:
    """Starts the home's embedder at its first use, once, and remembers why it couldn't."""

    def __init__(self, start: Callable[[], Embedder | None]) -> None:
        self._start, self._lock = start, threading.Lock()
        self._embedder: Embedder | None = None
        self._started = False
        self.trouble: str | None = None

    def get(self) -> Embedder | None:
        """Return the embedder, or None where the home has none or it can't start (see trouble)."""
        with self._lock:
            if not self._started:
                try:
                    self._embedder = self._start()
                    self.trouble = None if self._embedder else "this home has no embedding model"
                except ModelError as error:
                    logger.warning("keyword search only: %s", error)
                    self.trouble = str(error)
                self._started = True
            return self._embedder

    def required(self) -> Embedder:
        """Return the embedder. Raises ModelError where there is none."""
        found = self.get()
        if found is None:
            raise ModelError(self.trouble or "this home has no embedding model")
        return found
