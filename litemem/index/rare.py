"""Rows that share rare words with a text, at a cost that doesn't follow the size of the index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nlargest
from math import log
from typing import Final

import apsw

from litemem.index.connection import fetch
from litemem.index.filters import Filter, carray
from litemem.index.words import any_of

MOST: Final = 1_000
"""
Rows that the words looked at hold together. Of 850 facts of real conversations, each with a word
replaced or some left out, all but 2 found the near-duplicate that they have among 13,000 facts;
with half the rows all but 6 did, with twice as many all but 1, for twice the time.
"""

_AT_FIRST: Final = 100  # rows, of which most may answer where there is one user
_COUNT: Final = "select count(*) from (select 1 from words where words match ? limit ?)"
_ROWS: Final = "select rowid from words where words match ?"
_ALLOWED: Final = """
select rowid from doc where rowid in (select value from carray(:rowids)) and {where}
"""


def sharing(db: apsw.Connection, words: Sequence[str], rows: Filter, k: int) -> list[int]:
    """
    Return up to k rows that hold the rarest of these phrases, those with the most first.

    Phrases that many rows hold aren't looked at, so a text of common words alone finds nothing in
    a large index. Rows that match equally well come newest first.

    Args:
        db: a reader.
        words: what litemem.index.words.query_words returned.
        rows: which rows may answer.
        k: how many.
    """
    found: dict[int, float] = {}
    for word, count in _rarest(db, words):
        weight = 1 + log(MOST / count)
        for (rowid,) in fetch(db, _ROWS, (any_of((word,)),)):
            found[rowid] = found.get(rowid, 0.0) + weight
    looked_at = _AT_FIRST
    while found:
        ranked = nlargest(looked_at, found, key=lambda rowid: (found[rowid], rowid))
        allowed = _allowed(db, rows, ranked)
        best = [rowid for rowid in ranked if rowid in allowed]
        if len(best) >= k or len(ranked) == len(found):
            return best[:k]
        looked_at = len(found)
    return []


def _rarest(db: apsw.Connection, words: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the rarest phrases that rows hold, with how many; together at most MOST."""
    counts = [(db.execute(_COUNT, (any_of((word,)), MOST + 1)).get, word) for word in words]
    left = MOST
    for count, word in sorted(counts):
        left -= count
        if left < 0:
            return
        if count:
            yield word, count


def _allowed(db: apsw.Connection, rows: Filter, rowids: Sequence[int]) -> set[int]:
    sql = _ALLOWED.format(where=rows.where)
    return {rowid for (rowid,) in db.execute(sql, rows.bindings() | {"rowids": carray(rowids)})}
