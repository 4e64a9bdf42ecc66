"""What the index says about the rows that may answer a query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from math import inf, nan
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from litemem.index import keyword, measure, scan
from litemem.index.neighbours import Row, neighbours
from litemem.index.neighbours import rows as read_rows
from litemem.memory.asked import Asked
from litemem.memory.meant import Meant
from litemem.text.fusion import Candidate
from litemem.text.head import read_head
from litemem.text.timewords import speaks_of_time
from litemem.types import Vector

if TYPE_CHECKING:
    import apsw

    from litemem.index.filters import Filter
    from litemem.index.scanner import Scanner

POOL: Final = 100  # candidates of each side, however many are asked for
SURROUNDED: Final = 30  # the best of each side, whose neighbours are scored too: 50 and 100 gain
#   nothing on any set, and none costs 0.3 to 0.7 R@10 on chats

FEW: Final = 5  # rows of a day that the query names; if fewer are found by words and vectors, ...
DATED: Final = 50  # ... so many come in whatever they say: more would crowd out better ones
DAYS: Final = 4  # of a query, the first ones: a pasted page may name hundreds

_LOOKED_AT: Final = 2000  # characters of a text, for times and names
_ALONE: Final = (None, None)
_MATCHED: Final[dict[tuple[bool, bool], tuple[str, ...]]] = {
    (True, True): ("keyword", "vector"),
    (True, False): ("keyword",),
    (False, True): ("vector",),
    (False, False): (),  # context only
}

Beside: TypeAlias = Mapping[int, tuple[int | None, int | None]]
Found: TypeAlias = Sequence[tuple[int, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One query to one state of the index."""

    db: apsw.Connection  # able to use vectors where `meant` is given
    scanner: Scanner
    rows: Filter  # which may answer
    asked: Asked
    meant: Meant | None  # None: keywords alone decide
    floor: float | None  # see litemem.memory.search.search
    now: datetime | None  # for ages; None: recency doesn't count
    held: dict[int, Vector] = field(default_factory=dict)  # vectors read so far
    counted: keyword.Counted = field(default_factory=dict)  # rows that hold a word

    def nearest(self, k: int) -> Callable[[], list[tuple[int, float]]]:
        """Begin to look for the k rows nearest to what is meant; return what gives them."""
        if self.meant is None:
            return list
        return self.scanner.begin(self.db, self.meant.centred, self.rows, k, self.held)

    def vectors(self, keys: Sequence[int]) -> dict[int, Vector]:
        """Return the vectors of those of these rows that have one; none where none is meant."""
        if self.meant is None:
            return {}
        others = [key for key in keys if key not in self.held]
        self.held.update(self.scanner.vectors(self.db, self.rows, others))
        self.held.update(scan.embeddings(self.db, [key for key in others if key not in self.held]))
        return {key: self.held[key] for key in keys if key in self.held}

    def cosines(self, vectors: Mapping[int, Vector]) -> dict[int, float]:
        """Return the cosine of the query itself and each of these rows."""
        return {} if self.meant is None else measure.cosines(vectors, self.meant.vector)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The rows that one query is decided among."""

    candidates: tuple[Candidate, ...] = ()
    matched: Mapping[int, tuple[str, ...]]  # of those that may be shown; the others are context
    coverage: float = 0.0
    best_keyword: float = 0.0
    sure: bool = False  # vectors alone may answer
    more_words: bool = False  # there may be other matches by keyword
    more_near: bool = False  # there are other rows with a vector


class _Rows(NamedTuple):
    facts: dict[int, Row]
    beside: Beside
    around: set[int]  # those which only stand beside others that were found
    of_days: list[int]  # those which are here only for their day


def gather(question: Question, *, context: bool = True) -> Pool:
    """
    Find the candidates of both sides, with all that is known about each.

    With `context` their neighbours are candidates too, and what was said on days that the query
    names; and neighbours and threads are looked at.
    """
    db, asked, meant = question.db, question.asked, question.meant
    looking = question.nearest(POOL)
    found = keyword.search(db, asked.words, question.rows, POOL, question.counted)
    near = looking()
    rows = _rows(question, found, near, context=context)
    if not rows.facts:
        return Pool(matched={})
    vectors = question.vectors(list(rows.facts))
    nearness: Mapping[int, float] = {}
    if meant is not None:
        pool = vectors.keys() - set(rows.of_days)
        named = [key for key in pool if context and asked.about(rows.facts[key].head).speaker]
        nearness = _no_lower(meant.nearness(vectors, named), pool)
    candidates = _candidates(question, rows.facts, rows.beside, dict(found), nearness)
    cosines = question.cosines(vectors)
    nearest = max(cosines.values(), default=None)
    sure = meant is not None and nearest is not None and meant.is_sure(nearest)
    least = least_cosine(question, sure=sure)
    matched = {
        one.key: (*names, "neighbour") if one.key in rows.around else names
        for one in candidates
        if (names := _ways(one, cosines.get(one.key, nan) >= least))
    }
    best = found[0][1] if found else 0.0
    return Pool(
        candidates=candidates,
        matched=matched,
        coverage=measure.coverage(db, asked.words, best, question.counted),
        best_keyword=best,
        sure=sure,
        more_words=len(found) == POOL,
        more_near=len(near) == POOL,
    )


def _rows(question: Question, found: Found, near: Found, *, context: bool) -> _Rows:
    db, core = question.db, _distinct(found, near)
    if not context:
        return _Rows(read_rows(db, core), {}, set(), [])
    beside = neighbours(db, core)
    around = _around(_distinct(found[:SURROUNDED], near[:SURROUNDED]), beside).difference(core)
    around &= measure.allowed(db, question.rows, sorted(around))
    facts = read_rows(db, [*core, *sorted(around)])
    of_days = _of_named_days(question, facts)
    beside |= neighbours(db, [*sorted(around), *of_days])
    return _Rows(facts | read_rows(db, of_days), beside, around, of_days)


def _of_named_days(question: Question, facts: Mapping[int, Row]) -> list[int]:
    """Return rows of each day that the query names of which hardly one is among those found."""
    days = [named.one_day for named in question.asked.dates if named.one_day is not None]
    if not days:
        return []
    known = Counter(read_head(row.head)[1] for row in facts.values())
    found: set[int] = set()
    for day in days[:DAYS]:
        if known[day] < FEW:
            found.update(measure.of_day(question.db, question.rows, day, DATED))
    return sorted(found.difference(facts))


def _no_lower(nearness: Mapping[int, float], pool: Set[int]) -> Mapping[int, float]:
    """Lift rows that only their day brought in to the least of the pool: it sets the scale."""
    least = min((nearness[key] for key in pool), default=0.0)
    return {key: max(near, least) for key, near in nearness.items()}


def _ways(one: Candidate, is_near: bool) -> tuple[str, ...]:  # noqa: FBT001
    """Return by what a row answers; by nothing where it's context only."""
    names = _MATCHED[one.keyword > 0, is_near]
    return (*names, "date") if one.date == 1.0 else names


def least_cosine(question: Question, *, sure: bool) -> float:
    """Return from which cosine to the query on a row without a keyword may be shown."""
    if question.meant is None or (question.floor is None and not sure):
        return inf
    profile = question.meant.profile
    if question.floor == 0:
        return -inf
    span = profile.typical_related - profile.typical_unrelated
    return profile.typical_unrelated + (question.floor or 0.0) * span


def _candidates(
    question: Question,
    facts: Mapping[int, Row],
    beside: Beside,
    known: dict[int, float],
    nearness: Mapping[int, float],
) -> tuple[Candidate, ...]:
    """Return these rows as candidates; `known` is the bm25 of some."""
    db, words = question.db, question.asked.words
    others = _around(facts, beside).union(facts).difference(known)
    bm25 = known | keyword.scores(db, words, sorted(others))
    in_threads = {row.thread for key, row in facts.items() if beside.get(key, _ALONE) != _ALONE}
    threads = keyword.thread_scores(
        db, words, sorted(in_threads), question.counted, question.scanner.threads
    )
    now = None if question.now is None else question.now.timestamp()
    return tuple(
        _candidate(row, question.asked, beside, bm25, nearness, threads, now)
        for row in facts.values()
    )


def _candidate(
    row: Row,
    asked: Asked,
    beside: Beside,
    bm25: Mapping[int, float],
    nearness: Mapping[int, float],
    threads: Mapping[int, float],
    now: float | None,
) -> Candidate:
    before, after = around = beside.get(row.rowid, _ALONE)
    about = asked.about(row.head)
    speaker = about.speaker
    if asked.names is not None and not about.somebody:
        speaker = asked.tells_of(row.text[:_LOOKED_AT])
    at = None if row.at is None else row.at / 1e6
    # By place, as that takes a third of the time: in the order of its fields.
    return Candidate(
        row.rowid,
        row.id,
        row.line,
        at,
        nearness.get(row.rowid),
        bm25.get(row.rowid, 0.0),
        speaker,
        about.date,
        asked.when and speaks_of_time(row.text[:_LOOKED_AT]),
        max(bm25.get(before or 0, 0.0), bm25.get(after or 0, 0.0)),
        threads.get(row.thread, 0.0),
        about.assistant,
        row.importance,
        None if at is None or now is None else (now - at) / 86_400,
        row.thread if around != _ALONE else None,
        before,
        after,
    )


def _around(keys: Iterable[int], beside: Beside) -> set[int]:
    return {row for key in keys for row in beside.get(key, ()) if row is not None}


def _distinct(*lists: Sequence[tuple[int, float]]) -> list[int]:
    return list(dict.fromkeys(key for found in lists for key, _ in found))
