"""
What the tools return beside their text: JSON objects, whose schemas clients are given.

They have no slots: the SDK would take a slot for its field's default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from litemem.aio.shapes import iso
from litemem.memory.forget import Forgotten
from litemem.memory.remember import Remembered
from litemem.memory.search import Results
from litemem.types import Hit

MAX_TEXT: Final = 2_000  # characters of one memory in an answer
MAX_BLOCK: Final = 100_000  # of one block


@dataclass(frozen=True, kw_only=True)
class Near:
    """A memory that nearly says the same."""

    id: str
    content: str
    cosine: float


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What became of a text to remember."""

    id: str
    created: bool  # False: it was known, and is confirmed
    updated: bool
    similar_to: list[Near]
    warning: str | None


@dataclass(frozen=True, kw_only=True)
class Match:
    """One memory, or one piece of a conversation."""

    id: str
    content: str
    category: str
    importance: float
    tags: list[str]
    created_at: str | None  # ISO 8601, UTC
    similarity: float | None  # 0..1; None where no vector was compared
    score: float
    chat_id: str | None
    speaker: str | None
    session_id: str | None
    line: int | None  # of the session's log
    path: str  # below the home folder


@dataclass(frozen=True, kw_only=True)
class Found:
    """A page of matches, best first."""

    matches: list[Match]
    count: int
    note: str | None  # what the answer lacks, such as vectors


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """Matches as one block of text."""

    text: str
    count: int
    note: str | None


@dataclass(frozen=True, kw_only=True)
class Gone:
    """What was forgotten."""

    forgotten: list[str]  # the ids of all versions
    erased_turns: int
    still_in: list[str]  # files in which the same words still stand


@dataclass(frozen=True, kw_only=True)
class BlockTexts:
    """Blocks by label; '' where one is unset."""

    blocks: dict[str, str]
    complete: bool  # False: the end of a long one is left out


@dataclass(frozen=True, kw_only=True)
class Changed:
    """A block that was changed, and how long it is now."""

    label: str
    characters: int
    done: str


@dataclass(frozen=True, kw_only=True)
class DayLog:
    """A day's log."""

    date: str
    text: str  # marked as data; the end of a long one
    size_bytes: int


def kept(done: Remembered) -> Kept:
    """Return what became of a text."""
    near = [
        Near(id=one.id, content=one.content[:MAX_TEXT], cosine=one.cosine)
        for one in done.similar_to
    ]
    return Kept(
        id=done.id,
        created=done.created,
        updated=done.updated,
        similar_to=near,
        warning=done.warning,
    )


def found(results: Results) -> Found:
    """Return a page of matches."""
    return Found(matches=[_match(hit) for hit in results], count=len(results), note=results.note)


def block_texts(blocks: Mapping[str, str]) -> BlockTexts:
    """Return blocks, of each as much as an answer may have."""
    return BlockTexts(
        blocks={label: text[:MAX_BLOCK] for label, text in blocks.items()},
        complete=all(len(text) <= MAX_BLOCK for text in blocks.values()),
    )


def gone(done: Forgotten) -> Gone:
    """Return what was forgotten."""
    return Gone(forgotten=[*done.ids], erased_turns=done.erased_turns, still_in=[*done.still_in])


def _match(hit: Hit) -> Match:
    origin = hit.source.origin
    return Match(
        id=hit.id,
        content=cut(hit.content if hit.kind == "fact" else hit.snippet),
        category=hit.category,
        importance=hit.importance,
        tags=[*hit.tags],
        created_at=None if hit.created_at is None else iso(hit.created_at),
        similarity=hit.similarity,
        score=hit.score,
        chat_id=hit.chat_id,
        speaker=hit.speaker,
        session_id=origin.session if origin else None,
        line=origin.line if origin else None,
        path=hit.source.path,
    )


def cut(text: str) -> str:
    """Return a text of at most MAX_TEXT characters."""
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
