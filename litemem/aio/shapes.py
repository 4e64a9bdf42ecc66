"""The dicts that the async API hands out, made of the core's values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, TypedDict, cast

from litemem.memory.health import Stats
from litemem.memory.search import Results
from litemem.types import Fact, Hit, Place


class SourceRow(TypedDict):
    """Where a memory stands and where it was said."""

    path: str  # below the home folder
    line: int  # from 1
    session_id: str | None
    transcript_line: int | None
    timestamp: str | None


class HitRow(TypedDict):
    """What a search found."""

    id: str
    content: str
    category: str
    importance: float
    tags: list[str]
    similarity: float | None  # 0..1; None where no vector was compared
    score: float
    created_at: str | None  # ISO 8601, UTC
    metadata: dict[str, Any]  # Any: the caller's own JSON
    chat_id: str | None
    speaker: str | None
    source: SourceRow
    matched: list[str]  # of "keyword", "vector", "date", "neighbour"


class MemoryRow(HitRow):
    """One search result."""

    user_id: str


class FactRow(TypedDict):
    """A fact."""

    id: str
    content: str
    category: str
    importance: float
    tags: list[str]
    created_at: str
    metadata: dict[str, Any]  # Any: the caller's own JSON
    chat_id: str | None
    speaker: str | None
    replaces: str | None
    merges: list[str]  # ids of further facts whose place it takes


class StoredMemory(FactRow):
    """One stored memory."""

    user_id: str
    access_count: int


class StoreStats(TypedDict):
    """How much a user has, and how the index stands."""

    user_id: str
    total_memories: int  # current facts
    superseded: int
    used: int  # current facts that were recalled at least once
    cold: int  # current facts that never were
    rate: float  # used / total_memories, 0..1
    by_category: dict[str, int]
    by_kind: dict[str, int]
    logs: int
    model: str
    vectors: int  # rows that have one
    rows: int  # rows that should
    index_bytes: int


class MemoryList(list[MemoryRow]):
    """Search results, best first, and in `note` what they lack: "keyword only: ..."."""

    def __init__(self, rows: Iterable[MemoryRow] = (), note: str | None = None) -> None:
        super().__init__(rows)
        self.note = note


def memory_list(results: Results, user: str) -> MemoryList:
    """Return search results as dicts."""
    return MemoryList(({**hit_row(hit), "user_id": user} for hit in results), results.note)


def hit_row(hit: Hit) -> HitRow:
    """Return a search result as a dict."""
    return {
        "id": hit.id,
        "content": hit.content,
        "category": hit.category,
        "importance": hit.importance,
        "tags": [*hit.tags],
        "similarity": hit.similarity,
        "score": hit.score,
        "created_at": None if hit.created_at is None else iso(hit.created_at),
        "metadata": dict(hit.metadata),
        "chat_id": hit.chat_id,
        "speaker": hit.speaker,
        "source": source_row(hit.source),
        "matched": [*hit.matched],
    }


def source_row(place: Place) -> SourceRow:
    """Return a place as a dict."""
    origin = place.origin
    return {
        "path": place.path,
        "line": place.line,
        "session_id": origin.session if origin else None,
        "transcript_line": origin.line if origin else None,
        "timestamp": iso(origin.at) if origin and origin.at else None,
    }


def stored_memory(fact: Fact, user: str, uses: Mapping[str, int]) -> StoredMemory:
    """Return a fact as a dict; `uses` says how often facts were recalled, by id."""
    return {**fact_row(fact), "user_id": user, "access_count": uses.get(fact.id, 0)}


def fact_row(fact: Fact) -> FactRow:
    """Return a fact as a dict."""
    return {
        "id": fact.id,
        "content": fact.content,
        "category": fact.category,
        "importance": fact.importance,
        "tags": [*fact.tags],
        "created_at": iso(fact.created_at),
        "metadata": dict(fact.metadata),
        "chat_id": fact.chat_id,
        "speaker": fact.speaker,
        "replaces": fact.replaces,
        "merges": [*fact.merges],
    }


def store_stats(stats: Stats) -> StoreStats:
    """Return a user's counts as a dict."""
    return cast("StoreStats", asdict(stats))  # their fields are the same, by test


def iso(at: datetime) -> str:
    """Return an instant as ISO 8601 in UTC, with `Z`."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
