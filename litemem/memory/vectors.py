"""Give rows their vectors: at once for who waits, or beside a process's other work."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from litemem.errors import EmbedError, FileTrouble, IndexTrouble
from litemem.index.store import Index
from litemem.memory.workspace import Progress, Workspace
from litemem.types import Embedder

logger = logging.getLogger(__name__)

_BATCH = 256  # rows: sorted by length inside, so that short and long texts don't pad each other
_SMALL_BATCH = 16  # beside searches: about 0.2 s of the default model on one core


def fill(
    index: Index,
    embedder: Embedder,
    *,
    batch: int = _BATCH,
    progress: Progress | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> int:
    """
    Embed the rows that have no vector, newest first; return how many got one.

    Each batch is stored at once, so a killed process loses one batch; the first ones are small, so
    that searches soon have some vectors. Raises EmbedError; what was stored before it stays.
    """
    stored, size = 0, min(batch, _SMALL_BATCH)
    while not stop():
        pending = index.pending(size)
        if not pending:
            break
        if progress is not None and not stored:
            progress(*index.progress())  # the first batch may take seconds
        texts = [text for _, text in pending]
        vectors = embedder.embed_passages(texts)
        index.put_vectors(
            [(key, vector) for (key, _), vector in zip(pending, vectors, strict=True)]
        )
        stored += len(pending)
        size = min(batch, 2 * size)
        if progress is not None:
            progress(*index.progress())
    return stored


class Filler:
    """A thread that fills in vectors while its process does other work."""

    def __init__(self, space: Workspace) -> None:
        self._space, self._stop = space, threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self.trouble: str | None = None

    def start(self) -> None:
        """Fill in what is missing; does nothing while it's at it."""
        with self._lock:
            if self._stop.is_set() or (self._thread and self._thread.is_alive()):
                return
            self._thread = threading.Thread(target=self._run, name="litemem-vectors", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop after the batch at hand."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        embedder = self._space.embedders.get()
        if embedder is None:
            return
        try:
            fill(self._space.index, embedder, batch=_SMALL_BATCH, stop=self._stop.is_set)
        except (EmbedError, IndexTrouble, FileTrouble) as error:
            self.trouble = str(error)
            logger.warning("vectors stay incomplete: %s", error)


def make_ready(
    space: Workspace, filler: Filler, *, wait: bool, progress: Progress | None = None
) -> None:
    """Give rows their vectors before a search, or let a thread do so beside it."""
    if space.index.read_only or not space.index.pending(1):
        return
    if not wait:
        filler.start()
    elif (embedder := space.embedders.get()) is not None:
        try:
            fill(space.index, embedder, progress=progress)
        except EmbedError as error:
            # The search goes on with what there is, and its note says what is missing.
            logger.warning("rows stay without vectors: %s", error)
