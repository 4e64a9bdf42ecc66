"""Many signals about a row to one score, with a name for each part of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log10, sqrt
from operator import attrgetter
from typing import Final, NamedTuple

from litemem.types import DEFAULT_IMPORTANCE, Profile

FULL_COVERAGE: Final = 0.15
"""Of a query's words by its best row, from which on keywords have their whole weight: a German
question to English text has 0.03, a dialogue 0.05, a plain question 0.25 (chosen on locomo)."""

BEST_OF_THREAD: Final = 3


class Candidate(NamedTuple):
    """What is known about one row that may answer; hundreds are made a query."""

    key: int
    id: str
    line: int = 0  # orders equals with one id: chunks of one text
    created_at: float | None = None  # seconds since 1970; newer goes first among equals
    vector: float | None = None  # cosine to the query, on any one scale; None: not compared
    keyword: float = 0.0  # bm25, higher is better; 0 where no word is found
    speaker: bool = False  # the query names who said it, or whom a note is about
    date: float = 0.0  # 1 where the query names its day, a share where that is likely meant
    time: bool = False  # the query asks when or how long, and the text names a time
    neighbours: float = 0.0  # the better bm25 of the rows before and after it
    thread: float = 0.0  # bm25 of its whole thread
    assistant: bool = False
    importance: float = DEFAULT_IMPORTANCE
    age_days: float | None = None  # None: no recency
    thread_key: int | None = None  # None where a thread is one row
    previous: int | None = None  # the keys of the rows beside it in its thread
    following: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """
    How much each part counts; measured on real chats, and not tuned to one of them.

    Chosen on half of the questions of seven sets, where the other half had to agree. Speaker and
    date stood at 0.10 and 0.15, both kinds of neighbours at 0.10 and 0.20, the assistant's turn at
    0.05: R@10 of locomo is 1.3 higher since, of realtalk 0.5, of beam100k 2.5, no set's lower. The
    default model has a vector share of 0.65: R@5 of beam100k is 2.8 higher than with 0.6, of
    madial_zh 3.1, R@10 of locomo and realtalk 0.2, and nDCG of cranfield 0.5 lower.

    Without speaker, neighbours, better_neighbour or thread R@10 falls by 0.9 to 3.1 on at least two
    sets, without time by 0.8 on realtalk (and MRR as much on locomo), without thread_best by 0.7 on
    locomo and 0.2 on two more; of the two kinds of neighbours, or of threads, neither replaces the
    other. Date (2.9 on locomo) and the assistant's turn (4.7 on beam100k) count where there are
    such questions and rows: on one set. No set has importances, or rows of the last days.

    Importance and recency are shares of a row's relevance (its vector and keyword parts), so that
    they order rows that match and never carry one that doesn't.
    """

    vector: float = 0.6
    keyword: float = 0.4
    speaker: float = 0.20
    date: float = 0.30
    time: float = 0.10
    neighbours: float = 0.15
    thread: float = 0.10
    not_assistant: float = 0.10
    better_neighbour: float = 0.15  # of its score
    thread_best: float = 0.10  # of the mean score of the thread's three best rows
    importance: float = 0.20  # from importance 0 to 1; the default importance counts nothing
    recency: float = 0.10  # today; half of it for yesterday

    @classmethod
    def for_vector(cls, share: float) -> Weights:
        """Return the weights for a model whose vectors carry this share, 0..1."""
        return cls(vector=share, keyword=1 - share)


class Scored(NamedTuple):
    """A row's place in the answer; the parts, summed in their order, are the score."""

    key: int
    score: float
    parts: dict[str, float]


def fuse(
    candidates: Sequence[Candidate], weights: Weights | None = None, *, coverage: float = 1.0
) -> list[Scored]:
    """
    Score each candidate and return them best first; equal ones newest first, then by id and line.

    Vector and keyword scores are stretched to 0..1 over the candidates. A row without a vector is
    judged by its keywords alone, and so are all rows where none has one. About 1 ms for 300.

    Args:
        candidates: with distinct keys, in any order.
        weights: default `Weights()`.
        coverage: how much of the query its best row covers, see `coverage_of`; where it's little,
            the keywords' weight goes to the vectors.
    """
    if not candidates:
        return []
    weights = weights or Weights()
    parts = _own_parts(candidates, weights, coverage)
    totals = [sum(one.values()) for one in parts]
    _add_neighbours(candidates, weights, parts, totals)
    _add_threads(candidates, weights, parts, totals)
    _add_boosts(candidates, weights, parts)
    order = sorted(
        (-sum(own.values()), -(one.created_at or 0.0), one.id, one.line, one.key, own)
        for one, own in zip(candidates, parts, strict=True)
    )
    return [Scored(key=key, score=-score, parts=own) for score, _, _, _, key, own in order]


def coverage_of(best: float, weights: Iterable[float]) -> float:
    """
    Return how much of a query its best row covers: its bm25 as a share of the most it could be.

    Args:
        best: the bm25 of the best row.
        weights: the inverse document frequencies of the query's words, absent ones too.
    """
    most = 2.2 * sum(weights)  # k1 + 1: what bm25 gives a word said often in a short row
    return best / most if most > 0 else 0.0


def rescaled(cosine: float, profile: Profile) -> float:
    """Return a cosine on the model's own scale: 0 unrelated, 1 a question and its answer."""
    span = profile.typical_related - profile.typical_unrelated
    return (cosine - profile.typical_unrelated) / span


def clamped(value: float) -> float:
    """Return the nearest number in 0..1."""
    return min(1.0, max(0.0, value))


def evidence(best: float, mean: float, n: int, profile: Profile) -> float:
    """
    Return how sure it is that a query is about any of the stored texts, from its cosines alone.

    The geometric mean of two things on the model's scale: how near the nearest text is, and how
    much nearer than the others. Neither tells nonsense by itself: a made-up word is rather near to
    everything, and so is any Chinese text to a Chinese one.

    Args:
        best: the cosine of the nearest text.
        mean: the mean cosine of all n texts, the nearest included.
        n: at least 1.
        profile: of the model.
    """
    near = rescaled(best, profile)
    # A lone text has nothing to be compared with: that speaks neither for nor against it.
    others = (n * mean - best) / (n - 1) if n > 1 else (best + profile.typical_unrelated) / 2
    apart = (best - others) / (profile.typical_related - profile.typical_unrelated)
    return sqrt(max(0.0, near) * max(0.0, apart))


def least_evidence(n: int, pieces_per_word: float = 1.0) -> float:
    """
    Return the `evidence` from which on vectors alone may answer a query.

    The nearest of many texts is nearer by chance, so it grows with their number n. A word that the
    model takes in many pieces is a rare one or none: plain English has 1.0 to 1.7 pieces a word,
    made-up words 2.5 to 5. Chosen so that it costs nothing on five sets of real questions, and
    refuses most made-up ones.
    """
    strange = min(2.0, max(0.0, pieces_per_word - 1.5))
    return min(0.6, 0.25 + 0.1 * log10(max(1, n))) + 0.2 * strange


def reference_score(
    *,
    cosine: float,
    keyword: float,
    importance: float,
    age_days: float | None,
    vector_weight: float = 0.7,
    keyword_weight: float = 0.3,
    importance_boost: float = 0.2,
    recency_boost: float = 0.1,
) -> dict[str, float]:
    """
    Return the parts of the reference's low-level score; their sum is the score.

    0.7 cosine + 0.3 keyword + 0.2 importance + 0.1 / (1 + age).

    Args:
        cosine: raw.
        keyword: bm25 as a share of the best row's, 0..1.
        importance: 0..1.
        age_days: fractional; below 0 counts as 0, None (a row without a time) as forever.
        vector_weight: of the cosine.
        keyword_weight: of the keyword score.
        importance_boost: of the importance.
        recency_boost: of the recency.
    """
    return {
        "vector": vector_weight * cosine,
        "keyword": keyword_weight * keyword,
        "importance": importance_boost * importance,
        "recency": 0.0 if age_days is None else recency_boost / (1 + max(0.0, age_days)),
    }


def _own_parts(
    candidates: Sequence[Candidate], weights: Weights, coverage: float
) -> list[dict[str, float]]:
    compared = [one.vector for one in candidates if one.vector is not None]
    keyword_weight, vector_weight = _main_weights(weights, coverage if compared else None)
    keywords = stretched(list(map(attrgetter("keyword"), candidates)))
    nearness = iter(stretched(compared))
    beside = stretched(list(map(attrgetter("neighbours"), candidates)))
    threads = stretched(list(map(attrgetter("thread"), candidates)))
    made = []
    for one, keyword, near, thread in zip(candidates, keywords, beside, threads, strict=True):
        own = {"keyword": keyword_weight * keyword}
        if compared:
            own["vector"] = vector_weight * (keyword if one.vector is None else next(nearness))
        if near:
            own["neighbours"] = weights.neighbours * near
        if thread and one.thread_key is not None:
            own["thread"] = weights.thread * thread
        if one.speaker or one.date or one.time:
            _add_bonuses(one, weights, own)
        made.append(own)
    return made


def _add_bonuses(one: Candidate, weights: Weights, own: dict[str, float]) -> None:
    if one.speaker:
        own["speaker"] = weights.speaker
    if one.date:
        own["date"] = weights.date * one.date
    if one.time:
        own["time"] = weights.time


def _main_weights(weights: Weights, coverage: float | None) -> tuple[float, float]:
    both = weights.vector + weights.keyword
    if coverage is None:
        return both, 0.0
    keyword = weights.keyword * min(1.0, coverage / FULL_COVERAGE)
    return keyword, both - keyword


def _add_neighbours(
    candidates: Sequence[Candidate],
    weights: Weights,
    parts: list[dict[str, float]],
    totals: list[float],
) -> None:
    """Let a row share in the better of the two rows beside it, as they are by themselves."""
    by_key = {one.key: total for one, total in zip(candidates, totals, strict=True)}
    for i, one in enumerate(candidates):
        before = by_key.get(one.previous, 0.0) if one.previous is not None else 0.0
        after = by_key.get(one.following, 0.0) if one.following is not None else 0.0
        better = weights.better_neighbour * max(before, after)
        if better:
            parts[i]["better_neighbour"] = better
            totals[i] += better


def _add_threads(
    candidates: Sequence[Candidate],
    weights: Weights,
    parts: list[dict[str, float]],
    totals: list[float],
) -> None:
    """Let a row share in the best rows of its thread."""
    threads: dict[int, list[float]] = {}
    for one, total in zip(candidates, totals, strict=True):
        if one.thread_key is not None:
            threads.setdefault(one.thread_key, []).append(total)
    shares = {}
    for thread, found in threads.items():
        best = sorted(found, reverse=True)[:BEST_OF_THREAD]
        shares[thread] = weights.thread_best * sum(best) / len(best)
    for one, own in zip(candidates, parts, strict=True):
        if one.thread_key is not None:
            own["thread_best"] = shares[one.thread_key]


def _add_boosts(
    candidates: Sequence[Candidate], weights: Weights, parts: list[dict[str, float]]
) -> None:
    for one, own in zip(candidates, parts, strict=True):
        if not one.assistant:  # of the row alone: beside an assistant's turn stands its question
            own["not_assistant"] = weights.not_assistant
        relevance = own.get("vector", 0.0) + own["keyword"]
        if one.importance != DEFAULT_IMPORTANCE:
            boost = weights.importance * (one.importance - DEFAULT_IMPORTANCE)
            own["importance"] = boost * relevance
        if one.age_days is not None:
            own["recency"] = weights.recency / (1 + max(0.0, one.age_days)) * relevance


def stretched(values: Sequence[float]) -> list[float]:
    """Return the values from 0, the least of them, to 1; where all are equal, 1 if above 0."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    span = high - low
    if span > 0:
        return [(value - low) / span for value in values]
    return [1.0 if high > 0 else 0.0] * len(values)
