"""Rows and their counts out of the index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

import apsw

from litemem.index.connection import fetch
from litemem.index.docs import StoredDoc, microseconds
from litemem.index.filters import carray
from litemem.index.rows import COLUMNS, KINDS, clean, same_text_key, stored_doc
from litemem.index.schema import CURRENT, DUPLICATE, STORED, SUPERSEDED, UNEMBEDDABLE
from litemem.index.sources import number_of
from litemem.text.normal import normalise
from litemem.types import Kind

Sort: TypeAlias = Literal["created", "importance"]

_DOCS: Final = f"""
select doc.rowid, state, vector, scope.user, chat,
    substr(thread.name, instr(thread.name, '/') + 1), path, {COLUMNS}
from doc join scope on scope.id = doc.scope join thread on thread.id = doc.thread
    join source on source.id = doc.source
"""  # noqa: S608  # a constant
# Which rows they are is found out before they are joined with their names.
_FACTS: Final = """
where doc.rowid in (
    select rowid from doc where kind = 0 and state = 0
        and scope in (select id from scope where user = :user and {chats})
        and (:category is null or category = :category)
        and (:since is null or at >= :since) and (:until is null or at < :until)
    order by {order} limit :limit offset :offset
) order by {order}
"""
_ORDERS: Final = {
    "created": "at desc, doc.id",
    "importance": "importance desc, at desc, doc.id",
}
_SAME: Final = """
where same_key = :key and state = 0 and scope.user = :user and chat = :chat order by at, doc.id
"""
_FIND: Final = """
where doc.id = :id and kind = 0 and scope.user = :user order by state = 2, path, line limit 1
"""
_FACTS_IN: Final = "select count(*) from doc where source = ? and kind = 0"
_OWNERS: Final = """
select distinct user from doc join scope on scope.id = doc.scope
where doc.id = ? and kind = 0 order by user
"""
_BY_ROWID: Final = "where doc.rowid in (select value from carray(?))"
_OWNER: Final = "select id from scope where user = ? and chat = ''"
_OF_USER: Final = "(:user is null or scope in (select id from scope where user = :user))"
_COUNTS: Final = f"""
select kind, state, vector, count(*) from doc where {_OF_USER} group by kind, state, vector
"""  # noqa: S608  # a constant
_PROGRESS: Final = f"""
select count(*), (select count(*) from doc where state = 0 and vector = 0 and {_OF_USER})
from doc where state = 0 and {_OF_USER}
"""  # noqa: S608  # a constant


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many rows of one kind there are."""

    current: int = 0
    superseded: int = 0
    duplicate: int = 0
    with_vector: int = 0  # of the current ones
    unembeddable: int = 0  # of the current ones: no text to embed


def by_rowids(db: apsw.Connection, rowids: Collection[int]) -> dict[int, StoredDoc]:
    """Return these rows by number; unknown ones are left out."""
    if not rowids:
        return {}
    found = fetch(db, _DOCS + _BY_ROWID, (carray(rowids),))
    return {row[0]: stored_doc(row) for row in found}


def find(db: apsw.Connection, user: str, id_: str) -> StoredDoc | None:
    """Return the fact with an id, whether current or superseded; None for an unknown one."""
    found = fetch(db, _DOCS + _FIND, {"user": clean(user), "id": clean(id_)})
    return stored_doc(found[0]) if found else None


def facts_in(db: apsw.Connection, path: str) -> int:
    """Return how many facts a file has, current or not; 0 for an unknown file."""
    found = number_of(db, path)
    return 0 if found is None else fetch(db, _FACTS_IN, (found[0],))[0][0]


def owners(db: apsw.Connection, id_: str) -> tuple[str, ...]:
    """Return the users who have a fact of an id, sorted."""
    return tuple(row[0] for row in fetch(db, _OWNERS, (clean(id_),)))


def chain(db: apsw.Connection, user: str, id_: str) -> tuple[StoredDoc, ...]:
    """
    Return the chain that an id belongs to, oldest first, the current fact last; () for none.

    Lines that repeat an id of the chain stand before the line that counts, as duplicates.
    """
    from litemem.index.settle import linked  # writing code: 5 ms that a search needn't pay
    from litemem.text.chains import resolve

    owner = db.execute(_OWNER, (clean(user),)).get
    rows = linked(db, owner, [clean(id_)])
    resolution = resolve([row.link for row in rows])
    head = resolution.head.get(clean(id_))
    if head is None:
        return ()
    rank = {member: n for n, member in enumerate(resolution.chains[head])}
    members = [row for row in rows if row.id in rank]
    members.sort(key=lambda row: (rank[row.id], row.state != DUPLICATE, row.order))
    found = by_rowids(db, [row.rowid for row in members])
    return tuple(found[row.rowid] for row in members)


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
    sql = _DOCS + _FACTS.format(chats=chats, order=_ORDERS[sort])
    bindings = {
        "user": clean(user),
        "chat": clean(chat_id or ""),
        "category": _cleaned(category),
        "since": None if since is None else microseconds(since),
        "until": None if until is None else microseconds(until),
        "limit": -1 if limit is None else limit,
        "offset": offset,
    }
    return [stored_doc(row) for row in fetch(db, sql, bindings)]


def find_same(
    db: apsw.Connection, user: str, chat_id: str | None, speaker: str | None, content: str
) -> list[StoredDoc]:
    """Return the current facts that say the same, oldest first."""
    text = clean(content)
    bindings = {
        "key": same_text_key(text, speaker),
        "user": clean(user),
        "chat": clean(chat_id or ""),
    }
    wanted = normalise(text), speaker
    made = [stored_doc(row) for row in fetch(db, _DOCS + _SAME, bindings)]
    return [one for one in made if (normalise(one.doc.text), one.doc.speaker) == wanted]


def counts(db: apsw.Connection, user: str | None) -> dict[Kind, Counts]:
    """Count the rows of a user, or of all, by kind; every kind is there."""
    by_state: Counter[tuple[int, int]] = Counter()
    by_vector: Counter[tuple[int, int]] = Counter()
    for kind, state, vector, n in fetch(db, _COUNTS, {"user": _cleaned(user)}):
        by_state[kind, state] += n
        by_vector[kind, vector] += n if state == CURRENT else 0
    return {
        name: Counts(
            current=by_state[kind, CURRENT],
            superseded=by_state[kind, SUPERSEDED],
            duplicate=by_state[kind, DUPLICATE],
            with_vector=by_vector[kind, STORED],
            unembeddable=by_vector[kind, UNEMBEDDABLE],
        )
        for kind, name in enumerate(KINDS)
    }


def progress(db: apsw.Connection, user: str | None) -> tuple[int, int]:
    """Return how many current rows have what vector they can have, and how many there are."""
    total, waiting = fetch(db, _PROGRESS, {"user": _cleaned(user)})[0]
    return total - waiting, total


def _cleaned(text: str | None) -> str | None:
    return None if text is None else clean(text)
