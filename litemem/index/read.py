"""Rows, files and counts out of the index."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

import apsw

from litemem.files.state import FileState
from litemem.index.docs import Source, StoredDoc, Use, microseconds, moment
from litemem.index.filters import carray
from litemem.index.rows import (
    COLUMNS,
    KINDS,
    clean,
    path_of,
    same_text_key,
    stored_doc,
    stored_path,
)
from litemem.index.schema import DUPLICATE, PENDING, STORED, SUPERSEDED
from litemem.index.settle import linked
from litemem.text.chains import resolve
from litemem.text.normal import normalise
from litemem.types import Kind, Problem

Sort: TypeAlias = Literal["created", "importance"]

_DOCS: Final = f"""
select doc.rowid, doc.state, doc.vector, scope.user, scope.chat, thread.name, source.path, {COLUMNS}
from doc join scope on scope.id = doc.scope join thread on thread.id = doc.thread
    join source on source.id = doc.source
"""
_FACTS: Final = (
    _DOCS
    + """
where doc.kind = 0 and doc.state = 0
    and doc.scope in (select id from scope where user = :user and {chats})
    and (:category is null or doc.category = :category)
    and (:since is null or doc.at >= :since) and (:until is null or doc.at < :until)
order by {order} limit :limit offset :offset
"""
)
_ORDERS: Final = {
    "created": "doc.at desc, doc.id",
    "importance": "doc.importance desc, doc.at desc, doc.id",
}
_SAME: Final = (
    _DOCS
    + """
where doc.same_key = :key and doc.state = 0 and scope.user = :user and scope.chat = :chat
order by doc.at, doc.id
"""
)
_FIND: Final = (
    _DOCS
    + """
where doc.id = :id and doc.kind = 0 and scope.user = :user
order by doc.state = 2, source.path, doc.line limit 1
"""
)
_BY_ROWID: Final = _DOCS + "where doc.rowid in (select value from carray(?))"
_OWNER: Final = "select id from scope where user = ? and chat = ''"
_SOURCE: Final = """
select path, user, size, mtime_ns, ctime_ns, inode, read_ns, lines, digests, problems from source
"""
_COUNTS: Final = """
select kind, state, vector, count(*) from doc
where :user is null or scope in (select id from scope where user = :user)
group by kind, state, vector
"""
_PROGRESS: Final = """
select count(*), (select count(*) from doc where state = 0 and vector = 0)
from doc where state = 0
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many rows of one kind there are."""

    current: int = 0
    superseded: int = 0
    duplicate: int = 0
    with_vector: int = 0  # of the current ones
    unembeddable: int = 0  # of the current ones: no text to embed


def source(db: apsw.Connection, path: str) -> Source | None:
    """Return what is known of a file, None for an unknown one."""
    found = db.execute(_SOURCE + "where path = ?", (stored_path(path),)).fetchall()
    return _source(found[0]) if found else None


def sources(db: apsw.Connection, user: str | None) -> dict[str, Source]:
    """Return the files of a user, or of all, by path and in its order."""
    found = db.execute(
        f"{_SOURCE} where :user is null or user = :user",
        {"user": None if user is None else clean(user)},
    )
    made = [_source(row) for row in found]
    return {one.path: one for one in sorted(made, key=lambda one: one.path)}


def problems(db: apsw.Connection) -> list[Problem]:
    """Return what couldn't be read as meant, by path and line."""
    found = db.execute("select problems from source where problems != '[]'")
    made = [
        Problem(path=path, line=line, reason=reason)
        for (text,) in found
        for path, line, reason in json.loads(text)
    ]
    return sorted(made, key=lambda problem: (problem.path, problem.line, problem.reason))


def users(db: apsw.Connection) -> list[str]:
    """Return the users that have files in the index, sorted."""
    return sorted(user for (user,) in db.execute("select distinct user from source"))


def by_rowids(db: apsw.Connection, rowids: Collection[int]) -> dict[int, StoredDoc]:
    """Return these rows by number; unknown ones are left out."""
    if not rowids:
        return {}
    return {row[0]: stored_doc(row) for row in db.execute(_BY_ROWID, (carray(rowids),))}


def find(db: apsw.Connection, user: str, id_: str) -> StoredDoc | None:
    """Return the fact with an id, whether current or superseded; None for an unknown one."""
    found = db.execute(_FIND, {"user": clean(user), "id": clean(id_)}).fetchall()
    return stored_doc(found[0]) if found else None


def chain(db: apsw.Connection, user: str, id_: str) -> tuple[StoredDoc, ...]:
    """
    Return the chain that an id belongs to, oldest first, the current fact last; () for none.

    Lines that repeat an id of the chain stand behind the line that counts, as duplicates.
    """
    owner = db.execute(_OWNER, (clean(user),)).get
    rows = [] if owner is None else linked(db, owner, [clean(id_)])
    resolution = resolve([one.link for one in rows])
    head = resolution.head.get(clean(id_))
    if head is None:
        return ()
    rank = {member: n for n, member in enumerate(resolution.chains[head])}
    members = [one for one in rows if one.id in rank]
    members.sort(key=lambda one: (rank[one.id], one.state != DUPLICATE, one.path, one.line))
    found = by_rowids(db, [one.rowid for one in members])
    return tuple(found[one.rowid] for one in members)


def facts(
    db: apsw.Connection,
    user: str,
    *,
    sort: Sort,
    limit: int | None,
    offset: int,
    chat_id: str | None,
    chat_only: bool,
    category: str | None,
    since: datetime | None,
    until: datetime | None,
) -> list[StoredDoc]:
    """Return current facts."""
    chats = "true" if chat_id is None else "chat = :chat" if chat_only else "chat in ('', :chat)"
    found = db.execute(
        _FACTS.format(chats=chats, order=_ORDERS[sort]),
        {
            "user": clean(user),
            "chat": clean(chat_id or ""),
            "category": category,
            "since": None if since is None else microseconds(since),
            "until": None if until is None else microseconds(until),
            "limit": -1 if limit is None else limit,
            "offset": offset,
        },
    )
    return [stored_doc(row) for row in found]


def find_same(
    db: apsw.Connection, user: str, chat_id: str | None, speaker: str | None, content: str
) -> list[StoredDoc]:
    """Return the current facts that say the same, oldest first."""
    chat, text = clean(chat_id or ""), clean(content)
    found = db.execute(
        _SAME, {"key": same_text_key(text, chat, speaker), "user": clean(user), "chat": chat}
    )
    wanted = (normalise(text), speaker)
    made = [stored_doc(row) for row in found]
    return [one for one in made if (normalise(one.doc.text), one.doc.speaker) == wanted]


def counts(db: apsw.Connection, user: str | None) -> dict[Kind, Counts]:
    """Count rows by kind."""
    made: dict[Kind, dict[str, int]] = {kind: {} for kind in KINDS}
    found = db.execute(_COUNTS, {"user": None if user is None else clean(user)})
    for kind, state, vector, n in found:
        for name in _names(state, vector):
            made[KINDS[kind]][name] = made[KINDS[kind]].get(name, 0) + n
    return {kind: Counts(**numbers) for kind, numbers in made.items()}


def progress(db: apsw.Connection) -> tuple[int, int]:
    """Return how many current rows have what vector they can have, and how many there are."""
    total, waiting = db.execute(_PROGRESS).fetchall()[0]
    return total - waiting, total


def use(db: apsw.Connection, user: str, ids: Collection[str]) -> dict[str, Use]:
    """Return how often facts were recalled; those that never were are left out."""
    if not ids:
        return {}
    found = db.execute(
        "select id, n, last from usage where user = ? and id in (select value from carray(?))",
        (clean(user), apsw.carray(tuple(clean(id_) for id_ in ids))),
    )
    return {id_: Use(n=n, last=moment(last)) for id_, n, last in found}


def _source(found: tuple[Any, ...]) -> Source:  # Any: a row of SQLite
    path, user, size, mtime_ns, ctime_ns, inode, read_ns, lines, digests, problems_ = found
    return Source(
        path=path_of(path),
        user=user,
        state=FileState(size=size, mtime_ns=mtime_ns, ctime_ns=ctime_ns, inode=int(inode)),
        read_ns=read_ns,
        lines=lines,
        digests=digests,
        problems=tuple(
            Problem(path=where, line=line, reason=reason)
            for where, line, reason in json.loads(problems_)
        ),
    )


def _names(state: int, vector: int) -> list[str]:
    if state == SUPERSEDED:
        return ["superseded"]
    if state == DUPLICATE:
        return ["duplicate"]
    return ["current", *{STORED: ["with_vector"], PENDING: []}.get(vector, ["unembeddable"])]
