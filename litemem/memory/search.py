"""Search: words and vectors to one ranked page of hits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias, get_args, runtime_checkable

from litemem.errors import EmbedError, InvalidQuery
from litemem.index import keyword, measure
from litemem.index.filters import Filter, resolve
from litemem.index.read import by_rowids, progress
from litemem.index.vectors import pending
from litemem.index.words import query_words
from litemem.memory.signals import Asked, Meant, Pool, admits, gather, meaning
from litemem.text.fusion import Scored, Weights, clamped, fuse, rescaled
from litemem.text.snippet import snippet
from litemem.types import Embedder, Hit, Kind, Place, Scope, Vector

if TYPE_CHECKING:
    import apsw

    from litemem.index.docs import StoredDoc
    from litemem.index.scanner import Scanner
    from litemem.index.store import Index
    from litemem.memory.workspace import Embedders

Mode: TypeAlias = Literal["hybrid", "semantic", "keyword"]

MODES: Final[tuple[Mode, ...]] = get_args(Mode)
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """A page of hits, best first; behaves like the tuple of them."""

    hits: tuple[Hit, ...] = ()
    note: str | None = None  # what the answer lacks: "keyword only: ...", "vectors 40 %"

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, place: int) -> Hit:
        return self.hits[place]


@runtime_checkable
class CountsTokens(Protocol):
    """An embedder that can say in how many pieces it takes a text."""

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text has."""
        ...


def search(
    index: Index,
    embedders: Embedders | None,
    query: str,
    scope: Scope,
    *,
    limit: int = 10,
    offset: int = 0,
    mode: Mode = "hybrid",
    floor: float | None = None,
    now: datetime | None = None,
) -> Results:
    """
    Return the rows that answer a query, best first; any text is a valid query.

    The best 100 by words and the best 100 by vectors are scored together, whatever page is asked
    for; behind them come the other matches by keyword, then by vector. Pages are disjoint.

    Args:
        index: of the home.
        embedders: where the query's vector comes from; None: keywords alone.
        query: '' and text without letters or digits may have no hits.
        scope: which rows may answer; times are aware.
        limit: hits at most, from 1.
        offset: hits to leave out, from 0.
        mode: "semantic" leaves out the keywords, "keyword" the vectors. Without a model, or with
            one that fails, each mode is "keyword", and the note says so.
        floor: the least similarity, 0..1, of a hit in which no word of the query stands; 0 admits
            all. By default such a hit must be nearer than unrelated texts are, and the query's
            best one so much nearer than the rest that the query isn't nonsense.
        now: for the recency of facts, aware; None: recency doesn't count.

    Raises:
        InvalidQuery: limit, offset, mode, floor, kinds or times are out of their range.
    """
    _check(scope, limit, offset, mode, floor)
    asked = Asked.of(query, query_words(query))
    vector, embedder, note = _vector(embedders, query) if mode != "keyword" else (None, None, None)
    if mode == "semantic" and vector is not None:
        asked = Asked.of(query, ())
    with index.reading(vectors=vector is not None) as db:
        rows = resolve(db, scope)
        if rows is None:
            return Results(note=note)
        meant = None
        if vector is not None and embedder is not None:
            pieces = _pieces_per_word(embedder, query)
            meant = meaning(db, rows, vector, embedder.profile, pieces)
            note = _progress(db, scope.user)
        answer = _Answer(db, index.scanner, rows, asked, meant, floor, now)
        return Results(hits=answer.hits(limit, offset, query), note=note)


class _Answer:
    """One query's answer in its whole order, as far as a page needs it."""

    def __init__(
        self,
        db: apsw.Connection,
        scanner: Scanner,
        rows: Filter,
        asked: Asked,
        meant: Meant | None,
        floor: float | None,
        now: datetime | None,
    ) -> None:
        self._db, self._rows, self._asked, self._meant = db, rows, asked, meant
        self._scanner = scanner
        self._floor = floor
        self._by_vector: set[int] = set()  # of the rows behind the pool
        self._pool: Pool = gather(db, scanner, rows, asked, meant, floor=floor, now=now)

    def hits(self, limit: int, offset: int, query: str) -> tuple[Hit, ...]:
        """Return the hits from `offset` on."""
        wanted = limit + offset
        whole = chain(self._fused(), self._other_matches(wanted))
        page = list(islice(self._merged(whole, wanted), offset, wanted))
        keys = [one.key for one, _ in page]
        meant = self._meant
        cosines = measure.cosines(self._db, meant.centred, meant.vector, keys) if meant else {}
        terms = [phrase.strip('" *') for phrase in query_words(query)]
        return tuple(
            _hit(
                one,
                stored,
                matched=self._matched(one.key),
                similarity=_similarity(meant, cosines.get(one.key)),
                terms=terms,
            )
            for one, stored in page
        )

    def _matched(self, key: int) -> tuple[str, ...]:
        # Behind the pool stand first all that match by keyword, then what vectors alone found.
        behind = ("vector",) if key in self._by_vector else ("keyword",)
        return self._pool.matched.get(key, behind)

    def _fused(self) -> list[Scored]:
        weights = Weights.for_vector(self._meant.profile.vector_weight) if self._meant else None
        scored = fuse(self._pool.candidates, weights, coverage=self._pool.coverage)
        return [one for one in scored if one.key in self._pool.matched]

    def _other_matches(self, wanted: int) -> Iterator[Scored]:
        """Yield the matches behind the pool: all by keyword, then those near enough by vector."""
        seen = {one.key for one in self._pool.candidates}
        if self._asked.words:
            # All at once: where a word is very common, fewer would come in another order.
            for key, _ in keyword.search(self._db, self._asked.words, self._rows, ALL_ROWS):
                if key not in seen:
                    seen.add(key)
                    yield Scored(key=key, score=0.0)
        if self._meant is not None:
            yield from self._other_near(self._meant, seen, wanted)

    def _other_near(self, meant: Meant, seen: set[int], wanted: int) -> Iterator[Scored]:
        keys = self._scanner.nearest(self._db, meant.centred, self._rows, wanted + len(seen))
        rest = [key for key, _ in keys if key not in seen]
        near = measure.cosines(self._db, meant.centred, meant.vector, rest)
        for key in rest:
            if key in near and admits(meant, near[key][1], self._floor, sure=self._pool.sure):
                self._by_vector.add(key)
                yield Scored(key=key, score=0.0)

    def _merged(self, whole: Iterator[Scored], wanted: int) -> Iterator[tuple[Scored, StoredDoc]]:
        """Leave one hit of each text: its best chunk."""
        shown: set[tuple[str, str, str]] = set()
        while batch := list(islice(whole, min(wanted, _BATCH))):
            docs = by_rowids(self._db, [one.key for one in batch])
            for one in batch:
                stored = docs[one.key]
                text = stored.path, stored.doc.kind, stored.doc.id
                if text not in shown:
                    shown.add(text)
                    yield one, stored


_BATCH: Final = 100
ALL_ROWS: Final = 1_000_000


def _check(scope: Scope, limit: int, offset: int, mode: str, floor: float | None) -> None:
    if limit < 1:
        raise InvalidQuery(f"limit is {limit}; it must be at least 1")
    if offset < 0:
        raise InvalidQuery(f"offset is {offset}; it must be at least 0")
    if mode not in MODES:
        raise InvalidQuery(f"mode {mode!r} is unknown; it must be one of {', '.join(MODES)}")
    if floor is not None and not 0 <= floor <= 1:
        raise InvalidQuery(f"floor is {floor}; it must be 0 to 1")
    _check_scope(scope)


def _check_scope(scope: Scope) -> None:
    wrong = [kind for kind in scope.kinds if kind not in KINDS]
    if wrong or not scope.kinds:
        found = f"kind {wrong[0]!r} is unknown" if wrong else "no kind is given"
        raise InvalidQuery(f"{found}; it must be of {', '.join(KINDS)}")
    for name, when in (("since", scope.since), ("until", scope.until)):
        if when is not None and when.tzinfo is None:
            raise InvalidQuery(f"{name} {when.isoformat()} has no time zone")


def _vector(
    embedders: Embedders | None, query: str
) -> tuple[Vector | None, Embedder | None, str | None]:
    """Return the query's vector and its embedder, or why there is none."""
    embedder = embedders.get() if embedders is not None else None
    if embedder is None:
        trouble = embedders.trouble if embedders is not None else None
        return None, None, f"keyword only: {trouble or 'there is no embedding model'}"
    try:
        return embedder.embed_query(query), embedder, None
    except EmbedError as error:
        return None, None, f"keyword only: {error}"


def _pieces_per_word(embedder: Embedder, query: str) -> float:
    """Return in how many pieces the model takes a word of the query; 1 where it can't be told."""
    if not isinstance(embedder, CountsTokens):
        return 1.0
    words = [phrase.strip('"') for phrase in query_words(query) if phrase.isascii()]
    words = [word for word in words if word.isalpha()]
    if not words:
        return 1.0
    return sum(embedder.count_tokens(word) for word in words) / len(words)


def _progress(db: apsw.Connection, user: str) -> str | None:
    if not pending(db, 1):
        return None
    done, total = progress(db, user)
    return f"vectors {100 * done // max(1, total)} %"


def _similarity(meant: Meant | None, cosines: tuple[float, float] | None) -> float | None:
    if meant is None or cosines is None:
        return None
    return clamped(rescaled(cosines[1], meant.profile))


def _hit(
    one: Scored,
    stored: StoredDoc,
    *,
    matched: tuple[str, ...],
    similarity: float | None,
    terms: Sequence[str],
) -> Hit:
    doc = stored.doc
    return Hit(
        id=doc.id,
        kind=doc.kind,
        content=doc.text,
        category=doc.category,
        importance=doc.importance,
        tags=doc.tags,
        similarity=similarity,
        score=one.score,
        created_at=doc.at,
        chat_id=doc.chat_id,
        speaker=doc.speaker,
        metadata=doc.metadata,
        source=Place(path=stored.path, line=doc.line, origin=doc.origin),
        matched=matched,
        snippet=snippet(doc.text, terms),
        parts=one.parts,
    )
