"""The values that the layers hand to each other: frozen, checked where they are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NewType, Protocol, TypeAlias, runtime_checkable

JsonObject: TypeAlias = Mapping[str, Any]  # Any: a caller's JSON, handed back as it came
Kind: TypeAlias = Literal["fact", "block", "turn", "node"]
"""A row of the index: a fact, or a chunk of a block, of a transcript turn, of a session node."""

DEFAULT_USER = "default"
DEFAULT_CATEGORY = "general"
DEFAULT_IMPORTANCE = 0.5

Vector = NewType("Vector", bytes)
"""`dimension` little-endian float32, unit length; only `embed` and `index` look inside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a fact was said: a session, the line of its transcript, and when."""

    session: str
    line: int | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """How often a fact was restated after it was first written, and when last."""

    n: int
    last: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing worth remembering; one list item of a daily log."""

    id: str
    content: str
    created_at: datetime  # aware, UTC
    category: str = DEFAULT_CATEGORY
    importance: float = DEFAULT_IMPORTANCE  # 0..1
    tags: tuple[str, ...] = ()
    chat_id: str | None = None
    speaker: str | None = None
    metadata: JsonObject = field(default_factory=dict)
    replaces: str | None = None  # the fact whose place it takes, of several the main one
    merges: tuple[str, ...] = ()  # the others; only where `replaces` is there
    source: Origin | None = None
    seen: Seen | None = None

    @property
    def parents(self) -> tuple[str, ...]:
        """All the facts whose place it takes, the main one first."""
        return () if self.replaces is None else (self.replaces, *self.merges)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a row stands: a file below the home folder, its first line (from 1), and the origin."""

    path: str
    line: int
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One search result."""

    id: str
    kind: Kind
    content: str
    category: str
    importance: float
    tags: tuple[str, ...]
    similarity: float | None  # 0..1, rescaled cosine; None where no vector was compared
    score: float
    created_at: datetime | None
    chat_id: str | None
    speaker: str | None
    metadata: JsonObject
    source: Place
    matched: tuple[str, ...]  # of "keyword", "vector", "date", "neighbour"
    snippet: str
    parts: Mapping[str, float] = field(default_factory=dict)  # their sum is `score`


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something in a file that couldn't be read as meant; reading went on."""

    path: str
    line: int  # from 1; 0 for the file as a whole
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which rows may answer: always one user's."""

    user: str = DEFAULT_USER
    kinds: tuple[Kind, ...] = ("fact",)
    chat_id: str | None = None  # rows of this chat, and rows of no chat
    chat_only: bool = False  # rows of this chat alone
    exclude_chats: tuple[str, ...] = ()  # no row of these chats or sessions
    since: datetime | None = None  # inclusive
    until: datetime | None = None  # exclusive


class Embedder(Protocol):
    """Text to vectors. Two embedders with one `name` and `sha256` give the same vectors."""

    @property
    def name(self) -> str:
        """The model's name, e.g. `me5-small-q4`."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    @property
    def sha256(self) -> str:
        """What the weights and tokenizer are, as hex."""
        ...

    @property
    def profile(self) -> Profile:
        """What search must know about the model."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Embed stored texts; None for a text without any token. Raises EmbedError."""
        ...

    def embed_query(self, text: str) -> Vector | None:
        """Embed a question; None for a text without any token. Raises EmbedError."""
        ...


@runtime_checkable
class CountsTokens(Protocol):
    """An embedder that can say in how many pieces it takes a text."""

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text has."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What search must know about a model, from its `model.json`."""

    typical_unrelated: float  # the cosine of unrelated texts
    typical_related: float  # the cosine of a question and its answer
    query_centering: float = 0.0  # share of the mean vector subtracted from a query
    vector_weight: float = 0.6  # of vector + keyword = 1, see search
    max_tokens: int = 512
