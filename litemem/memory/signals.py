"""What the index says about the rows that may answer a query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import inf, nan
from typing import TYPE_CHECKING, Final

from litemem.index import keyword, measure, scan
from litemem.index.neighbours import Row, neighbours
from litemem.index.neighbours import rows as read_rows
from litemem.memory.asked import Asked
from litemem.text.fusion import Candidate, clamped, evidence, least_evidence, rescaled
from litemem.text.timewords import speaks_of_time
from litemem.types import Profile, Vector

if TYPE_CHECKING:
    import apsw

    from litemem.index.filters import Filter
    from litemem.index.scanner import Scanner

POOL: Final = 100  # candidates of each side, however many are asked for
SURROUNDED: Final = 30  # the best of each side, whose neighbours are scored too: 50 and 100 gain
#   nothing on any set, and none costs 0.3 to 0.7 R@10 on chats

_LOOKED_AT: Final = 2000  # characters of a text, for times
_ALONE: Final = (None, None)
_NOT_COMPARED: Final = (nan, nan)
_MATCHED: Final[dict[tuple[bool, bool], tuple[str, ...]]] = {
    (True, True): ("keyword", "vector"),
    (True, False): ("keyword",),
    (False, True): ("vector",),
    (False, False): (),  # context only
}

Beside = Mapping[int, tuple[int | None, int | None]]
Cosines = Mapping[int, tuple[float, float]]  # to the centred query and to the query itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """What a query means, as vectors."""

    vector: Vector
    centred: Vector  # what is looked for: without a share of what all stored texts have
    mean: float  # cosine of `vector` and all stored texts
    n: int  # stored texts
    profile: Profile
    pieces_per_word: float = 1.0

    @classmethod
    def of(
        cls,
        db: apsw.Connection,
        rows: Filter,
        vector: Vector,
        profile: Profile,
        pieces_per_word: float = 1.0,
    ) -> Meant:
        """Place a query's vector among the vectors that are stored."""
        n, mean = scan.mean(db, rows.parts)
        return cls(
            vector=vector,
            centred=scan.centred(vector, mean, profile.query_centering),
            mean=measure.mean_cosine(vector, mean) if n else 0.0,
            n=n,
            profile=profile,
            pieces_per_word=pieces_per_word,
        )

    def is_sure(self, best: float) -> bool:
        """Return whether vectors alone may answer, by the cosine of the nearest text."""
        shown = evidence(best, self.mean, self.n, self.profile)
        return shown >= least_evidence(self.n, self.pieces_per_word)

    def similarity(self, cosine: float) -> float:
        """Return a cosine to `vector` as it's shown: 0 unrelated, 1 a question and its answer."""
        return clamped(rescaled(cosine, self.profile))


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

    def nearest(self, k: int) -> list[tuple[int, float]]:
        """Return the k rows nearest to what is meant, with their cosines to it."""
        if self.meant is None:
            return []
        return self.scanner.nearest(self.db, self.meant.centred, self.rows, k, self.held)

    def cosines(self, keys: Sequence[int]) -> Cosines:
        """Return the cosines of those of these rows that have a vector."""
        if self.meant is None:
            return {}
        meant, others = self.meant, [key for key in keys if key not in self.held]
        self.held.update(self.scanner.vectors(self.db, self.rows, others))
        return measure.cosines(self.db, meant.centred, meant.vector, keys, self.held)


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


def gather(question: Question, *, context: bool = True) -> Pool:
    """
    Find the candidates of both sides, with all that is known about each.

    With `context` their neighbours are candidates too, and neighbours and threads are looked at.
    """
    db, asked, meant = question.db, question.asked, question.meant
    found = keyword.search(db, asked.words, question.rows, POOL)
    near = question.nearest(POOL)
    core = _distinct(found, near)
    if not core:
        return Pool(matched={})
    around: set[int] = set()
    beside: dict[int, tuple[int | None, int | None]] = {}
    if context:
        beside = neighbours(db, core)
        around = _around(_distinct(found[:SURROUNDED], near[:SURROUNDED]), beside).difference(core)
        around &= measure.allowed(db, question.rows, sorted(around))
        beside |= neighbours(db, sorted(around))
    keys = [*core, *sorted(around)]
    cosines = question.cosines(keys)
    candidates = _candidates(question, keys, beside, dict(found), cosines)
    nearest = max((raw for _, raw in cosines.values()), default=None)
    sure = meant is not None and nearest is not None and meant.is_sure(nearest)
    least = least_cosine(question, sure=sure)
    matched = {
        one.key: (*names, "neighbour") if one.key in around else names
        for one in candidates
        if (names := _MATCHED[one.keyword > 0, cosines.get(one.key, _NOT_COMPARED)[1] >= least])
    }
    best = found[0][1] if found else 0.0
    return Pool(
        candidates=candidates,
        matched=matched,
        coverage=measure.coverage(db, asked.words, best),
        best_keyword=best,
        sure=sure,
        more_words=len(found) == POOL,
        more_near=len(near) == POOL,
    )


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
    keys: Sequence[int],
    beside: Beside,
    known: dict[int, float],
    cosines: Cosines,
) -> tuple[Candidate, ...]:
    """Return these rows as candidates; `known` is the bm25 of some."""
    db, words = question.db, question.asked.words
    facts = read_rows(db, keys)
    others = _around(keys, beside).union(keys).difference(known)
    bm25 = known | keyword.scores(db, words, sorted(others))
    in_threads = {facts[key].thread for key in keys if beside.get(key, _ALONE) != _ALONE}
    threads = keyword.thread_scores(db, words, sorted(in_threads))
    now = None if question.now is None else question.now.timestamp()
    return tuple(
        _candidate(facts[key], question.asked, beside, bm25, cosines, threads, now) for key in keys
    )


def _candidate(
    row: Row,
    asked: Asked,
    beside: Beside,
    bm25: Mapping[int, float],
    cosines: Cosines,
    threads: Mapping[int, float],
    now: float | None,
) -> Candidate:
    before, after = around = beside.get(row.rowid, _ALONE)
    about = asked.about(row.head)
    at = None if row.at is None else row.at / 1e6
    # By place, as that takes a third of the time: in the order of its fields.
    return Candidate(
        row.rowid,
        row.id,
        row.line,
        at,
        cosines[row.rowid][0] if row.rowid in cosines else None,
        bm25.get(row.rowid, 0.0),
        about.speaker,
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
