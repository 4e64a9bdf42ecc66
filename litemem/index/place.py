"""Rows into and out of the keyword and vector tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import apsw

from litemem.index import vectors
from litemem.index.connection import fetch
from litemem.index.rows import COLUMNS, Row, Stored, text_key, words_of
from litemem.index.schema import OWN_VECTOR, STORED
from litemem.index.vectors import Centres
from litemem.types import Vector

_ROWS: Final = f"select rowid, state, vector, {COLUMNS} from doc "  # noqa: S608  # a constant
_ENTER: Final = "update doc set state = 0, vector = ?, text_key = ? where rowid = ?"
_LEAVE: Final = "update doc set state = ?, vector = 0, text_key = ? where rowid = ?"
_ADD_WORDS: Final = "insert into words(rowid, text) values(?, ?)"
_DROP_WORDS: Final = "insert into words(words, rowid, text) values('delete', ?, ?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The vectors that came with new rows, by rowid."""

    vectors: Mapping[int, Vector]
    own: frozenset[int] = frozenset()  # a caller's: no other row may copy them


NOTHING_GIVEN: Final = Given(vectors={})


def rows_where(db: apsw.Connection, where: str, bindings: apsw.Bindings) -> list[Stored]:
    """Return the rows that a condition is true of."""
    return [
        Stored(rowid, state, vector, Row(*columns))
        for rowid, state, vector, *columns in fetch(db, _ROWS + where, bindings)
    ]


def enter(
    db: apsw.Connection, centres: Centres, owner: int, rows: Sequence[Stored], given: Given
) -> None:
    """Make rows current: found by their words, and by their vector where there is one."""
    db.executemany(_ADD_WORDS, ((one.rowid, words_of(one.row)) for one in rows))
    states = []
    with_vector = []
    for one in rows:
        key = text_key(one.row)
        state, vector = STORED, given.vectors.get(one.rowid)
        if vector is None:
            state, vector = vectors.twin(db, key, one.row)
        elif one.rowid in given.own:
            key = OWN_VECTOR
        if vector is not None:
            with_vector.append((one.rowid, one.row, owner, vector))
        states.append((state, key, one.rowid))
    vectors.insert(db, centres, with_vector)
    db.executemany(_ENTER, states)


def leave(
    db: apsw.Connection, centres: Centres, owner: int, rows: Sequence[Stored], state: int
) -> None:
    """Make current rows superseded or duplicate ones, which aren't found."""
    withdraw(db, centres, owner, rows)
    db.executemany(_LEAVE, ((state, text_key(one.row), one.rowid) for one in rows))


def withdraw(db: apsw.Connection, centres: Centres, owner: int, rows: Sequence[Stored]) -> None:
    """Take current rows out of the keyword and vector tables."""
    db.executemany(_DROP_WORDS, ((one.rowid, words_of(one.row)) for one in rows))
    vectors.delete(db, centres, owner, rows)


def follow(db: apsw.Connection, pairs: Sequence[tuple[Stored, Row]]) -> None:
    """Let the keyword and vector tables follow current rows whose tags, chat or time changed."""
    for stored, row in pairs:
        old, new = words_of(stored.row), words_of(row)
        if old != new:
            db.execute(_DROP_WORDS, (stored.rowid, old))
            db.execute(_ADD_WORDS, (stored.rowid, new))
        if stored.vector == STORED:
            vectors.move(db, stored.rowid, stored.row, row)
