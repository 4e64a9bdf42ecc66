"""The facts that steps wrote which can be undone: known by a key of their metadata."""

from __future__ import annotations

import json
from typing import Final

import apsw

from litemem.index.connection import fetch
from litemem.index.docs import StoredDoc
from litemem.index.read import by_rowids
from litemem.index.rows import clean

# Only what replaces another fact is looked at, by its index; `extra` is compact JSON.
_KEYED: Final = """
select doc.rowid from doc join scope on scope.id = doc.scope
where replaces is not null and kind = 0 and user = :user and instr(extra, :key) > 0
"""


def keyed(db: apsw.Connection, user: str, key: str) -> list[StoredDoc]:
    """Return a user's facts that replace others and have this key in their metadata, by place."""
    found = fetch(db, _KEYED, {"user": clean(user), "key": f"{json.dumps(key)}:"})
    rows = by_rowids(db, [rowid for (rowid,) in found]).values()
    own = (row for row in rows if key in row.doc.metadata and row.state != "duplicate")
    return sorted(own, key=lambda row: (row.path, row.doc.line))
