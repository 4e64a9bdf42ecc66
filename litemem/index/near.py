"""Rows that nearly say the same, found by their words and measured by their vectors."""

from __future__ import annotations

import apsw

from litemem.index import keyword
from litemem.index.docs import StoredDoc
from litemem.index.filters import resolve
from litemem.index.read import by_rowids
from litemem.index.scan import cosines
from litemem.index.words import query_words
from litemem.types import Scope, Vector


def nearest_by_words(
    db: apsw.Connection, text: str, vector: Vector, scope: Scope, k: int
) -> list[tuple[StoredDoc, float]]:
    """Return the k best keyword matches that have a vector, with its cosine, nearest first."""
    rows = resolve(db, scope)
    if rows is None:
        return []
    matches = [rowid for rowid, _ in keyword.search(db, query_words(text), rows, k)]
    near = cosines(db, vector, matches)
    docs = by_rowids(db, near)
    found = [(docs[rowid], cosine) for rowid, cosine in near.items()]
    return sorted(found, key=lambda one: (-one[1], one[0].doc.id))
