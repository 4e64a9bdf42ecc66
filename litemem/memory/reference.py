"""The reference's low-level search: its formula over a vector and words that the caller brings."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from litemem.errors import InvalidQuery
from litemem.index.filters import resolve
from litemem.index.words import query_words
from litemem.memory.answer import Answer
from litemem.memory.asked import Asked
from litemem.memory.meant import Meant
from litemem.memory.search import Results, as_query, check, terms
from litemem.memory.signals import Pool, Question, gather
from litemem.text.fusion import Scored, reference_score
from litemem.types import Profile, Scope, Vector

if TYPE_CHECKING:
    from litemem.index.store import Index

_MOST_WEIGHT: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Boosts:
    """The reference's weights, at its defaults."""

    semantic: float = 0.7
    fts: float = 0.3
    importance: float = 0.2
    recency: float = 0.1

    def check(self) -> None:
        """Raise InvalidQuery unless all are numbers from 0 to a million."""
        for name, value in asdict(self).items():
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if not is_number or not 0 <= value <= _MOST_WEIGHT:
                raise InvalidQuery(f"the weight {name} is {value!r}; it must be 0 or more")


def reference_search(
    index: Index,
    query: str,
    vector: Vector | None,
    scope: Scope,
    *,
    now: datetime,
    profile: Profile | None = None,
    boosts: Boosts | None = None,
    limit: int = 10,
    offset: int = 0,
    floor: float | None = None,
) -> Results:
    """
    Rank rows by 0.7 cosine + 0.3 bm25 / best bm25 + 0.2 importance + 0.1 / (1 + age in days).

    Candidates are the best 100 by vector and the best 100 by words: importance and recency order
    them and admit none. Behind them come the other matches, so that pages are disjoint.

    Args:
        index: of the home.
        query: any text; '' leaves the vector alone.
        vector: of the query, of the index's dimension; None: words alone.
        scope: which rows may answer; times are aware.
        now: for ages, aware.
        profile: of the model that made the vectors; None: similarity is the cosine itself, and
            by default there is no floor.
        boosts: the weights.
        limit: hits at most, from 1.
        offset: hits to leave out, from 0.
        floor: as in `litemem.memory.search.search`.

    Raises:
        InvalidQuery: limit, offset, floor, kinds or times are out of their range.
    """
    check(scope, limit, offset, floor)
    query = as_query(query)
    weights = boosts or Boosts()
    weights.check()
    if profile is None:
        profile = Profile(typical_unrelated=0.0, typical_related=1.0)
        floor = 0.0 if floor is None else floor
    profile = replace(profile, query_centering=0.0)  # the formula's cosine is the plain one
    words = query_words(query)
    with index.reading(vectors=vector is not None) as db:
        rows = resolve(db, scope)
        if rows is None:
            return Results()
        question = Question(
            db=db,
            scanner=index.scanner,
            rows=rows,
            asked=Asked.of(query, words),
            meant=None if vector is None else Meant.of(db, rows, vector, profile),
            floor=floor,
            now=now,
        )
        pool = gather(question, context=False)
        scored = _scored(pool, weights)
        return Results(hits=Answer(question, pool, scored).page(limit, offset, terms(words)))


def _scored(pool: Pool, boosts: Boosts) -> list[Scored]:
    """Score the candidates, best first; equal ones newest first, then by id and line."""
    made = []
    for one in pool.candidates:
        parts = reference_score(
            cosine=one.vector or 0.0,
            keyword=one.keyword / pool.best_keyword if one.keyword > 0 else 0.0,
            importance=one.importance,
            age_days=one.age_days,
            vector_weight=boosts.semantic,
            keyword_weight=boosts.fts,
            importance_boost=boosts.importance,
            recency_boost=boosts.recency,
        )
        order = -sum(parts.values()), -(one.created_at or 0.0), one.id, one.line
        made.append((order, Scored(key=one.key, score=sum(parts.values()), parts=parts)))
    return [scored for _, scored in sorted(made, key=itemgetter(0))]
