"""Rows into and out of the keyword and vector tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import apsw

from litemem.index import vectors
from litemem.index.rows import Row, Stored, text_key, words_of
from litemem.index.schema import OWN_VECTOR, STORED
from litemem.index.vectors import Centres
from litemem.types import Vector

_ENTER = "update doc set state = 0, vector = ?, text_key = ? where rowid = ?"
_LEAVE = "update doc set state = ?, vector = 0, text_key = ? where rowid = ?"
_ADD_WORDS = "insert into words(rowid, scope, text) values(?, ?, ?)"
_DROP_WORDS = "insert into words(words, rowid, scope, text) values('delete', ?, ?, ?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The vectors that came with new rows, by rowid."""

    vectors: Mapping[int, Vector]
    own: frozenset[int] = frozenset()  # a caller's: no other row may copy them


NONE_GIVEN = Given(vectors={})


def enter(
    db: apsw.Connection, centres: Centres, owner: int, rows: Sequence[Stored], given: Given
) -> None:
    """Make rows current: found by their words, and by their vector where there is one."""
    db.executemany(_ADD_WORDS, ((one.rowid, *words_of(one.row, owner)) for one in rows))
    states = []
    with_vector = []
    for one in rows:
        key = text_key(one.row)
        vector = given.vectors.get(one.rowid)
        state = STORED
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
    """Make current rows unfindable, as superseded or duplicate ones."""
    withdraw(db, centres, owner, rows)
    db.executemany(_LEAVE, [(state, text_key(one.row), one.rowid) for one in rows])


def withdraw(db: apsw.Connection, centres: Centres, owner: int, rows: Sequence[Stored]) -> None:
    """Take current rows out of the keyword and vector tables."""
    db.executemany(_DROP_WORDS, ((one.rowid, *words_of(one.row, owner)) for one in rows))
    vectors.delete(db, centres, owner, rows)


def reword(db: apsw.Connection, owner: int, pairs: Sequence[tuple[Stored, Row]]) -> None:
    """Follow changed tags, chats and times of current rows whose text stayed."""
    for stored, row in pairs:
        old, new = words_of(stored.row, owner), words_of(row, owner)
        if old != new:
            db.execute(_DROP_WORDS, (stored.rowid, *old))
            db.execute(_ADD_WORDS, (stored.rowid, *new))
        if stored.vector == STORED:
            vectors.move(db, stored.rowid, stored.row, row)
