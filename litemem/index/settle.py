"""Which facts answer for their chains: applied to the rows that a change touched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import apsw

from litemem.index.connection import fetch
from litemem.index.docs import moment
from litemem.index.place import Fresh, Given, add, enter, leave, rows_of
from litemem.index.rows import parents_of, path_of
from litemem.index.schema import CURRENT, DUPLICATE, FACT, SUPERSEDED
from litemem.index.vectors import Effects
from litemem.text.chains import Link, resolve

_COLUMNS: Final = "doc.rowid, state, doc.id, replaces, merges, at, line, path"
_OURS: Final = "kind = 0 and scope in (select id from scope where owner = :owner)"
# All ways from a fact to the next, in one query, however long the chain: in steps each link costs
# 0.2 ms. `cross join` keeps the order of the joins: the planner would scan `doc`.
_LINKED: Final = f"""
with recursive near(id) as (
    select value from carray(:ids)
    union select replaces from near cross join doc on doc.id = near.id
        where replaces is not null and {_OURS}
    union select doc.id from near cross join doc on doc.replaces = near.id where {_OURS}
    union select merged.id from near cross join doc on doc.id = near.id
        cross join merged on merged.row = doc.rowid where {_OURS}
    union select doc.id from near cross join merged on merged.id = near.id
        cross join doc on doc.rowid = merged.row where {_OURS}
)
select {_COLUMNS} from near cross join doc on doc.id = near.id
    join source on source.id = doc.source
where {_OURS}
"""  # noqa: S608  # a constant
_NEW: Final = -1  # the state of a row that isn't in the index yet
_SET_STATE: Final = "update doc set state = ? where rowid = ?"


class Linked(NamedTuple):
    """A fact's row, as its chain sees it."""

    rowid: int
    state: int
    id: str
    parents: tuple[str, ...]
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
        first = self.parents[0] if self.parents else None
        return Link(id=self.id, replaces=first, merges=self.parents[1:], at=at, order=self.order)


def linked(db: apsw.Connection, owner: int, ids: Iterable[str]) -> list[Linked]:
    """Return a user's facts that are linked with these ids through any number of replacements."""
    wanted = tuple(set(ids))
    if not wanted:
        return []
    bindings = {"owner": owner, "ids": apsw.carray(wanted)}
    return [_linked(row) for row in fetch(db, _LINKED, bindings)]


def settle(
    db: apsw.Connection,
    effects: Effects,
    owner: int,
    ids: Iterable[str],
    fresh: Sequence[Fresh],
    given: Given,
) -> None:
    """
    Add new rows, and make current what answers for its chain, and nothing else.

    Args:
        db: the writer.
        changes: gets what changes in the sums.
        owner: whose rows.
        ids: the facts whose chains a change touched; those of new rows among them.
        fresh: the new rows; those that aren't facts have no chain and are current.
        given: vectors at hand for rows that become current.
    """
    arriving = [_arriving(one) for one in fresh if one.row.kind == FACT]
    rows = [*linked(db, owner, ids), *arriving]
    states = _states(rows)
    add(db, effects, owner, [(one, states.get(one.rowid, CURRENT)) for one in fresh], given)
    changed = [row for row in rows if row.state not in (_NEW, states[row.rowid])]
    entering = [row.rowid for row in changed if states[row.rowid] == CURRENT]
    enter(db, effects, owner, rows_of(db, entering), given)
    for state in (SUPERSEDED, DUPLICATE):
        leaving = [
            one.rowid for one in changed if one.state == CURRENT != states[one.rowid] == state
        ]
        leave(db, effects, owner, rows_of(db, leaving), state)
    others = [row.rowid for row in changed if CURRENT not in (row.state, states[row.rowid])]
    db.executemany(_SET_STATE, ((states[rowid], rowid) for rowid in others))


def _states(rows: Sequence[Linked]) -> dict[int, int]:
    """Return what `doc.state` must say of each of these rows, which hold whole chains."""
    resolution = resolve([row.link for row in rows])
    doubles = {link.order for link in resolution.duplicates}
    return {
        row.rowid: DUPLICATE
        if row.order in doubles
        else SUPERSEDED
        if row.id in resolution.superseded
        else CURRENT
        for row in rows
    }


def _arriving(one: Fresh) -> Linked:
    row = one.row
    return Linked(one.rowid, _NEW, row.id, row.parents, row.at, row.line, one.path)


def _linked(row: tuple[Any, ...]) -> Linked:  # Any: a row of SQLite
    rowid, state, id_, replaces, merges, at, line, path = row
    parents = parents_of(replaces, merges)
    return Linked(rowid, state, id_, parents, at, line, path_of(path))
