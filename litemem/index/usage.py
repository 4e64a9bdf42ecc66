"""How often facts were recalled: the one thing that a lost index loses."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final

import apsw

from litemem.index.connection import fetch
from litemem.index.docs import Use, microseconds, moment
from litemem.index.rows import clean

_RECORD: Final = """
insert into usage values(?1, ?2, 1, ?3) on conflict do update set n = n + 1, last = max(last, ?3)
"""
_FIND: Final = """
select id, n, last from usage where user = ? and id in (select value from carray(?))
"""


def record(db: apsw.Connection, user: str, ids: Iterable[str], at: datetime) -> None:
    """Count that facts were recalled."""
    db.executemany(_RECORD, ((clean(user), clean(id_), microseconds(at)) for id_ in ids))


def use(db: apsw.Connection, user: str, ids: Collection[str]) -> dict[str, Use]:
    """Return how often facts were recalled; those that never were are left out."""
    if not ids:
        return {}
    found = fetch(db, _FIND, (clean(user), apsw.carray(tuple(clean(id_) for id_ in ids))))
    return {id_: Use(n=n, last=moment(last)) for id_, n, last in found}


def everything(db: apsw.Connection) -> list[tuple[str, str, int, int]]:
    """Return (user, id, times, last in microseconds since 1970) of all facts."""
    return fetch(db, "select user, id, n, last from usage")


def add(db: apsw.Connection, rows: Iterable[tuple[str, str, int, int]]) -> None:
    """Take over what `everything` returned of another index."""
    db.executemany("insert or ignore into usage values(?, ?, ?, ?)", rows)
