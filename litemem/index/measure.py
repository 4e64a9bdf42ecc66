"""What a search measures of its candidates: cosines, and how much of a query they cover."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from math import log
from typing import Final

import apsw

from litemem.index.docs import microseconds
from litemem.index.filters import Filter, carray
from litemem.index.keyword import Counted, idf, row_count
from litemem.text.fusion import coverage_of
from litemem.types import Vector

_EAST: Final = 14 * 3_600_000_000  # microseconds from where a day begins first to Greenwich
_WEST: Final = 36 * 3_600_000_000  # from a day's midnight at Greenwich to where it ends last
_ALLOWED: Final = "select rowid from doc where rowid in (select value from carray(:rowids)) and {}"
_OF_DAY: Final = """
select rowid from doc where {where} and head like :head order by at, id, line limit :most
"""
_CJK: Final = "\u2e80"  # the first of the characters that are cut into bigrams, about


def cosines(vectors: Mapping[int, Vector], query: Vector) -> dict[int, float]:
    """Return the cosine of a query and each of these vectors, in their order."""
    from litemem.index.planes import dots  # numpy, which came with the model

    return dict(zip(vectors, dots(list(vectors.values()), query), strict=True))


def mean_of(vectors: Sequence[Vector]) -> Sequence[float]:
    """Return the mean of these vectors (at least one), the same in whatever order they are."""
    from litemem.index.planes import mean

    return mean(vectors)


def allowed(db: apsw.Connection, rows: Filter, rowids: Sequence[int]) -> set[int]:
    """Return those of these rows that may answer."""
    if not rowids:
        return set()
    bindings = rows.bindings() | {"rowids": carray(rowids)}
    return {rowid for (rowid,) in db.execute(_ALLOWED.format(rows.where), bindings)}


def of_day(db: apsw.Connection, rows: Filter, day: date, most: int) -> list[int]:
    """Return the first of the rows that may answer and were said on a day of the home's zone."""
    midnight = microseconds(datetime(day.year, day.month, day.day, tzinfo=UTC))
    since, until = midnight - _EAST, midnight + _WEST
    near = replace(
        rows,
        since=since if rows.since is None else max(rows.since, since),
        until=until if rows.until is None else min(rows.until, until),
    )
    bindings = near.bindings() | {"head": f"%({day.isoformat()}): ", "most": most}
    return [row for (row,) in db.execute(_OF_DAY.format(where=near.where), bindings)]


def mean_cosine(query: Vector, mean: Sequence[float]) -> float:
    """Return the mean cosine of a query and all stored vectors, of which `mean` is the mean."""
    return sum(a * b for a, b in zip(array("f", query), mean, strict=True))


def coverage(
    db: apsw.Connection, words: Sequence[str], best: float, counted: Counted | None = None
) -> float:
    """
    Return how much of a query its best row covers, see `litemem.text.fusion.coverage_of`.

    A Chinese or Japanese bigram that is nowhere mostly lies across two words, so it doesn't count
    if any other is somewhere (memdaily_zh R@5 72.8 -> 74.2). Where all are nowhere the stored
    texts are in another language, and it does.
    """
    if not words:
        return 0.0
    n = row_count(db, counted)
    nowhere = max(1e-6, log((n + 0.5) / 0.5))
    weights = idf(db, words, counted)
    absent = {word for word in _bigrams(weights) if weights[word] >= nowhere}
    if absent == set(_bigrams(weights)):
        absent = set()
    return coverage_of(best, (weight for word, weight in weights.items() if word not in absent))


def _bigrams(words: Iterable[str]) -> list[str]:
    return [word for word in words if word[1:2] >= _CJK]
