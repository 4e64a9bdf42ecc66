"""Rows and their vectors: which are missing, storing them, and the mean of each partition."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any, Final

import apsw

from litemem.errors import InvalidVector
from litemem.index.connection import fetch
from litemem.index.rows import Row, Stored, embedded_key
from litemem.index.schema import NO_TIME, PENDING, STORED, UNEMBEDDABLE, part_of
from litemem.types import Vector

SCALE: Final = 1 << 20
CHANGES_KEPT: Final = 16_384
_TRIMMED: Final = 1_024  # at a time
# Added and taken away again, it leaves a number rounded to a multiple of 2^-20.
_ROUNDER: Final = 1.5 * 2**32

_PENDING: Final = """
select rowid, head || text from doc where state = 0 and vector = 0
order by at desc, rowid desc limit :limit
"""
_TWIN: Final = """
select rowid, vector from doc
where text_key = :key and vector != 0 and head || text = :text limit 1
"""
_WAITING: Final = """
select doc.rowid, doc.kind, doc.scope, doc.at, scope.owner
from doc join scope on scope.id = doc.scope
where text_key = (select text_key from doc where rowid = :rowid)
    and head || text = (select head || text from doc where rowid = :rowid)
    and state = 0 and vector = 0
"""
_INSERT: Final = "insert into vec(rowid, part, embedding, scope, at) values(?, ?, ?, ?, ?)"
_DELETE: Final = "delete from vec where rowid = ?"
_MOVE: Final = "update vec set scope = ?, at = ? where rowid = ?"
_EMBEDDING: Final = "select embedding from vec where rowid = ?"
_CHANGED: Final = "insert into vector_change(row) values(?)"
_CENTRE: Final = "select n, total from centre where part = ?"


class Effects:
    """What a transaction changes beside the vectors: the partitions' sums, and the list of rows."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._sums: dict[int, tuple[int, list[float]]] = {}
        self._rows: list[int] = []

    def came(self, rowid: int, part: int, vector: bytes) -> None:
        """Count a vector in."""
        n, total = self._of(part)
        r = _ROUNDER
        total = [t + (x + r - r) for t, x in zip(total, _floats(vector), strict=True)]
        self._sums[part] = n + 1, total
        self._rows.append(rowid)

    def left(self, rowid: int, part: int, vector: bytes) -> None:
        """Count a vector out."""
        n, total = self._of(part)
        r = _ROUNDER
        total = [t - (x + r - r) for t, x in zip(total, _floats(vector), strict=True)]
        self._sums[part] = n - 1, total
        self._rows.append(rowid)

    def moved(self, rowid: int) -> None:
        """Note that a row has another chat, time or thread."""
        self._rows.append(rowid)

    def save(self, db: apsw.Connection) -> None:
        """Write it all."""
        for part, (change, total) in self._sums.items():
            found = fetch(db, _CENTRE, (part,))
            n, blob = found[0] if found else (0, bytes(8 * self._dimension))
            sums = _little(array("q", blob))
            sums = array("q", [s + int(t * SCALE) for s, t in zip(sums, total, strict=True)])
            if n + change:
                blob = _little(sums).tobytes()
                db.execute("replace into centre values(?, ?, ?)", (part, n + change, blob))
            else:
                db.execute("delete from centre where part = ?", (part,))
        if self._rows:
            db.executemany(_CHANGED, ((rowid,) for rowid in self._rows))
            last = db.last_insert_rowid()
            if last % _TRIMMED < len(self._rows):
                db.execute("delete from vector_change where seq <= ?", (last - CHANGES_KEPT,))

    def _of(self, part: int) -> tuple[int, list[float]]:
        return self._sums.get(part) or (0, [0.0] * self._dimension)


def check(vector: bytes, dimension: int) -> None:
    """Refuse a vector that would spoil a scan. Raises InvalidVector."""
    if len(vector) != 4 * dimension:
        msg = f"a vector of this index has {dimension} numbers, not {len(vector) / 4:g}"
        raise InvalidVector(msg)
    values = _floats(vector)
    if not isfinite(sum(values)) or not any(values):
        msg = "a vector must be finite and not all zeros"
        raise InvalidVector(msg)


def is_sound(vector: bytes) -> bool:
    """Say whether a vector has unit length; one that lay on a damaged page hasn't."""
    values = _floats(vector)
    return abs(sum(value * value for value in values) - 1) < 1e-3  # False for NaN too


def insert(
    db: apsw.Connection, effects: Effects, rows: Sequence[tuple[int, Row, int, Vector]]
) -> None:
    """Store vectors, given as (rowid, row, owner, vector)."""
    bindings: list[tuple[Any, ...]] = []  # Any: what apsw binds
    for rowid, row, owner, vector in rows:
        part = part_of(owner, row.kind)
        effects.came(rowid, part, vector)
        bindings.append((rowid, part, vector, row.scope, _time(row.at)))
    db.executemany(_INSERT, bindings)


def delete(db: apsw.Connection, effects: Effects, owner: int, rows: Iterable[Stored]) -> None:
    """Remove the vectors of rows that have one; sqlite-vec overwrites their bytes."""
    for stored in rows:
        if stored.vector == STORED:
            vector = db.execute(_EMBEDDING, (stored.rowid,)).get
            effects.left(stored.rowid, part_of(owner, stored.row.kind), vector)
            db.execute(_DELETE, (stored.rowid,))


def move(db: apsw.Connection, effects: Effects, rowid: int, old: Row, new: Row) -> None:
    """Let the vector of a row follow its chat and time."""
    if (old.scope, old.at) != (new.scope, new.at):
        db.execute(_MOVE, (new.scope, _time(new.at), rowid))
        effects.moved(rowid)


def twin(db: apsw.Connection, key: int, row: Row) -> tuple[int, Vector | None]:
    """Return what `doc.vector` must say of a row, and its vector, if another row has it."""
    found = fetch(db, _TWIN, {"key": key, "text": row.head + row.text})
    if not found:
        return PENDING, None
    rowid, vector = found[0]
    if vector == UNEMBEDDABLE:
        return UNEMBEDDABLE, None
    return STORED, Vector(db.execute(_EMBEDDING, (rowid,)).get)


def cached(db: apsw.Connection, texts: Iterable[str]) -> dict[str, Vector]:
    """Return the vectors of those texts (head and text joined) that some row has."""
    found: dict[str, Vector] = {}
    for text in texts:
        for rowid, vector in fetch(db, _TWIN, {"key": embedded_key(text), "text": text}):
            if vector == STORED:
                found[text] = Vector(db.execute(_EMBEDDING, (rowid,)).get)
    return found


def pending(db: apsw.Connection, limit: int) -> list[tuple[int, str]]:
    """Return (rowid, text to embed) of rows without a vector, newest first, each text once."""
    texts: dict[str, int] = {}
    for rowid, text in fetch(db, _PENDING, {"limit": limit}):
        texts.setdefault(text, rowid)
    return [(rowid, text) for text, rowid in texts.items()]


def put(db: apsw.Connection, dimension: int, found: Iterable[tuple[int, Vector | None]]) -> int:
    """Store the vectors of pending rows, and of all other pending rows with the same text."""
    effects = Effects(dimension)
    done = 0
    for rowid, vector in found:
        if vector is not None:
            check(vector, dimension)
        state = UNEMBEDDABLE if vector is None else STORED
        for waiting, kind, scope, at, owner in fetch(db, _WAITING, {"rowid": rowid}):
            if vector is not None:
                part = part_of(owner, kind)
                effects.came(waiting, part, vector)
                db.execute(_INSERT, (waiting, part, vector, scope, _time(at)))
            db.execute("update doc set vector = ? where rowid = ?", (state, waiting))
            done += 1
    effects.save(db)
    return done


def _time(at: int | None) -> int:
    return NO_TIME if at is None else at


def _floats(vector: bytes) -> array[float]:
    return _little(array("f", vector))


def _little(numbers: array[Any]) -> array[Any]:  # Any: of whichever kind
    if sys.byteorder == "big":  # pragma: no cover  (no machine we have)
        numbers.byteswap()
    return numbers
