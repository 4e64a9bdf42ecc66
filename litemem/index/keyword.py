"""Rows by their words: bm25 over the FTS5 table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log
from typing import Final

import apsw

from litemem.index.filters import Filter, carray
from litemem.index.words import any_of

MARGIN: Final = (
    100  # rows fetched beyond k, so that equal scores at the cut seldom need a second look
)
MANY: Final = 20_000  # rows; bm25 costs 0.5 us a row, finding a row 0.03 us
RARE_ENOUGH: Final = 5_000  # rows matched by the rare words that alone admit candidates then
PAIRED: Final = 8  # of the other words, the rarest, admit a row by two of them
MOST: Final = 0.5  # a scope of more than this share of the index is sifted after scoring
K1, B = 1.2, 0.75  # as FTS5's bm25

_BEST: Final = """
select rowid, bm25(words, 0.0, 1.0) as score from words where words match :match
order by score limit :limit
"""
_NARROWED: Final = """
select rowid, bm25(words, 0.0, 1.0) as score from words where words match :match
and +rowid in (select rowid from words where words match :narrow)
order by score limit :limit
"""
_ALLOWED: Final = """
select doc.rowid, doc.id from doc
where doc.rowid in (select value from carray(:rowids)) and {where}
"""
_SCORES: Final = """
select rowid, -bm25(words, 0.0, 1.0) from words
where words match :match and +rowid in (select value from carray(:rowids))
"""
_COUNT: Final = "select count(*) from words where words match ?"
_ROWS: Final = "select count(*) from words_docsize"
_SHARE: Final = """
select total(n) filter (where part in (select value from carray(?))) / max(total(n), 1) from centre
"""
_THREADS: Final = """
select rowid, thread from doc where state = 0 and thread in (select value from carray(?))
"""
_HOLDING: Final = """
select rowid from words where words match :match and +rowid in (select value from carray(:rowids))
"""


def search(
    db: apsw.Connection, words: Sequence[str], rows: Filter, k: int
) -> list[tuple[int, float]]:
    """
    Return the k best (rowid, bm25) for any of these phrases, best first.

    Equal scores are ordered by the rows' ids, so that the answer doesn't depend on the order of
    insertion. Where more than 20,000 rows match, rows that hold one common word alone are left out
    if enough others match.

    Args:
        db: a reader.
        words: what litemem.index.words.query_words returned.
        rows: which rows may answer.
        k: how many, at least 1.
    """
    if not words:
        return []
    scoped = _scope_narrows(db, rows)
    rare = _rare(db, words, scoped)
    best = _search(db, words, rows, " AND ".join(filter(None, (rare, scoped))), k)
    if rare and len(best) < k:
        best = _search(db, words, rows, scoped, k)
    return best


def scores(db: apsw.Connection, words: Sequence[str], rowids: Sequence[int]) -> dict[int, float]:
    """Return the bm25 of those of these rows that match at all."""
    if not words or not rowids:
        return {}
    bindings = {"match": any_of(words), "rowids": carray(rowids)}
    return dict(db.execute(_SCORES, bindings))


def idf(db: apsw.Connection, words: Sequence[str]) -> dict[str, float]:
    """Return each phrase's inverse document frequency as bm25 counts it, also of absent ones."""
    n = db.execute(_ROWS).get
    return {word: max(1e-6, log((n - df + 0.5) / (df + 0.5))) for word, df in _dfs(db, words)}


def thread_scores(
    db: apsw.Connection, words: Sequence[str], threads: Sequence[int]
) -> dict[int, float]:
    """
    Return a bm25-like score of each of these threads that matches, as if it were one document.

    A word counts once a row that holds it; a thread's length is its number of current rows, the
    mean length that of the threads asked for.
    """
    if not words or not threads:
        return {}
    thread_of = dict(db.execute(_THREADS, (carray(threads),)))
    if not thread_of:
        return {}
    lengths = Counter(thread_of.values())
    mean = len(thread_of) / len(lengths)
    rowids = carray(thread_of)
    found: dict[int, float] = {}
    for word, weight in idf(db, words).items():
        holding = db.execute(_HOLDING, {"match": any_of((word,)), "rowids": rowids})
        for thread, tf in Counter(thread_of[rowid] for (rowid,) in holding).items():
            norm = K1 * (1 - B + B * lengths[thread] / mean)
            found[thread] = found.get(thread, 0.0) + weight * tf * (K1 + 1) / (tf + norm)
    return found


def _search(
    db: apsw.Connection, words: Sequence[str], rows: Filter, narrow: str, k: int
) -> list[tuple[int, float]]:
    limit = k + MARGIN
    sql = _NARROWED if narrow else _BEST
    allowed_sql = _ALLOWED.format(where=rows.where)
    while True:
        bindings = {"match": any_of(words), "narrow": narrow, "limit": limit}
        found: list[tuple[int, float]] = [(row, s) for row, s in db.execute(sql, bindings)]
        if not found:
            return []
        cut = found[-1][1] if len(found) == limit else None
        allowed: dict[int, str] = dict(
            db.execute(
                allowed_sql,
                rows.bindings() | {"rowids": carray(row for row, _ in found)},
            )
        )
        # Rows of equal score at the cut came by rowid: they wait for a wider look.
        best = [(s, allowed[row], row) for row, s in found if row in allowed and s != cut]
        if cut is None or len(best) >= k:
            return [(row, -score) for score, _, row in sorted(best)[:k]]
        limit *= 8


def _scope_narrows(db: apsw.Connection, rows: Filter) -> str:
    """Return the FTS5 filter, or "" where most of the index may answer and is sifted after."""
    if rows.chats is None and db.execute(_SHARE, (carray(rows.parts),)).get > MOST:
        return ""
    return rows.match


def _rare(db: apsw.Connection, words: Sequence[str], scoped: str) -> str:
    """Return the FTS5 expression for the rows worth scoring, or "" where all of them are."""
    if len(words) < 2 or db.execute(_ROWS).get <= MANY:
        return ""
    dfs = sorted((df, word) for word, df in _dfs(db, words))
    if sum(df for df, _ in dfs) <= MANY:
        return ""
    if scoped and db.execute(_COUNT, (f"{any_of(words)} AND {scoped}",)).get <= MANY:
        return ""
    admitted = 0
    seen = 0
    for df, _ in dfs:
        if seen + df > RARE_ENOUGH and admitted:
            break
        seen += df
        admitted += 1
    rare = [word for _, word in dfs[:admitted]]
    common = [word for _, word in dfs[admitted:]][:PAIRED]
    return any_of([*rare, *_pairs(common)])


def _pairs(words: Sequence[str]) -> Iterator[str]:
    """Yield expressions that together find the rows with at least two of the words."""
    for i, word in enumerate(words[:-1]):
        yield f"({word} AND ({' OR '.join(words[i + 1 :])}))"


def _dfs(db: apsw.Connection, words: Sequence[str]) -> list[tuple[str, int]]:
    return [(word, db.execute(_COUNT, (any_of((word,)),)).get) for word in words]
