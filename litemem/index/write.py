"""Files into rows: the least change that makes the index say what a file says."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import apsw

from litemem.index.diff import Diff, diff
from litemem.index.docs import Changes, Doc, Source
from litemem.index.place import NONE_GIVEN, Given, enter, reword, withdraw
from litemem.index.rows import (
    COLUMNS,
    Row,
    Stored,
    clean,
    row_of,
    same_key,
    stored_path,
    text_key,
)
from litemem.index.schema import CURRENT, DUPLICATE, FACT, PENDING, SUPERSEDED
from litemem.index.settle import settle
from litemem.index.vectors import Centres, check
from litemem.types import Vector

_SAVE_SOURCE: Final = """
insert into source(path, user, size, mtime_ns, ctime_ns, inode, read_ns, lines, digests, problems)
values(:path, :user, :size, :mtime_ns, :ctime_ns, :inode, :read_ns, :lines, :digests, :problems)
on conflict(path) do update set user = :user, size = :size, mtime_ns = :mtime_ns,
    ctime_ns = :ctime_ns, inode = :inode, read_ns = :read_ns, lines = :lines, digests = :digests,
    problems = :problems
returning id
"""
_ROWS: Final = f"""
select rowid, state, vector, {COLUMNS} from doc where source = ? order by line, rowid
"""
_INSERT: Final = f"""
insert into doc(source, state, vector, text_key, same_key, {", ".join(Row._fields)})
values(:source, :state, {PENDING}, :text_key, :same_key, {", ".join(f":{c}" for c in Row._fields)})
returning rowid
"""
_UPDATE: Final = f"""
update doc set same_key = :same_key, {", ".join(f"{c} = :{c}" for c in Row._fields)}
where rowid = :rowid
"""


class Names:
    """The numbers of a user's scopes and of threads, looked up once a call."""

    def __init__(self, db: apsw.Connection, user: str) -> None:
        self._db, self._user = db, clean(user)
        self._scopes: dict[str, int] = {}
        self._threads: dict[str, int] = {}
        self._chats: dict[int, str] = {}
        self.owner = self._owner()

    def scope(self, chat: str | None) -> int:
        """Return the number of a chat, '' or None for no chat."""
        name = clean(chat or "")
        if name not in self._scopes:
            self._scopes[name] = self._scope(name)
            self._chats[self._scopes[name]] = name
        return self._scopes[name]

    def chat(self, scope: int) -> str:
        """Return the chat of a number that `scope` gave out."""
        return self._chats[scope]

    def thread(self, name: str) -> int:
        """Return the number of a thread."""
        if name not in self._threads:
            self._threads[name] = self._number(
                "select id from thread where name = :name",
                "insert into thread(name) values(:name) returning id",
                {"name": clean(name)},
            )
        return self._threads[name]

    def _owner(self) -> int:
        number = self._number(
            "select id from scope where user = :user and chat = ''",
            """insert into scope(user, chat, owner) values(
                :user, '', (select coalesce(max(id), 0) + 1 from scope)) returning id""",
            {"user": self._user},
        )
        self._scopes[""], self._chats[number] = number, ""
        return number

    def _scope(self, chat: str) -> int:
        return self._number(
            "select id from scope where user = :user and chat = :chat",
            "insert into scope(user, chat, owner) values(:user, :chat, :owner) returning id",
            {"user": self._user, "chat": chat, "owner": self.owner},
        )

    def _number(self, find: str, make: str, bindings: Mapping[str, Any]) -> int:  # Any: SQLite's
        found = self._db.execute(find, bindings).get
        return found if found is not None else self._db.execute(make, bindings).get


def put_source(db: apsw.Connection, dimension: int, source: Source, docs: Sequence[Doc]) -> Changes:
    """Make the rows of a file what they are in `docs`; unchanged ones stay, with their vectors."""
    names, centres = Names(db, source.user), Centres(dimension)
    number = _save_source(db, source)
    change = diff(_stored(db, number), [_row(names, doc) for doc in docs])
    touched = _touched(db, number, change)
    _remove(db, centres, names.owner, change.removed)
    _update(db, names, change)
    rowids = _insert(db, names, number, change.added)
    settle(db, centres, names.owner, touched, NONE_GIVEN)
    _enter_others(db, centres, names.owner, rowids, change.added, NONE_GIVEN)
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
    number = _save_source(db, source)
    rows = [_row(names, doc) for doc in docs]
    rowids = _insert(db, names, number, rows)
    given = Given(
        vectors={rowids[position]: vector for position, vector in vectors.items()},
        own=frozenset(rowids[position] for position in own),
    )
    settle(db, centres, names.owner, _ids(rows), given)
    _enter_others(db, centres, names.owner, rowids, rows, given)
    centres.save(db)
    return rowids


def drop_source(db: apsw.Connection, dimension: int, path: str) -> Changes:
    """Remove a file and its rows."""
    found = db.execute(
        "select id, user from source where path = ?", (stored_path(path),)
    ).fetchall()
    if not found:
        return Changes()
    number, user = found[0]
    names, centres = Names(db, user), Centres(dimension)
    rows = _stored(db, number)
    _remove(db, centres, names.owner, rows)
    settle(db, centres, names.owner, _ids(stored.row for stored in rows), NONE_GIVEN)
    centres.save(db)
    db.execute("delete from source where id = ?", (number,))
    return Changes(removed=len(rows))


def _save_source(db: apsw.Connection, source: Source) -> int:
    state = source.state
    problems = [(problem.path, problem.line, problem.reason) for problem in source.problems]
    number: int = db.execute(
        _SAVE_SOURCE,
        {
            "path": stored_path(source.path),
            "user": clean(source.user),
            "size": state.size,
            "mtime_ns": state.mtime_ns,
            "ctime_ns": state.ctime_ns,
            "inode": str(state.inode),
            "read_ns": source.read_ns,
            "lines": source.lines,
            "digests": source.digests,
            "problems": json.dumps(problems, separators=(",", ":")),
        },
    ).get
    return number


def _row(names: Names, doc: Doc) -> Row:
    return row_of(doc, names.scope(doc.chat_id), names.thread(doc.thread))


def _stored(db: apsw.Connection, source: int) -> list[Stored]:
    return [
        Stored(rowid, state, vector, Row(*columns))
        for rowid, state, vector, *columns in db.execute(_ROWS, (source,))
    ]


def _insert(db: apsw.Connection, names: Names, source: int, rows: Sequence[Row]) -> tuple[int, ...]:
    """Add rows that aren't found yet; `settle` or `enter` makes them current."""
    return tuple(
        db.execute(
            _INSERT,
            {
                "source": source,
                "state": SUPERSEDED,
                "text_key": text_key(row),
                "same_key": same_key(row, names.chat(row.scope)),
                **row._asdict(),
            },
        ).get
        for row in rows
    )


def _update(db: apsw.Connection, names: Names, change: Diff) -> None:
    db.executemany(
        "update doc set line = ? where rowid = ?",
        [(row.line, s.rowid) for s, row in change.kept if s.row.line != row.line],
    )
    reword(db, names.owner, [pair for pair in change.changed if pair[0].state == CURRENT])
    db.executemany(
        _UPDATE,
        [
            {"rowid": s.rowid, "same_key": same_key(row, names.chat(row.scope)), **row._asdict()}
            for s, row in change.changed
        ],
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
    db.executemany("delete from doc where rowid = ?", ((stored.rowid,) for stored in rows))


def _touched(db: apsw.Connection, source: int, change: Diff) -> set[str]:
    """Return the ids of facts whose chains may have changed."""
    ids = _ids(change.added) | _ids(stored.row for stored in change.removed)
    for stored, row in change.changed:
        ids |= _ids((stored.row, row))
    if any(stored.row.line != row.line for stored, row in change.kept):
        # Of lines with one id the first counts: their order may have changed.
        doubles = "select id from doc where source = ? and state = ?"
        ids |= {id_ for (id_,) in db.execute(doubles, (source, DUPLICATE))}
    return ids


def _ids(rows: Iterable[Row]) -> set[str]:
    facts = [row for row in rows if row.kind == FACT]
    return {row.id for row in facts} | {row.replaces for row in facts if row.replaces is not None}


def scrub(db: apsw.Connection) -> None:
    """Remove names that no row has any more, and merge the keyword table without its old terms."""
    db.execute("delete from thread where id not in (select thread from doc)")
    db.execute(
        """delete from scope where id not in (select scope from doc)
        and id not in (select owner from scope where id in (select scope from doc))
        and user not in (select user from source)"""
    )
    db.execute(
        """delete from usage where not exists (
            select 1 from doc join scope on scope.id = doc.scope
            where doc.id = usage.id and scope.user = usage.user)"""
    )
    db.execute("insert into words(words) values('optimize')")
