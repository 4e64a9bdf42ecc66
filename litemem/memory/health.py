"""Counts of what is there, and what a person should look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from litemem.index.examine import categories, chain_problems, damage, recalled
from litemem.index.read import Counts
from litemem.index.schema import NOBODY
from litemem.memory.opening import NO_MODEL
from litemem.memory.sources import ignored_files, log_day, strange_users
from litemem.memory.sync import stale
from litemem.memory.workspace import Workspace
from litemem.types import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """How much one user has, and how the index stands."""

    user_id: str
    total_memories: int  # current facts
    superseded: int
    by_category: dict[str, int]
    by_kind: dict[str, int]
    logs: int
    model: str
    vectors: int  # rows that have one
    rows: int  # rows that should
    index_bytes: int
    used: int  # current facts that were recalled at least once
    cold: int  # current facts that never were
    rate: float  # used / total_memories, 0..1; 0 where there are none


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What `doctor` found; empty lists are good news."""

    problems: tuple[Problem, ...]  # lines that couldn't be read as meant
    ignored: tuple[str, ...]  # markdown files that aren't memory
    notes: tuple[str, ...]  # the index, the model, the folder

    @property
    def well(self) -> bool:
        """Whether nothing needs a look."""
        return not (self.problems or self.notes)


def statistics(space: Workspace, user: str) -> Stats:
    """Count one user's rows."""
    index = space.index
    counts = index.counts(user)
    facts = counts.get("fact", Counts())
    with index.reading(vectors=False) as db:
        by_category = categories(db, user)
        used = recalled(db, user)
    path = space.home.index
    return Stats(
        user_id=user,
        total_memories=facts.current,
        superseded=facts.superseded,
        by_category=by_category,
        by_kind={kind: found.current for kind, found in counts.items()},
        logs=sum(1 for key in index.sources(user) if log_day(key.rpartition("/")[2])),
        model=space.settings.model,
        vectors=sum(found.with_vector for found in counts.values()),
        rows=sum(found.current for found in counts.values()),
        index_bytes=path.stat().st_size if path.exists() else 0,
        used=used,
        cold=facts.current - used,
        rate=used / facts.current if facts.current else 0.0,
    )


def examine(space: Workspace, user: str) -> Health:
    """Look at one user's files, the global ones, and the index."""
    owners = (user, NOBODY)
    problems = [
        problem
        for owner in owners
        for source in space.index.sources(owner).values()
        for problem in source.problems
    ]
    with space.index.reading(vectors=False) as db:
        problems += chain_problems(db, user)
    return Health(
        problems=tuple(problems),
        ignored=(
            *(name for owner in owners for name in ignored_files(space.home, owner)),
            *strange_users(space.home),
        ),
        notes=tuple(_notes(space, owners)),
    )


def _notes(space: Workspace, owners: tuple[str, ...]) -> Iterator[str]:
    if any(stale(space, owner) for owner in owners):
        yield "the index isn't current; run 'litemem index sync'"
    with space.index.reading(vectors=False) as db:
        trouble = damage(db)
    if trouble is not None:
        yield f"index.db is damaged ({trouble}); run 'litemem index rebuild'"
    stored, rows = space.index.progress()
    if stored < rows and space.settings.model != NO_MODEL:
        yield f"{rows - stored} of {rows} rows have no vector yet; 'litemem index sync' embeds them"
    if space.settings.model != NO_MODEL and space.embedders.get() is None:
        yield f"keyword search only: {space.embedders.trouble}"
