"""The connections of one open index: a writer, and readers that never wait for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import apsw

from litemem.errors import IndexBusy, IndexDamaged, IndexReadOnly, IndexTrouble
from litemem.index import growth
from litemem.index.connection import (
    BUSY_MS,
    Mode,
    connect,
    free_bytes,
    load_vectors,
    pragma,
    transaction,
    translated,
)
from litemem.index.opening import FINGERPRINT

logger = logging.getLogger(__name__)

_IDLE: Final = 4  # readers kept open
_IN_MEMORY: Final = 1 << 28  # bytes


class Pool:
    """
    Hands out connections to the threads of one process.

    A thread that writes reads what it has written so far. Where another process replaced the file,
    the connections follow it; where it was rebuilt with another model, they refuse.
    """

    def __init__(self, path: Path, mode: Mode, fingerprint: str) -> None:
        self.path, self.mode = path, mode
        self._fingerprint = fingerprint
        self._idle: list[_Reader] = []
        self._made = 0  # readers
        self._guard = threading.Lock()  # of the fields; held for moments
        self._turn = threading.RLock()  # of the writer
        self._writer: apsw.Connection | None = None
        self._writing_thread: int | None = None
        self._closed = False
        self._identity = _identity(path)

    @contextmanager
    def reading(self, *, vectors: bool = True) -> Iterator[apsw.Connection]:
        """Lend a connection that sees one state of the index throughout."""
        if self._writer is not None and self._writing_thread == threading.get_ident():
            yield self._writer
            return
        with translated(self.path):
            reader = self._take()
            try:
                if vectors:
                    reader.load_vectors()
                reader.db.execute("begin")
                self._check(reader.db)
                yield reader.db
                reader.db.execute("rollback")
            except BaseException:
                reader.db.close()
                raise
            self._give_back(reader)

    @contextmanager
    def writing(self, *, patience_ms: int = BUSY_MS) -> Iterator[apsw.Connection]:
        """
        Lend the writer inside a transaction; nested calls of one thread share it.

        An error rolls back what its own call did. Raises IndexReadOnly, and IndexBusy after
        `patience_ms`.
        """
        if self.mode != "write":
            msg = f"{self.path} can't be written; check its owner and permissions"
            raise IndexReadOnly(msg)
        if not self._turn.acquire(timeout=patience_ms / 1000):
            msg = f"{self.path} is being written by another thread; try again later"
            raise IndexBusy(msg)
        outer = self._writing_thread
        try:
            with translated(self.path):
                db = self._open_writer()
                db.set_busy_timeout(patience_ms)
                with transaction(db, nested=outer is not None):
                    self._writing_thread = threading.get_ident()
                    self._check(db)
                    yield db
        finally:
            self._writing_thread = outer
            self._turn.release()

    def compact(self, patience_ms: int, memory_bytes: int = _IN_MEMORY) -> bool:
        """
        Write the file anew and empty its log, so that nothing of deleted rows is left in either.

        A larger file than `memory_bytes` goes by way of a temporary one. Returns False where
        another connection kept it from that for `patience_ms`, or inside a transaction.
        """
        with self._turn, translated(self.path):
            if self._writing_thread is not None:
                return False
            db = self._open_writer()
            db.set_busy_timeout(patience_ms)
            pragma(db, f"temp_store={'memory' if growth.size(db) < memory_bytes else 'file'}")
            try:
                # First, so that a disk that fills up meanwhile leaves nothing in the log that has
                # to find room in the file before the log can be cut.
                db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
                # secure_delete isn't enough: where SQLite moves rows to other pages, it leaves
                # copies in the gaps of the old ones, and these stay when the rows are deleted.
                _vacuum(db)
                db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except (apsw.BusyError, apsw.LockedError):
                return False
        return True

    def compact_if_grown(self, patience_ms: int, least_bytes: int) -> bool:
        """Do `compact` where the file has so many bytes and has doubled since; say if it was."""
        with self.reading(vectors=False) as db:
            if not growth.is_due(db, least_bytes):
                return False
            if not growth.has_room(db, free_bytes(self.path)):
                logger.info("%s isn't written anew: the disk has too little room", self.path)
                return False
        return self.compact(patience_ms, memory_bytes=0)

    def close(self) -> None:
        """Close what is open; readers that are lent out close when they come back."""
        with self._turn, self._guard:
            self._closed = True
            self._close_all()

    def _take(self) -> _Reader:
        with self._guard:
            self._follow()
            if self._idle:
                return self._idle.pop(0)
            self._made += 1
            number = self._made
        return _Reader(connect(self.path, "read" if self.mode == "write" else self.mode), number)

    def _give_back(self, reader: _Reader) -> None:
        with self._guard:
            if not self._closed and len(self._idle) < _IDLE:
                self._idle.append(reader)
                # The oldest is lent first: each one that is used maps much of the file.
                self._idle.sort(key=lambda one: one.number)
                return
        reader.db.close()

    def _open_writer(self) -> apsw.Connection:
        if self._writing_thread is None:
            with self._guard:
                self._follow()
        if self._writer is None:
            self._writer = connect(self.path, "write")
            load_vectors(self._writer)
        return self._writer

    def _check(self, db: apsw.Connection) -> None:
        # A rebuild with another model swaps the rows under open connections: 3 us to be sure.
        if db.execute(FINGERPRINT).get != self._fingerprint:
            msg = f"{self.path} was rebuilt with another model meanwhile; open the home again"
            raise IndexDamaged(msg)

    def _follow(self) -> None:
        """Leave a file that was replaced: its connections would see a state of the past."""
        if self._closed:
            msg = f"{self.path} is closed"
            raise IndexTrouble(msg)
        now = _identity(self.path)
        if now != self._identity:
            self._close_all()
            self._identity = now

    def _close_all(self) -> None:
        for reader in self._idle:
            reader.db.close()
        self._idle.clear()
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def _vacuum(db: apsw.Connection) -> None:
    try:
        db.execute("vacuum")
        growth.note(db)
    except (apsw.FullError, apsw.IOError):
        # What it wrote in vain fills the disk until the log is cut: nobody could write any more.
        with suppress(apsw.Error):
            db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        raise


class _Reader:
    """A connection that learns of vectors when first asked about them."""

    def __init__(self, db: apsw.Connection, number: int) -> None:
        self.db, self.number = db, number
        self._with_vectors = False

    def load_vectors(self) -> None:
        if not self._with_vectors:
            load_vectors(self.db)
            self._with_vectors = True


def _identity(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except FileNotFoundError as error:
        msg = f"{path} was deleted; open the home again to build it anew"
        raise IndexDamaged(msg) from error
    return stat.st_dev, stat.st_ino
