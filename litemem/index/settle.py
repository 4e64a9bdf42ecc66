"""Which facts answer for their chains: applied to the rows that a change touched."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import apsw

from litemem.index.connection import fetch
from litemem.index.docs import moment
from litemem.index.filters import carray
from litemem.index.place import Given, enter, leave, rows_where
from litemem.index.rows import Stored, path_of
from litemem.index.schema import CURRENT, DUPLICATE, SUPERSEDED
from litemem.index.vectors import Centres
from litemem.text.chains import Link, Resolution, resolve

_BY: Final = """
select doc.rowid, state, doc.id, replaces, at, line, path
from doc join scope on scope.id = doc.scope join source on source.id = doc.source
where kind = 0 and owner = :owner and {column} in (select value from carray(:ids))
"""
_BY_ID: Final = _BY.format(column="doc.id")
_BY_REPLACES: Final = _BY.format(column="replaces")
_SET_STATE: Final = "update doc set state = ? where rowid = ?"


class Linked(NamedTuple):
    """A fact's row, as its chain sees it."""

    rowid: int
    state: int
    id: str
    replaces: str | None
    at: int | None
    line: int
    path: str

    @property
    def order(self) -> tuple[str, int, int]:
        """What decides which of two lines with one id counts."""
        return self.path, self.line, self.rowid

    @property
    def link(self) -> Link:
        """Its place in the chain."""
        at = moment(self.at or 0)
        return Link(id=self.id, replaces=self.replaces, at=at, order=self.order)


def linked(db: apsw.Connection, owner: int, ids: Iterable[str]) -> list[Linked]:
    """Return a user's facts that are linked with these ids through any number of `replaces`."""
    found: dict[int, Linked] = {}
    known: set[str] = set()
    wanted = set(ids)
    while wanted:
        known |= wanted
        bindings = {"owner": owner, "ids": apsw.carray(tuple(wanted))}
        rows = [_linked(row) for sql in (_BY_ID, _BY_REPLACES) for row in fetch(db, sql, bindings)]
        found |= {row.rowid: row for row in rows}
        wanted = {row.id for row in rows} | {row.replaces for row in rows if row.replaces}
        wanted -= known
    return list(found.values())


def settle(
    db: apsw.Connection, centres: Centres, owner: int, ids: Iterable[str], given: Given
) -> None:
    """Make current what answers for its chain, and nothing else, among the chains of these ids."""
    rows = linked(db, owner, ids)
    resolution = resolve([row.link for row in rows])
    doubles = {link.order for link in resolution.duplicates}
    entering: list[int] = []
    leaving: dict[int, list[int]] = {SUPERSEDED: [], DUPLICATE: []}
    others: list[tuple[int, int]] = []
    for row in rows:
        state = DUPLICATE if row.order in doubles else _state(row.id, resolution)
        if state == row.state:
            continue
        if state == CURRENT:
            entering.append(row.rowid)
        elif row.state == CURRENT:
            leaving[state].append(row.rowid)
        else:
            others.append((state, row.rowid))
    enter(db, centres, owner, _full(db, entering), given)
    for state, rowids in leaving.items():
        leave(db, centres, owner, _full(db, rowids), state)
    db.executemany(_SET_STATE, others)


def _linked(row: tuple[Any, ...]) -> Linked:  # Any: a row of SQLite
    return Linked._make((*row[:-1], path_of(row[-1])))


def _state(id_: str, resolution: Resolution) -> int:
    return SUPERSEDED if id_ in resolution.superseded else CURRENT


def _full(db: apsw.Connection, rowids: list[int]) -> list[Stored]:
    where = "where rowid in (select value from carray(?))"
    return rows_where(db, where, (carray(rowids),)) if rowids else []
