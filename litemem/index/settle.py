"""Which facts answer for their chains: applied to the rows that a change touched."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import apsw

from litemem.index.docs import moment
from litemem.index.filters import carray
from litemem.index.place import Given, enter, leave
from litemem.index.rows import COLUMNS, Row, Stored, path_of
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
_FULL: Final = f"""
select rowid, state, vector, {COLUMNS} from doc where rowid in (select value from carray(?))
"""


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
    def link(self) -> Link:
        """Its place in the chain."""
        order = (self.path, self.line, self.rowid)
        return Link(id=self.id, replaces=self.replaces, at=moment(self.at or 0), order=order)


def linked(db: apsw.Connection, owner: int, ids: Iterable[str]) -> list[Linked]:
    """Return a user's facts that are linked with these ids through any number of `replaces`."""
    found: dict[int, Linked] = {}
    known: set[str] = set()
    wanted = set(ids)
    while wanted:
        known |= wanted
        bindings = {"owner": owner, "ids": apsw.carray(tuple(wanted))}
        for sql in (_BY_ID, _BY_REPLACES):
            for *values, path in db.execute(sql, bindings):
                one = Linked(*values, path_of(path))
                found[one.rowid] = one
        wanted = {one.id for one in found.values()}
        wanted |= {one.replaces for one in found.values() if one.replaces is not None}
        wanted -= known
    return list(found.values())


def states(rows: Iterable[Linked]) -> dict[int, int]:
    """Return what `doc.state` must say of each of these rows, which hold whole chains."""
    by_order = {one.link.order: one for one in rows}
    resolution = resolve([one.link for one in by_order.values()])
    doubles = {link.order for link in resolution.duplicates}
    return {
        one.rowid: _state(one, resolution, duplicate=order in doubles)
        for order, one in by_order.items()
    }


def settle(
    db: apsw.Connection, centres: Centres, owner: int, ids: Iterable[str], given: Given
) -> None:
    """Make current what answers for its chain, and nothing else, among the chains of these ids."""
    rows = linked(db, owner, ids)
    wanted = states(rows)
    entering = [one.rowid for one in rows if one.state != wanted[one.rowid] == CURRENT]
    enter(db, centres, owner, _full(db, entering), given)
    for state in (SUPERSEDED, DUPLICATE):
        changed = [one for one in rows if one.state != wanted[one.rowid] == state]
        leaving = [one.rowid for one in changed if one.state == CURRENT]
        leave(db, centres, owner, _full(db, leaving), state)
        others = [(state, one.rowid) for one in changed if one.state != CURRENT]
        db.executemany("update doc set state = ? where rowid = ?", others)


def _state(one: Linked, resolution: Resolution, *, duplicate: bool) -> int:
    if duplicate:
        return DUPLICATE
    return SUPERSEDED if one.id in resolution.superseded else CURRENT


def _full(db: apsw.Connection, rowids: list[int]) -> list[Stored]:
    if not rowids:
        return []
    return [
        Stored(rowid, state, vector, Row(*columns))
        for rowid, state, vector, *columns in db.execute(_FULL, (carray(rowids),))
    ]
