"""Of which thread each row is, kept in memory: thousands of them are asked for."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Sequence
from typing import Final

import apsw

from litemem.index.changes import changed, is_writing, mark
from litemem.index.filters import carray

_ALL: Final = "select rowid, thread from doc indexed by doc_thread where state = 0"
_SOME: Final = """
select doc.rowid, thread from carray(?) as wanted cross join doc on doc.rowid = wanted.value
"""
_ENDS: Final = "select (select min(rowid) from doc), (select max(rowid) from doc)"
_UNKNOWN: Final = 0

FEW: Final = 0.2  # share of rows that may have come since before all are looked up again


class _Loaded:
    """The threads of rows of one file, and the last change that they have seen."""

    def __init__(self, made: str = "", seq: int = 0, first: int = 0, end: int = 0) -> None:
        self.made, self.seq = made, seq
        self._first, self.end = first, end
        self._threads = array("i", bytes(array("i").itemsize * (end - first)))

    def put(self, row: int, thread: int) -> None:
        """Note the thread of a row; of one that came later nothing is kept."""
        if 0 <= row - self._first < len(self._threads):
            self._threads[row - self._first] = thread

    def of(self, rowids: Sequence[int]) -> list[int]:
        first, threads = self._first, self._threads
        n = len(threads)
        return [threads[i] if 0 <= (i := row - first) < n else _UNKNOWN for row in rowids]


class Threads:
    """
    The threads of one index's rows; made once a process and used by all its threads.

    Until they are loaded, and for rows that came or changed since, the file is asked.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded = _Loaded()

    def load(self, db: apsw.Connection) -> None:
        """Look up all rows, unless most are known: 25 ms for 100,000, and 4 bytes a row."""
        first, last = db.execute(_ENDS).get
        if first is None or (last - first + 1) * (1 - FEW) < self._follow(db).end - first:
            return
        loaded = _Loaded(*mark(db), first, last + 1)
        for row, thread in db.execute(_ALL):
            loaded.put(row, thread)
        with self._lock:
            self._loaded = loaded

    def of(self, db: apsw.Connection, rowids: Sequence[int]) -> list[int]:
        """Return the thread of each of these rows; 0 for one that isn't there."""
        found = self._follow(db).of(rowids)
        if _UNKNOWN not in found:
            return found
        unknown = [row for row, thread in zip(rowids, found, strict=True) if thread == _UNKNOWN]
        threads = dict(db.execute(_SOME, (carray(unknown),)))
        return [thread or threads.get(row, 0) for row, thread in zip(rowids, found, strict=True)]

    def _follow(self, db: apsw.Connection) -> _Loaded:
        """Forget what changed since the last look; return what is known."""
        if is_writing(db):
            return _Loaded()
        made, seq = mark(db)
        with self._lock:
            loaded = self._loaded
            rows = changed(db, loaded.seq, seq) if made == loaded.made else None
            if rows is None:
                self._loaded = _Loaded(made, seq)
                return self._loaded
            for row in rows:
                loaded.put(row, _UNKNOWN)
            if seq < loaded.seq:  # of a search that began before a change
                return _Loaded()
            loaded.seq = seq
            return loaded
