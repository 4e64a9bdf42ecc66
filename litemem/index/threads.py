"""Of which thread each row is, kept in memory: looking thousands up takes a search 1 to 3 ms."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import apsw

from litemem.index.changes import changed, is_writing, mark
from litemem.index.connection import fetch
from litemem.index.filters import carray

_ALL: Final = "select rowid, thread from doc indexed by doc_thread where state = 0"
_SOME: Final = """
select doc.rowid, thread from carray(?) as wanted cross join doc on doc.rowid = wanted.value
"""
_UNKNOWN: Final = 0


class _State(NamedTuple):
    made: str  # which file
    seq: int  # the last change that was seen


class Threads:
    """
    The threads of one index's rows; made once a process and used by all its threads.

    What was looked up once is kept, at 4 bytes a row, and follows the file.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._state = _State("", 0)
        self._known = array("i")  # by rowid

    def load(self, db: apsw.Connection) -> None:
        """Look up all current rows: 25 ms for 100,000."""
        self._follow(db)
        self._keep(db, fetch(db, _ALL))

    def of(self, db: apsw.Connection, rowids: Sequence[int]) -> list[int]:
        """Return the thread of each of these rows; 0 for one that isn't there."""
        known = array("i") if is_writing(db) else self._follow(db)
        n = len(known)
        found = [known[row] if row < n else _UNKNOWN for row in rowids]
        if _UNKNOWN not in found:
            return found
        unknown = [row for row, thread in zip(rowids, found, strict=True) if not thread]
        threads = dict(db.execute(_SOME, (carray(unknown),)))
        self._keep(db, threads.items())
        return [thread or threads.get(row, 0) for row, thread in zip(rowids, found, strict=True)]

    def _follow(self, db: apsw.Connection) -> array[int]:
        """Forget what changed since the last look; return what is known."""
        made, seq = mark(db)
        with self._lock:
            rows = changed(db, self._state.seq, seq) if made == self._state.made else None
            if rows is None:
                self._known, rows = array("i"), []
            for row in rows:
                if row < len(self._known):
                    self._known[row] = _UNKNOWN
            self._state = _State(made, seq)
            return self._known

    def _keep(self, db: apsw.Connection, found: Iterable[tuple[int, int]]) -> None:
        """Keep (row, thread) for later, unless another search has seen a newer state."""
        with self._lock:
            if is_writing(db) or mark(db) != self._state:
                return
            missing = max((row for row, _ in found), default=-1) + 1 - len(self._known)
            self._known.extend([_UNKNOWN] * missing)
            for row, thread in found:
                self._known[row] = thread
