"""Rows by their vectors: exact KNN in SQL, and a scan of sign bits in a process that stays."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

import apsw

from litemem.index.filters import Filter, carray
from litemem.index.schema import NO_TIME
from litemem.types import Vector

MARGIN: Final = 50  # rows fetched beyond k, so that equal distances at the cut can be told apart
MAX_K: Final = 4096  # of vec0
DAMPING: Final = 50  # vectors; a mean of fewer than that many is trusted by half

_NEAREST: Final = """
select rowid, distance from vec where part = :part and embedding match :query and k = :k {tests}
"""
_DISTANCES: Final = """
select rowid, vec_distance_l2(embedding, :query) from vec
where rowid in (select value from carray(:rowids))
"""
_IDS: Final = "select rowid, id from doc where rowid in (select value from carray(?))"


class Scanner:
    """The vectors that a process keeps ready to scan; one an index file, for all its threads."""

    def nearest(
        self, db: apsw.Connection, query: Vector, rows: Filter, k: int
    ) -> list[tuple[int, float]]:
        """Return the k rows nearest to the query as (rowid, cosine), best first; ties by id."""
        return nearest(db, query, rows, k)


def nearest(db: apsw.Connection, query: Vector, rows: Filter, k: int) -> list[tuple[int, float]]:
    """
    Return the k rows nearest to the query as (rowid, cosine), best first, by reading all vectors.

    Equal distances are ordered by the rows' ids, so that the answer doesn't depend on the order of
    insertion.
    """
    limit = min(k + MARGIN, MAX_K)
    found = sorted(
        (distance, rowid)
        for part in rows.parts
        for rowid, distance in _knn(db, query, part, rows, limit)
    )
    return _ranked(db, found, k)


def cosines(db: apsw.Connection, query: Vector, rowids: Sequence[int]) -> dict[int, float]:
    """Return the cosine of the query and each of these rows that has a vector."""
    if not rowids:
        return {}
    found = db.execute(_DISTANCES, {"query": query, "rowids": carray(rowids)})
    return {rowid: _cosine(distance) for rowid, distance in found}


def mean(db: apsw.Connection, parts: Sequence[int]) -> tuple[int, array[float]]:
    """Return how many vectors these partitions hold, and their mean (empty for none)."""
    n = 0
    total: list[int] = []
    for count, blob in db.execute(
        "select n, total from centre where part in (select value from carray(?)) order by part",
        (carray(parts),),
    ):
        sums = array("q", blob)
        total = [a + b for a, b in zip(total, sums, strict=True)] if total else list(sums)
        n += count
    return n, array("d", (value / (n * 2**20) for value in total) if n else ())


def centred(query: Vector, centre: Sequence[float], share: float, n: int) -> Vector:
    """
    Return the query minus a share of the stored vectors' mean, at unit length.

    Args:
        query: unit length.
        centre: what `mean` returned.
        share: the model's `query_centering`, 0..1.
        n: how many vectors the mean is of; a mean of few says little, so its share is damped.
    """
    share *= n / (n + DAMPING)
    if not share:
        return query
    moved = [a - share * b for a, b in zip(array("f", query), centre, strict=True)]
    length = sqrt(sum(a * a for a in moved))
    return Vector(array("f", [a / length for a in moved]).tobytes()) if length else query


def _knn(
    db: apsw.Connection, query: Vector, part: int, rows: Filter, k: int
) -> list[tuple[int, float]]:
    tests = ""
    bindings: dict[str, Any] = {"part": part, "query": query, "k": k}  # Any: what apsw binds
    if rows.chats is not None:
        tests += " and scope in (select value from carray(:chats))"
        bindings["chats"] = carray(rows.chats)
    if rows.since is not None or rows.until is not None:
        tests += " and at >= :since"
        bindings["since"] = NO_TIME + 1 if rows.since is None else rows.since
    if rows.until is not None:
        tests += " and at < :until"
        bindings["until"] = rows.until
    return [(row, float(far)) for row, far in db.execute(_NEAREST.format(tests=tests), bindings)]


def _ranked(db: apsw.Connection, found: list[tuple[float, int]], k: int) -> list[tuple[int, float]]:
    """Return the k best of rows sorted by distance, with equal distances by id."""
    if not found:
        return []
    close = [
        (distance, rowid)
        for distance, rowid in found
        if distance <= found[min(k, len(found)) - 1][0]
    ]
    ids = dict(db.execute(_IDS, (carray(rowid for _, rowid in close),)))
    best = sorted((distance, ids[rowid], rowid) for distance, rowid in close)[:k]
    return [(rowid, _cosine(distance)) for distance, _, rowid in best]


def _cosine(distance: float) -> float:
    return 1 - distance * distance / 2
