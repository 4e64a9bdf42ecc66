"""Rows and their vectors: which are missing, storing them, and the mean of each partition."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any, Final

import apsw

from litemem.errors import InvalidVector
from litemem.index.rows import Row, Stored, joined_key
from litemem.index.schema import NO_TIME, PENDING, STORED, UNEMBEDDABLE, part_of
from litemem.types import Vector

SCALE: Final = 1 << 20
# Added and taken away again, it leaves a number below 2^31 rounded to a multiple of 2^-20.
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
_EMBEDDING: Final = "select embedding from vec where rowid = ?"
_MOVE: Final = "update vec set scope = ?, at = ? where rowid = ?"
_CACHED: Final = """
select vec.embedding from doc join vec on vec.rowid = doc.rowid
where doc.text_key = :key and doc.vector = 1 and doc.head || doc.text = :text limit 1
"""


class Centres:
    """The changes of the partitions' sums in one transaction."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._changes: dict[int, tuple[int, list[float]]] = {}

    def add(self, part: int, vector: bytes, sign: int = 1) -> None:
        """Count a vector in (sign 1) or out (sign -1)."""
        n, total = self._changes.get(part) or (0, [0.0] * self._dimension)
        values = floats(vector)
        r = _ROUNDER
        if sign > 0:
            total = [t + (x + r - r) for t, x in zip(total, values, strict=True)]
        else:
            total = [t - (x + r - r) for t, x in zip(total, values, strict=True)]
        self._changes[part] = n + sign, total

    def save(self, db: apsw.Connection) -> None:
        """Write the sums."""
        for part, (n, total) in self._changes.items():
            changed = [int(t * SCALE) for t in total]
            found = db.execute("select n, total from centre where part = ?", (part,)).fetchall()
            if found:
                n += found[0][0]
                sums = _ints(found[0][1])
                changed = [a + b for a, b in zip(changed, sums, strict=True)]
            if n:
                blob = _little(array("q", changed)).tobytes()
                db.execute("replace into centre values(?, ?, ?)", (part, n, blob))
            else:
                db.execute("delete from centre where part = ?", (part,))
        self._changes.clear()


def floats(vector: bytes) -> array[float]:
    """Return a vector's numbers."""
    return _little(array("f", vector))


def check(vector: bytes, dimension: int) -> None:
    """Refuse a vector that would spoil the scan. Raises InvalidVector."""
    if len(vector) != 4 * dimension:
        msg = f"a vector of this index has {dimension} numbers, not {len(vector) / 4:g}"
        raise InvalidVector(msg)
    values = floats(vector)
    if not isfinite(sum(values)) or not any(values):
        msg = "a vector must be finite and not all zeros"
        raise InvalidVector(msg)


def insert(
    db: apsw.Connection, centres: Centres, rows: Sequence[tuple[int, Row, int, Vector]]
) -> None:
    """Store vectors of (rowid, row, owner, vector)."""
    bindings: list[tuple[Any, ...]] = []  # Any: what apsw binds
    for rowid, row, owner, vector in rows:
        part = part_of(owner, row.kind)
        centres.add(part, vector)
        bindings.append((rowid, part, vector, row.scope, NO_TIME if row.at is None else row.at))
    db.executemany(_INSERT, bindings)


def delete(db: apsw.Connection, centres: Centres, owner: int, rows: Iterable[Stored]) -> None:
    """Remove the vectors of rows that have one; sqlite-vec overwrites their bytes."""
    for stored in rows:
        if stored.vector == STORED:
            vector = db.execute(_EMBEDDING, (stored.rowid,)).get
            centres.add(part_of(owner, stored.row.kind), vector, -1)
            db.execute("delete from vec where rowid = ?", (stored.rowid,))


def move(db: apsw.Connection, rowid: int, old: Row, new: Row) -> None:
    """Let the vector of a row follow its new chat and time."""
    if (old.scope, old.at) != (new.scope, new.at):
        db.execute(_MOVE, (new.scope, NO_TIME if new.at is None else new.at, rowid))


def cached(db: apsw.Connection, texts: Iterable[str]) -> dict[str, Vector]:
    """Return the vectors of those texts (head and text joined) that some row has already."""
    found: dict[str, Vector] = {}
    for text in texts:
        key = joined_key(text)
        for (vector,) in db.execute(_CACHED, {"key": key, "text": text}):
            found[text] = Vector(vector)
    return found


def twin(db: apsw.Connection, key: int, row: Row) -> tuple[int, Vector | None]:
    """Return what `doc.vector` must say of a row, and its vector if another row has it already."""
    found = db.execute(_TWIN, {"key": key, "text": row.head + row.text}).fetchall()
    if not found:
        return PENDING, None
    rowid, vector = found[0]
    if vector == UNEMBEDDABLE:
        return UNEMBEDDABLE, None
    return STORED, Vector(db.execute(_EMBEDDING, (rowid,)).get)


def pending(db: apsw.Connection, limit: int) -> list[tuple[int, str]]:
    """Return (rowid, text to embed) of rows without a vector, newest first, each text once."""
    texts: dict[str, int] = {}
    for rowid, text in db.execute(_PENDING, {"limit": limit}):
        texts.setdefault(text, rowid)
    return [(rowid, text) for text, rowid in texts.items()]


def put(db: apsw.Connection, dimension: int, vectors: Iterable[tuple[int, Vector | None]]) -> int:
    """Store the vectors of pending rows and of all other rows with the same text."""
    centres = Centres(dimension)
    done = 0
    for rowid, vector in vectors:
        if vector is not None:
            check(vector, dimension)
        for waiting, kind, scope, at, owner in db.execute(_WAITING, {"rowid": rowid}).fetchall():
            if vector is not None:
                part = part_of(owner, kind)
                centres.add(part, vector)
                time = NO_TIME if at is None else at
                db.execute(_INSERT, (waiting, part, vector, scope, time))
            state = UNEMBEDDABLE if vector is None else STORED
            db.execute("update doc set vector = ? where rowid = ?", (state, waiting))
            done += 1
    centres.save(db)
    return done


def _ints(blob: bytes) -> array[int]:
    return _little(array("q", blob))


def _little(numbers: array[Any]) -> array[Any]:  # Any: of whichever kind
    if sys.byteorder == "big":  # pragma: no cover  (none of the machines we build for)
        numbers.byteswap()
    return numbers
