"""Rows by their vectors, exactly and in SQL alone; litemem.index.scanner is the faster way."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from math import sqrt
from operator import add
from typing import Any, Final

import apsw

from litemem.errors import IndexDamaged
from litemem.index.filters import Filter, carray
from litemem.index.vectors import SCALE
from litemem.types import Vector

MARGIN: Final = 50  # rows fetched beyond k, so that equal distances at the cut can be told apart
MAX_K: Final = 4096  # of vec0
FEW: Final = 2_000  # rows in scope that are looked up one by one, at 4 us, ...
MOST_UNEQUAL: Final = 4  # tests of a column: vec0 knows `in` and `!=`, but not `not in`
PER_LOOKUP: Final = 8  # ... if that is less than reading all, at 0.5 us

_NEAREST: Final = """
select rowid, distance from vec where part = :part and embedding match :query and k = :k {tests}
"""
_ALL: Final = """
select rowid, vec_distance_l2(embedding, :query) from vec where part = :part {tests}
"""
# A join, because `rowid in (select ...)` makes vec0 read all its rows.
_DISTANCES: Final = """
select vec.rowid, vec_distance_l2(embedding, :query)
from carray(:rowids) as wanted cross join vec on vec.rowid = wanted.value
"""
_EMBEDDINGS: Final = """
select vec.rowid, embedding
from carray(?) as wanted cross join vec on vec.rowid = wanted.value
"""
_IDS: Final = """
select rowid, id from doc where rowid in (select value from carray(?)) and state = 0
"""
# Rows that have no vector yet are among them: to ask for that would read each row.
_IN_SCOPE: Final = "select rowid from doc where {where} limit :limit"
_OTHERS: Final = """
and scope in (select id from scope where id not in (select value from carray(:without)))
"""
_CENTRES: Final = """
select n, total from centre where part in (select value from carray(?)) order by part
"""
_STORED: Final = "select total(n) from centre where part in (select value from carray(?))"


def nearest(db: apsw.Connection, query: Vector, rows: Filter, k: int) -> list[tuple[int, float]]:
    """
    Return the k rows nearest to the query as (rowid, cosine), best first, by reading all vectors.

    Equal distances are ordered by the rows' ids, so that the answer doesn't depend on the order of
    insertion.
    """
    few = few_in_scope(db, rows)
    if few is not None:
        return ranked(db, near(db, query, few), k)
    return ranked(db, [one for part in rows.parts for one in knn(db, query, part, rows, k)], k)


def few_in_scope(db: apsw.Connection, rows: Filter) -> list[int] | None:
    """Return the rows of a narrow scope; None where reading all vectors is cheaper."""
    if rows.is_whole:
        return None
    most = min(FEW, stored(db, rows.parts) // PER_LOOKUP)
    sql = _IN_SCOPE.format(where=rows.where)
    found = [row for (row,) in db.execute(sql, rows.bindings() | {"limit": most + 1})]
    return found if len(found) <= most else None


def knn(
    db: apsw.Connection, query: Vector, part: int, rows: Filter, k: int
) -> list[tuple[int, float]]:
    """Return (rowid, cosine) of the k nearest of a partition and of all as near as the last."""
    limit = k + MARGIN
    while limit <= MAX_K:
        found = _knn(db, query, part, rows, limit)
        if len(found) < limit or found[-1][1] < found[k - 1][1]:
            return found
        limit *= 8
    return _all(db, query, part, rows)


def near(db: apsw.Connection, query: Vector, rowids: Sequence[int]) -> list[tuple[int, float]]:
    """Return (rowid, cosine) of those of these rows that have a vector."""
    if not rowids:
        return []
    return _cosines(db.execute(_DISTANCES, {"query": query, "rowids": carray(rowids)}))


def embeddings(db: apsw.Connection, rowids: Sequence[int]) -> dict[int, Vector]:
    """Return the vectors of those of these rows that have one."""
    if not rowids:
        return {}
    return dict(db.execute(_EMBEDDINGS, (carray(rowids),)))


def ranked(
    db: apsw.Connection, found: Sequence[tuple[int, float]], k: int
) -> list[tuple[int, float]]:
    """
    Return the k best (rowid, cosine), equal ones by id.

    Rows that aren't current are left out: another thread may have seen a newer state.
    """
    if not found:
        return []
    cut = sorted((cosine for _, cosine in found), reverse=True)[min(k, len(found)) - 1]
    close = {rowid: cosine for rowid, cosine in found if cosine >= cut}
    ids = dict(db.execute(_IDS, (carray(close),)))
    best = sorted(ids, key=lambda rowid: (-close[rowid], ids[rowid], rowid))
    return [(rowid, close[rowid]) for rowid in best[:k]]


def cosines(db: apsw.Connection, query: Vector, rowids: Sequence[int]) -> dict[int, float]:
    """Return the cosine of the query and each of these rows that has a vector."""
    return dict(near(db, query, rowids))


def stored(db: apsw.Connection, parts: Sequence[int]) -> int:
    """Return how many vectors these partitions hold."""
    return int(db.execute(_STORED, (carray(parts),)).get)


def mean(db: apsw.Connection, parts: Sequence[int]) -> tuple[int, array[float]]:
    """Return how many vectors these partitions hold, and their mean (empty for none)."""
    n, total = 0, array("q")
    for count, blob in db.execute(_CENTRES, (carray(parts),)):
        sums = array("q", blob)
        total = array("q", map(add, total, sums)) if total else sums
        n += count
    return n, array("d", (value / (n * SCALE) for value in total))


def centred(query: Vector, centre: Sequence[float], share: float) -> Vector:
    """
    Return the query minus a share of the stored vectors' mean, at unit length.

    Not damped where the mean is one of few: in stores of 3 to 100 rows, drawn from four sets, the
    whole share ranks the gold row as well as a smaller one or better (MRR of 10 rows of locomo
    74.7 without it, 78.1 with half of it, 80.8 with all).

    Args:
        query: unit length.
        centre: what `mean` returned.
        share: the model's `query_centering`, 0..1.
    """
    if not share or not centre:
        return query
    moved = [a - share * b for a, b in zip(array("f", query), centre, strict=True)]
    length = sqrt(sum(a * a for a in moved))
    return Vector(array("f", [a / length for a in moved]).tobytes()) if length else query


def _knn(
    db: apsw.Connection, query: Vector, part: int, rows: Filter, k: int
) -> list[tuple[int, float]]:
    tests, bindings = _tests(rows)
    sql = _NEAREST.format(tests=tests)
    return _cosines(db.execute(sql, bindings | {"part": part, "query": query, "k": k}))


def _all(db: apsw.Connection, query: Vector, part: int, rows: Filter) -> list[tuple[int, float]]:
    tests, bindings = _tests(rows)
    sql = _ALL.format(tests=tests)
    return _cosines(db.execute(sql, bindings | {"part": part, "query": query}))


def _tests(rows: Filter) -> tuple[str, dict[str, Any]]:  # Any: what apsw binds
    tests = ""
    bindings: dict[str, Any] = {}
    if rows.chats is not None:
        tests += " and scope in (select value from carray(:chats))"
        bindings["chats"] = carray(rows.chats)
    if len(rows.without) > MOST_UNEQUAL:
        tests += _OTHERS
        bindings["without"] = carray(rows.without)
    else:
        for n, scope in enumerate(rows.without):
            tests += f" and scope != :without{n}"
            bindings[f"without{n}"] = scope
    if rows.since is not None or rows.until is not None:
        tests += " and at >= :since"
        bindings["since"] = rows.earliest
    if rows.until is not None:
        tests += " and at < :until"
        bindings["until"] = rows.until
    return tests, bindings


def _cosines(found: Iterable[tuple[Any, ...]]) -> list[tuple[int, float]]:  # Any: apsw
    near = [(rowid, distance) for rowid, distance in found]
    if any(distance is None for _, distance in near):
        raise IndexDamaged("index.db holds a vector that is none; run 'litemem index rebuild'")
    return [(rowid, 1 - distance * distance / 2) for rowid, distance in near]
