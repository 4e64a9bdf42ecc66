"""Rows into and out of the keyword and vector tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import apsw

from litemem.index import vectors
from litemem.index.connection import fetch
from litemem.index.filters import carray
from litemem.index.rows import COLUMNS, Row, Stored, same_key, text_key, words_of
from litemem.index.schema import CURRENT, OWN_VECTOR, PENDING, STORED
from litemem.index.vectors import Effects
from litemem.types import Vector

_ROWS: Final = f"select rowid, state, vector, {COLUMNS} from doc "  # noqa: S608  # a constant
_BY_ROWID: Final = "where rowid in (select value from carray(?))"
_FIELDS: Final = ", ".join(("source", "state", "vector", "text_key", "same_key", *Row._fields))
_ADD: Final = f"""
insert into doc(rowid, {_FIELDS}) values(?{", ?" * (5 + len(Row._fields))})
"""  # a constant
_ENTER: Final = "update doc set state = 0, vector = ?, text_key = ? where rowid = ?"
_LEAVE: Final = "update doc set state = ?, vector = 0, text_key = ? where rowid = ?"
_ADD_WORDS: Final = "insert into words(rowid, text) values(?, ?)"
_DROP_WORDS: Final = "insert into words(words, rowid, text) values('delete', ?, ?)"
_MERGE: Final = "insert or ignore into merged(id, row) values(?, ?)"
_UNMERGE: Final = "delete from merged where row = ?"


class Fresh(NamedTuple):
    """A row that isn't in the index yet."""

    rowid: int
    source: int
    path: str
    row: Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Vectors that are at hand, by rowid."""

    vectors: Mapping[int, Vector]
    own: frozenset[int] = frozenset()  # a caller's: no other row may copy them


NOTHING_GIVEN: Final = Given(vectors={})


class _Vector(NamedTuple):
    """What a row's columns say of its vector, and the vector."""

    state: int
    key: int
    vector: Vector | None


def rows_where(db: apsw.Connection, where: str, bindings: apsw.Bindings) -> list[Stored]:
    """Return the rows that a condition is true of."""
    return [
        Stored(rowid, state, vector, Row(*columns))
        for rowid, state, vector, *columns in fetch(db, _ROWS + where, bindings)
    ]


def rows_of(db: apsw.Connection, rowids: Sequence[int]) -> list[Stored]:
    """Return the rows with these numbers."""
    return rows_where(db, _BY_ROWID, (carray(rowids),)) if rowids else []


def add(
    db: apsw.Connection,
    effects: Effects,
    owner: int,
    rows: Sequence[tuple[Fresh, int]],
    given: Given,
) -> None:
    """Write new rows with their states; current ones are found at once."""
    found = [(one.rowid, one.row) for one, state in rows if state == CURRENT]
    known = _show(db, effects, owner, found, given)
    # A row in its final state at once costs half of one that is updated.
    bindings = []
    for one, state in rows:
        vector = known.get(one.rowid) or _Vector(PENDING, text_key(one.row), None)
        keys = vector.state, vector.key, same_key(one.row)
        bindings.append((one.rowid, one.source, state, *keys, *one.row))
    db.executemany(_ADD, bindings)
    merge(db, ((one.rowid, one.row) for one, _ in rows))


def merge(db: apsw.Connection, rows: Iterable[tuple[int, Row]]) -> None:
    """Note which facts these rows merge, so that they are found by them."""
    db.executemany(_MERGE, ((id_, rowid) for rowid, row in rows for id_ in row.parents[1:]))


def unmerge(db: apsw.Connection, rows: Iterable[Stored]) -> None:
    """Forget what `merge` noted."""
    db.executemany(_UNMERGE, ((one.rowid,) for one in rows if one.row.merges is not None))


def enter(
    db: apsw.Connection, effects: Effects, owner: int, rows: Sequence[Stored], given: Given
) -> None:
    """Make rows current again."""
    known = _show(db, effects, owner, [(one.rowid, one.row) for one in rows], given)
    states = ((vector.state, vector.key, rowid) for rowid, vector in known.items())
    db.executemany(_ENTER, states)


def leave(
    db: apsw.Connection, effects: Effects, owner: int, rows: Sequence[Stored], state: int
) -> None:
    """Make current rows superseded or duplicate ones, which aren't found."""
    withdraw(db, effects, owner, rows)
    db.executemany(_LEAVE, ((state, text_key(one.row), one.rowid) for one in rows))


def withdraw(db: apsw.Connection, effects: Effects, owner: int, rows: Sequence[Stored]) -> None:
    """Take current rows out of the keyword and vector tables."""
    db.executemany(_DROP_WORDS, ((one.rowid, words_of(one.row)) for one in rows))
    vectors.delete(db, effects, owner, rows)


def follow(db: apsw.Connection, effects: Effects, pairs: Sequence[tuple[Stored, Row]]) -> None:
    """Let the keyword and vector tables follow current rows whose tags, chat or time changed."""
    for stored, row in pairs:
        old, new = words_of(stored.row), words_of(row)
        if old != new:
            db.execute(_DROP_WORDS, (stored.rowid, old))
            db.execute(_ADD_WORDS, (stored.rowid, new))
        if stored.vector == STORED:
            vectors.move(db, effects, stored.rowid, stored.row, row)


def _show(
    db: apsw.Connection,
    effects: Effects,
    owner: int,
    rows: Sequence[tuple[int, Row]],
    given: Given,
) -> dict[int, _Vector]:
    """Put rows into the keyword table, and into the vector table those that have a vector."""
    db.executemany(_ADD_WORDS, ((rowid, words_of(row)) for rowid, row in rows))
    known = {rowid: _vector(db, rowid, row, given) for rowid, row in rows}
    vectors.insert(
        db,
        effects,
        [
            (rowid, row, owner, vector)
            for rowid, row in rows
            if (vector := known[rowid].vector) is not None
        ],
    )
    return known


def _vector(db: apsw.Connection, rowid: int, row: Row, given: Given) -> _Vector:
    """Return the vector that is given for a row, or that another row has of the same text."""
    key = text_key(row)
    vector = given.vectors.get(rowid)
    if vector is not None:
        return _Vector(STORED, OWN_VECTOR if rowid in given.own else key, vector)
    state, vector = vectors.twin(db, key, row)
    return _Vector(state, key, vector)
