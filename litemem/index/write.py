"""Files into rows: the least change that makes the index say what a file says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import apsw

from litemem.index.connection import fetch
from litemem.index.diff import Diff, diff
from litemem.index.docs import Changes, Doc, Source
from litemem.index.names import Names
from litemem.index.place import NOTHING_GIVEN, Given, enter, follow, rows_where, withdraw
from litemem.index.rows import Row, Stored, row_of, same_key, text_key
from litemem.index.schema import CURRENT, DUPLICATE, FACT, OWN_VECTOR, PENDING, STORED, SUPERSEDED
from litemem.index.settle import settle
from litemem.index.sources import number_of, save
from litemem.index.vectors import Centres, check
from litemem.types import Vector

_OF_SOURCE: Final = "where source = ? order by line, rowid"
_NAMES: Final = ", ".join(Row._fields)
_BOUND: Final = ", ".join(f":{name}" for name in Row._fields)
_SET: Final = ", ".join(f"{name} = :{name}" for name in Row._fields)
_INSERT: Final = f"""
insert into doc(source, state, vector, text_key, same_key, {_NAMES})
values(:source, :state, :vector, :text_key, :same_key, {_BOUND}) returning rowid
"""
_UPDATE: Final = f"update doc set same_key = :same_key, {_SET} where rowid = :rowid"  # noqa: S608
_MOVE: Final = "update doc set line = ? where rowid = ?"
_DELETE: Final = "delete from doc where rowid = ?"


# A renamed file's rows wait as duplicates of the old file's; they take over its vectors.
_HEIRS: Final = f"""
select heir.rowid, vec.embedding
from doc as gone join doc as heir on heir.text_key = gone.text_key
join vec on vec.rowid = gone.rowid
where gone.source = ? and gone.vector = {STORED} and gone.text_key != {OWN_VECTOR}
and heir.state = {DUPLICATE} and heir.source != gone.source
and heir.head = gone.head and heir.text = gone.text
"""  # noqa: S608  # constants of the schema


def put_source(db: apsw.Connection, dimension: int, source: Source, docs: Sequence[Doc]) -> Changes:
    """Make the rows of a file what they are in `docs`; what says the same keeps its vector."""
    names, centres = Names(db, source.user), Centres(dimension)
    number = save(db, source)
    change = diff(rows_where(db, _OF_SOURCE, (number,)), [_row(names, doc) for doc in docs])
    touched = _touched(change)
    _remove(db, centres, names.owner, change.removed)
    _update(db, change)
    rowids = _insert(db, number, change.added)
    _enter_others(db, centres, names.owner, rowids, change.added, NOTHING_GIVEN)
    settle(db, centres, names.owner, touched, NOTHING_GIVEN)
    centres.save(db)
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
    names, centres = Names(db, source.user), Centres(dimension)
    number = save(db, source)
    rows = [_row(names, doc) for doc in docs]
    rowids = _insert(db, number, rows)
    given = Given(
        vectors={rowids[position]: vector for position, vector in vectors.items()},
        own=frozenset(rowids[position] for position in own),
    )
    _enter_others(db, centres, names.owner, rowids, rows, given)
    settle(db, centres, names.owner, _ids(rows), given)
    centres.save(db)
    return rowids


def drop_source(db: apsw.Connection, dimension: int, path: str) -> Changes:
    """Remove a file and its rows."""
    found = number_of(db, path)
    if found is None:
        return Changes()
    number, user = found
    names, centres = Names(db, user), Centres(dimension)
    rows = rows_where(db, _OF_SOURCE, (number,))
    heirs = Given(vectors=dict(fetch(db, _HEIRS, (number,))))
    _remove(db, centres, names.owner, rows)
    settle(db, centres, names.owner, _ids(stored.row for stored in rows), heirs)
    centres.save(db)
    db.execute("delete from source where id = ?", (number,))
    return Changes(removed=len(rows))


def merge_words(db: apsw.Connection) -> None:
    """Write the keyword table anew, so that no deleted word is left as a separator of its pages."""
    db.execute("insert into words(words) values('optimize')")


def _row(names: Names, doc: Doc) -> Row:
    return row_of(doc, names.scope(doc.chat_id), names.thread(doc.thread))


def _insert(db: apsw.Connection, source: int, rows: Sequence[Row]) -> tuple[int, ...]:
    """Add rows that aren't found yet; `settle` or `enter` makes them current."""
    given = {"source": source, "state": SUPERSEDED, "vector": PENDING}
    return tuple(
        fetch(
            db,
            _INSERT,
            {**given, "text_key": text_key(row), "same_key": same_key(row), **row._asdict()},
        )[0][0]
        for row in rows
    )


def _update(db: apsw.Connection, change: Diff) -> None:
    moved = ((row.line, old.rowid) for old, row in change.kept if old.row.line != row.line)
    db.executemany(_MOVE, moved)
    follow(db, [pair for pair in change.changed if pair[0].state == CURRENT])
    db.executemany(
        _UPDATE,
        (
            {"rowid": old.rowid, "same_key": same_key(row), **row._asdict()}
            for old, row in change.changed
        ),
    )


def _enter_others(
    db: apsw.Connection,
    centres: Centres,
    owner: int,
    rowids: Sequence[int],
    rows: Sequence[Row],
    given: Given,
) -> None:
    """Make rows current that aren't facts: they have no chains."""
    fresh = [
        Stored(rowid, SUPERSEDED, PENDING, row)
        for rowid, row in zip(rowids, rows, strict=True)
        if row.kind != FACT
    ]
    enter(db, centres, owner, fresh, given)


def _remove(db: apsw.Connection, centres: Centres, owner: int, rows: Sequence[Stored]) -> None:
    withdraw(db, centres, owner, [stored for stored in rows if stored.state == CURRENT])
    db.executemany(_DELETE, ((stored.rowid,) for stored in rows))


def _touched(change: Diff) -> set[str]:
    """Return the ids of facts whose chains may have changed."""
    ids = _ids(change.added) | _ids(stored.row for stored in change.removed)
    for stored, row in change.changed:
        ids |= _ids((stored.row, row))
    lines = [row.line for _, row in sorted(change.kept, key=lambda pair: pair[0].row.line)]
    if lines != sorted(lines):
        # Of lines with one id, and of those that replace each other in a circle, the first counts.
        ids |= _ids(row for _, row in change.kept)
    return ids


def _ids(rows: Iterable[Row]) -> set[str]:
    facts = [row for row in rows if row.kind == FACT]
    return {row.id for row in facts} | {row.replaces for row in facts if row.replaces is not None}
