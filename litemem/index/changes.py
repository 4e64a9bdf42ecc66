"""Which rows changed since: how what a process keeps in memory follows the file."""

from __future__ import annotations

from typing import Final

import apsw

from litemem.index.connection import fetch

_MARK: Final = """
select value, coalesce((select seq from sqlite_sequence where name = 'vector_change'), 0)
from meta where key = 'made'
"""
_CHANGED: Final = "select seq, row from vector_change where seq > ?"


def mark(db: apsw.Connection) -> tuple[str, int]:
    """Return which file this is, and the number of the last change of a vector or thread."""
    ((made, seq),) = fetch(db, _MARK)
    return made, seq


def changed(db: apsw.Connection, since: int, until: int) -> list[int] | None:
    """Return the rows that changed after a number, sorted; None where not all are known."""
    if until <= since:
        return []
    rows = dict(db.execute(_CHANGED, (since,)))
    return sorted(set(rows.values())) if since + 1 in rows else None


def is_writing(db: apsw.Connection) -> bool:
    """Say whether a connection sees rows that may never be committed."""
    return db.txn_state("main") == apsw.SQLITE_TXN_WRITE
