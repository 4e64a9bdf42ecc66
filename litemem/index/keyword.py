"""Rows by their words: bm25 over the FTS5 table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil, log
from typing import Final, TypeAlias

import apsw

from litemem.index.connection import fetch
from litemem.index.filters import Filter, carray
from litemem.index.scan import stored
from litemem.index.threads import Threads
from litemem.index.words import any_of

Counted: TypeAlias = dict[str, int]
"""How many rows hold each phrase, and under "" all rows; of one state each is counted once."""

MARGIN: Final = 30  # rows beyond k, so that equal scores at the cut seldom need a second look
MANY: Final = 20_000  # rows; bm25 costs 0.5 us a row, finding a row 0.03 us
RARE_ENOUGH: Final = 5_000  # rows matched by the rare words that alone admit candidates then
THREADED: Final = 2_000  # rows matched by the words that count for threads; 0.3 us a row
LONGEST: Final = 200  # rows of a thread that are counted, at 0.05 us each: a day may have thousands
PAIRED: Final = 8  # of the other words, the rarest, admit a row by two of them
SIFTED: Final = 0.05  # a scope of at least this share of the index is sifted out after scoring
SHARE_KNOWN: Final = 0.5  # rows with a vector, from which on no row needs to be looked at for it
SAMPLED: Final = 40  # rows that are looked at otherwise
K1, B = 1.2, 0.75  # as FTS5's bm25

_BEST: Final = """
select score, doc.id, doc.rowid, {where} from (
    select rowid, bm25(words) as score from words where words match :match {narrowed}
    order by score limit :limit
) as found cross join doc on doc.rowid = found.rowid
"""
_TO_RARE: Final = "and +rowid in (select rowid from words where words match :rare)"
_TO_SCOPE: Final = "and +rowid in (select doc.rowid from doc where {where})"
_SCORES: Final = """
select rowid, -bm25(words) from words
where words match :match and +rowid in (select value from carray(:rowids))
"""
_COUNT: Final = "select count(*) from words where words match ?"
_ROWS: Final = "select count(*) from words_docsize"
_IN_SCOPE: Final = "select count(*) from (select 1 from doc where {where} limit :limit)"
_RANGE: Final = "select (select min(rowid) from doc), (select max(rowid) from doc)"
_SAMPLE: Final = """
select avg(coalesce({where}, 0)) from doc where rowid in (select value from carray(:sample))
"""
_LENGTHS: Final = f"""
select value, (select count(*) from (
    select 1 from doc where state = 0 and thread = value limit {LONGEST}
)) from carray(?)
"""  # noqa: S608  # a constant
_OF_WORD: Final = "select rowid from words where words match ?"


def search(
    db: apsw.Connection,
    words: Sequence[str],
    rows: Filter,
    k: int,
    counted: Counted | None = None,
) -> list[tuple[int, float]]:
    """
    Return the k best (rowid, bm25) for any of these phrases, best first.

    Equal scores are ordered by the rows' ids, so that the answer doesn't depend on the order of
    insertion. Where more than 20,000 rows may answer and match, rows that hold one common word
    alone are left out if enough others match.

    Args:
        db: a reader.
        words: what litemem.index.words.query_words returned.
        rows: which rows may answer.
        k: how many, at least 1.
        counted: filled with what was counted for it.
    """
    if not words:
        return []
    share = _share(db, rows, counted)
    are_many = len(words) > 1 and row_count(db, counted) > MANY
    rare = _rare(db, words, rows, counted) if are_many else ""
    best = _search(db, words, rows, k, share, rare)
    if rare and len(best) < k:
        best = _search(db, words, rows, k, share, "")
    return best


def scores(db: apsw.Connection, words: Sequence[str], rowids: Sequence[int]) -> dict[int, float]:
    """Return the bm25 of those of these rows that match at all."""
    if not words or not rowids:
        return {}
    bindings = {"match": any_of(words), "rowids": carray(rowids)}
    return dict(db.execute(_SCORES, bindings))


def idf(
    db: apsw.Connection, words: Sequence[str], counted: Counted | None = None
) -> dict[str, float]:
    """Return each phrase's inverse document frequency as bm25 counts it, also of absent ones."""
    n = row_count(db, counted)
    return {word: _idf(n, df) for word, df in _dfs(db, words, counted)}


def row_count(db: apsw.Connection, counted: Counted | None = None) -> int:
    """Return how many rows the keyword index has."""
    known = {} if counted is None else counted
    if "" not in known:
        known[""] = db.execute(_ROWS).get
    return known[""]


def thread_scores(
    db: apsw.Connection,
    words: Sequence[str],
    threads: Sequence[int],
    counted: Counted | None = None,
    known: Threads | None = None,
) -> dict[int, float]:
    """
    Return a bm25-like score of each of these threads that matches, as if it were one document.

    The threads asked for are the whole collection: a word that most of them have says little
    (R@10 of locomo and realtalk 0.2 to 1.5 higher than with the weights that words have among all
    rows). A word counts once a row that holds it; a thread's length is its number of current rows,
    200 at most. Where more than 2,000 rows match, the most common words don't count: most threads
    have them.
    """
    if not words or not threads:
        return {}
    lengths = {thread: n for thread, n in db.execute(_LENGTHS, (carray(threads),)) if n}
    if not lengths:
        return {}
    mean = sum(lengths.values()) / len(lengths)
    known = known or Threads()
    found: dict[int, float] = {}
    for word in _rarest(_dfs(db, words, counted), THREADED):
        rows = [row for (row,) in db.execute(_OF_WORD, (any_of((word,)),))]
        held = Counter(known.of(db, rows))
        holding = [thread for thread in lengths if thread in held]
        weight = _idf(len(lengths), len(holding))
        for thread in holding:
            tf, norm = held[thread], K1 * (1 - B + B * lengths[thread] / mean)
            found[thread] = found.get(thread, 0.0) + weight * tf * (K1 + 1) / (tf + norm)
    return found


def _search(
    db: apsw.Connection, words: Sequence[str], rows: Filter, k: int, share: float, rare: str
) -> list[tuple[int, float]]:
    narrowed = _TO_RARE if rare else ""
    limit = k + MARGIN
    if share < SIFTED:
        narrowed += _TO_SCOPE.format(where=rows.where)
    else:
        limit = ceil(limit / share)
    sql = _BEST.format(narrowed=narrowed, where=rows.where)
    bindings = rows.bindings() | {"match": any_of(words), "rare": rare}
    while True:
        found: list[tuple[float, str, int, int]] = fetch(db, sql, bindings | {"limit": limit})
        cut = max(row[0] for row in found) if len(found) == limit else None
        # Rows of equal score at the cut came by rowid: they wait for a wider look.
        best = [(score, id_, row) for score, id_, row, allowed in found if allowed and score != cut]
        if cut is None or len(best) >= k:
            return [(row, -score) for score, _, row in sorted(best)[:k]]
        limit *= 8


def _share(db: apsw.Connection, rows: Filter, counted: Counted | None) -> float:
    """Estimate which share of the index may answer, at least; only costs depend on it."""
    if rows.is_whole:
        embedded = stored(db, rows.parts) / max(1, row_count(db, counted))
        if embedded > SHARE_KNOWN:
            return min(1.0, embedded)
    first, last = db.execute(_RANGE).get
    if first is None:
        return 1.0
    sample = carray(range(first, last + 1, max(1, (last - first) // SAMPLED)))
    sql = _SAMPLE.format(where=rows.where)
    return float(db.execute(sql, rows.bindings() | {"sample": sample}).get or 0)


def _are_many(db: apsw.Connection, rows: Filter) -> bool:
    """Say whether more rows may answer than can be scored one by one."""
    sql = _IN_SCOPE.format(where=rows.where)
    return bool(db.execute(sql, rows.bindings() | {"limit": MANY + 1}).get > MANY)


def _rare(db: apsw.Connection, words: Sequence[str], rows: Filter, counted: Counted | None) -> str:
    """Return the FTS5 expression for the rows worth scoring, or "" where all of them are."""
    dfs = _dfs(db, words, counted)
    if sum(df for _, df in dfs) <= MANY or not _are_many(db, rows):
        return ""
    rare = _rarest(dfs, RARE_ENOUGH)
    common = [word for word, _ in sorted(dfs, key=_df) if word not in rare][:PAIRED]
    return any_of([*rare, *_pairs(common)])


def _rarest(dfs: Sequence[tuple[str, int]], most: int) -> list[str]:
    """Return the rarest words, at least one, that at most so many rows hold together."""
    words: list[str] = []
    held = 0
    for word, df in sorted(dfs, key=_df):
        if words and held + df > most:
            break
        words.append(word)
        held += df
    return words


def _idf(n: int, df: int) -> float:
    return max(1e-6, log((n - df + 0.5) / (df + 0.5)))


def _pairs(words: Sequence[str]) -> Iterator[str]:
    """Yield expressions that together find the rows with at least two of the words."""
    for i, word in enumerate(words[:-1]):
        yield f"({word} AND ({' OR '.join(words[i + 1 :])}))"


def _df(one: tuple[str, int]) -> tuple[int, str]:
    return one[1], one[0]


def _dfs(
    db: apsw.Connection, words: Sequence[str], counted: Counted | None
) -> list[tuple[str, int]]:
    known = {} if counted is None else counted
    for word in words:
        if word not in known:
            known[word] = db.execute(_COUNT, (any_of((word,)),)).get
    return [(word, known[word]) for word in words]
