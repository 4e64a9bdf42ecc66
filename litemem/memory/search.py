"""Search: words and vectors to one ranked page of hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import (
    TYPE_CHECKING,
    Final,
    Literal,
    TypeAlias,
    get_args,
    overload,
)

from litemem.errors import EmbedError, InvalidQuery
from litemem.index.filters import resolve
from litemem.index.read import progress
from litemem.index.vectors import pending
from litemem.index.words import query_words
from litemem.memory.answer import Answer
from litemem.memory.asked import Asked
from litemem.memory.meant import Meant
from litemem.memory.signals import Question, gather
from litemem.text.asking import questions, speakers, unlabelled
from litemem.text.fusion import Weights, fuse
from litemem.types import CountsTokens, Embedder, Hit, Kind, Scope, Vector

if TYPE_CHECKING:
    import apsw

    from litemem.index.store import Index
    from litemem.memory.workspace import Embedders

Mode: TypeAlias = Literal["hybrid", "semantic", "keyword"]

MODES: Final[tuple[Mode, ...]] = get_args(Mode)
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
NO_WORD: Final = 3.0  # pieces: `!!!` and emoji are as strange as a made-up word


@dataclass(frozen=True, slots=True, kw_only=True)
class Results(Sequence[Hit]):
    """A page of hits, best first; behaves like the tuple of them."""

    hits: tuple[Hit, ...] = ()
    note: str | None = None  # what the answer lacks: "keyword only: ...", "vectors 40 %"

    @overload
    def __getitem__(self, place: int) -> Hit: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...

    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[place]

    def __len__(self) -> int:
        return len(self.hits)


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
        query: '' and text without letters or digits may have no hits; of a very long one the
            first 100,000 characters count. Each question of a line that asks several is embedded
            too, four at most; roles before lines (`user: `) don't count, names there (`Ann: `) say
            whose memory is meant.
        scope: which rows may answer; times are aware.
        limit: hits at most, from 1.
        offset: hits to leave out, from 0.
        mode: "semantic" leaves out the keywords, "keyword" the vectors. Without a model, or with
            one that fails, each mode is "keyword", and the note says so.
        floor: the least similarity, 0..1, of a hit in which no word of the query stands and that
            isn't of a date that it names; 0 admits all. By default such a hit must be nearer than
            unrelated texts are, and the query's best one so much nearer than the rest that the
            query isn't nonsense.
        now: for the recency of facts, aware; None: recency doesn't count.

    Raises:
        InvalidQuery: limit, offset, mode, floor, kinds or times are out of their range.
    """
    if mode not in MODES:
        raise InvalidQuery(f"mode {mode!r} is unknown; it must be one of {', '.join(MODES)}")
    check(scope, limit, offset, floor)
    query = as_query(query)
    named = speakers(query)
    query = unlabelled(query)
    words = query_words(query)
    found = (None, (), None) if mode == "keyword" else _vectors(embedders, query)
    embedder, vectors, note = found
    asked = Asked.of(query, () if mode == "semantic" and vectors else words, named)
    with index.reading(vectors=bool(vectors)) as db:
        rows = resolve(db, scope)
        if rows is None:
            return Results(note=note)
        meant, weights = None, Weights()
        if embedder is not None and vectors:
            profile = embedder.profile
            pieces = _pieces_per_word(embedder, words)
            meant = Meant.of(db, rows, vectors[0], profile, pieces, vectors[1:])
            weights = Weights.for_vector(profile.vector_weight)
            note = _progress(db, scope.user)
        question = Question(
            db=db,
            scanner=index.scanner,
            rows=rows,
            asked=asked,
            meant=meant,
            floor=floor,
            now=now,
        )
        pool = gather(question)
        scored = fuse(pool.candidates, weights, coverage=pool.coverage)
        hits = Answer(question, pool, scored).page(limit, offset, terms(words))
        return Results(hits=hits, note=note)


MOST: Final = 1_000_000_000  # rows of a page, or before it
LONGEST: Final = 100_000  # characters of a query that are read: about 10,000 words


def as_query(text: object) -> str:
    """Return a query, cut where it is very long. Raises InvalidQuery: it isn't text."""
    if not isinstance(text, str):
        raise InvalidQuery(f"a query is text, not {type(text).__name__}")
    return text[:LONGEST]


def check(scope: Scope, limit: int, offset: int, floor: float | None) -> None:
    """Raise InvalidQuery where an argument of a search is out of its range."""
    _check_whole("limit", limit)
    _check_whole("offset", offset)
    if not 1 <= limit <= MOST:
        raise InvalidQuery(f"limit is {str(limit)[:40]}; it must be at least 1, at most {MOST}")
    if not 0 <= offset <= MOST:
        raise InvalidQuery(f"offset is {str(offset)[:40]}; it must be at least 0, at most {MOST}")
    if floor is not None and not 0 <= floor <= 1:
        raise InvalidQuery(f"floor is {floor}; it must be 0 to 1")
    wrong = [kind for kind in scope.kinds if kind not in KINDS]
    if wrong or not scope.kinds:
        found = f"kind {wrong[0]!r} is unknown" if wrong else "no kind is given"
        raise InvalidQuery(f"{found}; it must be of {', '.join(KINDS)}")
    for name, when in (("since", scope.since), ("until", scope.until)):
        if when is not None and when.tzinfo is None:
            raise InvalidQuery(f"{name} {when.isoformat()} has no time zone")


def _check_whole(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidQuery(f"{name} is a whole number, not {str(value)[:40]!r}")


def terms(words: tuple[str, ...]) -> list[str]:
    """Return a query's words as a text has them."""
    return [phrase.strip('" *') for phrase in words]


def _vectors(
    embedders: Embedders | None, query: str
) -> tuple[Embedder | None, tuple[Vector, ...], str | None]:
    """Return the embedder and the vectors of query and questions in it, or why there are none."""
    embedder = embedders.get() if embedders is not None else None
    if embedder is None:
        trouble = embedders.trouble if embedders is not None else None
        return None, (), f"keyword only: {trouble or 'there is no embedding model'}"
    try:
        made = [embedder.embed_query(text) for text in (query, *questions(query))]
    except EmbedError as error:
        return None, (), f"keyword only: {error}"
    return embedder, tuple(one for one in made if one is not None), None


def _pieces_per_word(embedder: Embedder, phrases: tuple[str, ...]) -> float:
    """Return in how many pieces the model takes a word of a query; 1 where it can't be told."""
    if not phrases:
        return NO_WORD
    words = [word for word in terms(phrases) if _is_word(word)]
    if not words or not isinstance(embedder, CountsTokens):
        return 1.0
    return sum(embedder.count_tokens(word) for word in words) / len(words)


def _is_word(text: str) -> bool:
    return text.isascii() and text.isalnum() and not text.isdigit()


def _progress(db: apsw.Connection, user: str) -> str | None:
    if not pending(db, 1):
        return None
    done, total = progress(db, user)
    return f"vectors {100 * done // max(1, total)} %" if done < total else None
