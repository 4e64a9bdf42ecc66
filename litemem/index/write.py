"""Files into rows: the least change that makes the index say what a file says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import apsw

from litemem.index.connection import fetch
from litemem.index.diff import Diff, diff
from litemem.index.docs import Changes, Doc, Source
from litemem.index.filters import carray
from litemem.index.names import Names
from litemem.index.place import (
    Fresh,
    Given,
    follow,
    merge,
    rows_of,
    rows_where,
    unmerge,
    withdraw,
)
from litemem.index.rows import Row, Stored, row_of, same_key, text_key
from litemem.index.schema import CURRENT, DUPLICATE, FACT
from litemem.index.settle import linked, settle
from litemem.index.sources import number_of, save
from litemem.index.vectors import Effects, check, twin
from litemem.types import Vector

_OF_SOURCE: Final = "where source = ? order by line, rowid"
_SET: Final = ", ".join(f"{name} = :{name}" for name in Row._fields)
_UPDATE: Final = f"update doc set same_key = :same_key, {_SET} where rowid = :rowid"  # noqa: S608
_LAST: Final = "select seq from sqlite_sequence where name = 'doc'"
_MOVE: Final = "update doc set line = ? where rowid = ?"
_MOVE_UP: Final = """
update doc set line = line - (select count(*) from carray(:gone) where value < line)
where source = :source and line > :first
"""
_DELETE: Final = "delete from doc where rowid = ?"


def put_source(db: apsw.Connection, dimension: int, source: Source, docs: Sequence[Doc]) -> Changes:
    """Make the rows of a file what they are in `docs`; what says the same keeps its vector."""
    names, effects = Names(db, source.user), Effects(dimension)
    number = save(db, source)
    change = diff(rows_where(db, _OF_SOURCE, (number,)), [_row(names, doc) for doc in docs])
    _apply(db, effects, names.owner, change, _numbered(db, number, source.path, change.added))
    return Changes(
        added=len(change.added),
        removed=len(change.removed),
        kept=len(change.kept),
        updated=len(change.changed),
    )


def extend_source(
    db: apsw.Connection,
    dimension: int,
    source: Source,
    docs: Sequence[Doc],
    vectors: Mapping[int, Vector],
    own: Collection[int],
) -> tuple[int, ...]:
    """Add rows to a file whose other rows are known to be as they were; return their numbers."""
    for vector in vectors.values():
        check(vector, dimension)
    names, effects = Names(db, source.user), Effects(dimension)
    number = save(db, source)
    rows = [_row(names, doc) for doc in docs]
    fresh = _numbered(db, number, source.path, rows)
    given = Given(
        vectors={fresh[position].rowid: vector for position, vector in vectors.items()},
        own=frozenset(fresh[position].rowid for position in own),
    )
    settle(db, effects, names.owner, _ids(rows), fresh, given)
    effects.save(db)
    return tuple(one.rowid for one in fresh)


def revise_source(
    db: apsw.Connection,
    dimension: int,
    source: Source,
    docs: Mapping[int, Doc | None],
    gone: Sequence[int],
) -> None:
    """Change or remove some rows of a file whose other rows are known to be as they were."""
    names, effects = Names(db, source.user), Effects(dimension)
    number = save(db, source)
    change = Diff()
    for stored in rows_of(db, list(docs)):
        doc = docs[stored.rowid]
        if doc is None:
            change.removed.append(stored)
            continue
        row = _row(names, doc)
        if row.embedded != stored.row.embedded:
            msg = f"row {stored.rowid} can't get another kind or text; put its file"
            raise ValueError(msg)
        change.changed.append((stored, row))
    if gone:
        bindings = {"source": number, "gone": carray(gone), "first": min(gone)}
        db.execute(_MOVE_UP, bindings)
    _apply(db, effects, names.owner, change, ())


def drop_source(db: apsw.Connection, dimension: int, path: str) -> Changes:
    """Remove a file and its rows."""
    found = number_of(db, path)
    if found is None:
        return Changes()
    number, user = found
    names, effects = Names(db, user), Effects(dimension)
    rows = rows_where(db, _OF_SOURCE, (number,))
    heirs = _heirs(db, names.owner, rows)
    _remove(db, effects, names.owner, rows)
    settle(db, effects, names.owner, _ids_of(rows), (), heirs)
    effects.save(db)
    db.execute("delete from source where id = ?", (number,))
    return Changes(removed=len(rows))


def merge_words(db: apsw.Connection) -> None:
    """Write the keyword table anew, so that no deleted word is left to tell its pages apart."""
    # A table in one piece isn't written anew: so there is a second one.
    db.execute("insert into words(rowid, text) values(0, 'x')")
    db.execute("insert into words(words) values('optimize')")
    db.execute("insert into words(words, rowid, text) values('delete', 0, 'x')")


def _apply(
    db: apsw.Connection, effects: Effects, owner: int, change: Diff, fresh: Sequence[Fresh]
) -> None:
    """Take the rows of a file from what they were to what they are."""
    touched = _touched(change)
    heirs = _heirs(db, owner, change.removed)
    _remove(db, effects, owner, change.removed)
    _update(db, effects, change)
    settle(db, effects, owner, touched, fresh, heirs)
    effects.save(db)


def _row(names: Names, doc: Doc) -> Row:
    return row_of(doc, names.scope(doc.chat_id), names.thread(doc.thread))


def _numbered(
    db: apsw.Connection, source: int, path: str, rows: Sequence[Row]
) -> tuple[Fresh, ...]:
    """Give new rows the numbers that follow the last one ever used."""
    last: int = fetch(db, _LAST)[0][0]
    return tuple(Fresh(last + n, source, path, row) for n, row in enumerate(rows, start=1))


def _update(db: apsw.Connection, effects: Effects, change: Diff) -> None:
    moved = ((row.line, old.rowid) for old, row in change.kept if old.row.line != row.line)
    db.executemany(_MOVE, moved)
    follow(db, effects, [pair for pair in change.changed if pair[0].state == CURRENT])
    db.executemany(
        _UPDATE,
        (
            {"rowid": old.rowid, "same_key": same_key(row), **row._asdict()}
            for old, row in change.changed
        ),
    )
    for old, row in change.changed:
        if old.row.thread != row.thread:
            effects.moved(old.rowid)
    moved_links = [pair for pair in change.changed if pair[0].row.merges != pair[1].merges]
    unmerge(db, (old for old, _ in moved_links))
    merge(db, ((old.rowid, row) for old, row in moved_links))


def _heirs(db: apsw.Connection, owner: int, rows: Sequence[Stored]) -> Given:
    """Return vectors for those who wait, as duplicates of rows that go, in another file."""
    waiting = [row.rowid for row in linked(db, owner, _ids_of(rows)) if row.state == DUPLICATE]
    twins = {one.rowid: twin(db, text_key(one.row), one.row)[1] for one in rows_of(db, waiting)}
    return Given(vectors={rowid: found for rowid, found in twins.items() if found is not None})


def _remove(db: apsw.Connection, effects: Effects, owner: int, rows: Sequence[Stored]) -> None:
    withdraw(db, effects, owner, [stored for stored in rows if stored.state == CURRENT])
    unmerge(db, rows)
    db.executemany(_DELETE, ((stored.rowid,) for stored in rows))


def _touched(change: Diff) -> set[str]:
    """Return the ids of facts whose chains may have changed."""
    ids = _ids(change.added) | _ids_of(change.removed)
    for stored, row in change.changed:
        ids |= _ids((stored.row, row))
    lines = [row.line for _, row in sorted(change.kept, key=lambda pair: pair[0].row.line)]
    if lines != sorted(lines):
        # Of lines with one id, and of those that replace each other in a circle, the first counts.
        ids |= _ids(row for _, row in change.kept)
    return ids


def _ids(rows: Iterable[Row]) -> set[str]:
    facts = [row for row in rows if row.kind == FACT]
    return {one for row in facts for one in (row.id, *row.parents)}


def _ids_of(rows: Iterable[Stored]) -> set[str]:
    return _ids(stored.row for stored in rows)
