"""What goes into the index and comes out of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, TypeAlias

from litemem.files.state import FileState
from litemem.types import (
    DEFAULT_CATEGORY,
    DEFAULT_IMPORTANCE,
    JsonObject,
    Kind,
    Origin,
    Problem,
    Seen,
)

State: TypeAlias = Literal["current", "superseded", "duplicate"]
"""Superseded: a newer fact replaces it. Duplicate: another fact had its id first."""

VectorState: TypeAlias = Literal["pending", "stored", "unembeddable"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Doc:
    """A row to be: a fact, or a chunk of a block, of a transcript turn, of a session node."""

    kind: Kind
    id: str  # unique among a user's facts; chunks of one block, turn or node share theirs
    line: int  # of its file, from 1
    text: str
    at: datetime | None
    chat_id: str | None
    thread: str  # rows of one thread are neighbours
    head: str = ""  # embedded before the text, never shown
    importance: float = DEFAULT_IMPORTANCE
    category: str = DEFAULT_CATEGORY
    replaces: str | None = None
    merges: tuple[str, ...] = ()  # what a fact replaces besides
    tags: tuple[str, ...] = ()  # keywords like the text
    speaker: str | None = None
    metadata: JsonObject = field(default_factory=dict)
    origin: Origin | None = None
    seen: Seen | None = None
    explicit: bool = True  # False: the id was derived from file and text


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file as it was when its rows were made."""

    path: str  # below the home folder, with /
    user: str
    state: FileState
    read_ns: int  # when it was read, nanoseconds since 1970
    lines: int
    digests: bytes  # 32 a block, see litemem.files.state
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDoc:
    """A row of the index."""

    rowid: int  # never used again in one index; its head and text never change
    doc: Doc
    user: str
    path: str
    state: State
    has_vector: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What became of the rows of a file."""

    added: int = 0
    removed: int = 0
    kept: int = 0  # equal but for their lines
    updated: int = 0  # same text, other attributes: the vector stayed

    def __add__(self, other: Changes) -> Changes:
        """Sum two."""
        return Changes(
            added=self.added + other.added,
            removed=self.removed + other.removed,
            kept=self.kept + other.kept,
            updated=self.updated + other.updated,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """How often a fact was recalled, and when last."""

    n: int
    last: datetime


def microseconds(at: datetime) -> int:
    """Return microseconds since 1970 UTC, exactly."""
    delta = at - _EPOCH
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds


def moment(at_us: int) -> datetime:
    """Return the UTC time of microseconds since 1970; the inverse of `microseconds`."""
    return _EPOCH + timedelta(microseconds=at_us)
