"""Counts, and what a person should look at: /memory/stats, /health."""

from __future__ import annotations

from typing import Final

from litemem import __version__
from litemem.aio.shapes import store_stats
from litemem.memory.memory import Memory
from litemem.memory.store import FactStore
from litemem.server.endpoint import Call, Endpoint, Json
from litemem.server.files import Nothing
from litemem.server.shapes import NUMBER, TEXT, TRUTH, counts, made, rows, without_paths
from litemem.types import DEFAULT_USER


async def get_memory_stats(call: Call, _: Nothing) -> Json:
    """Count what a user has."""
    # After the uses that earlier searches had; so it waits with the writes.
    stats = store_stats(await call.write(lambda _, facts: facts.stats(call.user)))
    return {**stats, "model": without_paths(stats["model"])}


async def get_health(call: Call, _: Nothing) -> Json:
    """Do what `litemem doctor` does."""

    def examine(memory: Memory, _: FactStore) -> Json:
        health = memory.doctor()
        stored, total = memory.space.index.progress(call.user)
        return {
            "well": health.well,
            "problems": [
                {"path": one.path, "line": one.line, "reason": without_paths(one.reason)}
                for one in health.problems
            ],
            "ignored": [path for path in health.ignored if _is_seen(path, call.user)],
            "notes": [without_paths(note) for note in health.notes],
            "model": without_paths(memory.model),
            "vectors": stored,
            "rows": total,
            "version": __version__,
            "user_id": call.user,
            "time_zone": memory.space.settings.time_zone,
        }

    return await call.read(examine)


def _is_seen(path: str, user: str) -> bool:
    """Say whether a path below the home is a user's business: another user's folder isn't."""
    return user == DEFAULT_USER or path.startswith(("global/", f"users/{user}/"))


ENDPOINTS: Final = (
    Endpoint(
        method="GET",
        path="/memory/stats",
        does=get_memory_stats,
        asked=Nothing,
        answers=made(
            user_id=TEXT,
            total_memories=NUMBER,
            superseded=NUMBER,
            used=NUMBER,
            cold=NUMBER,
            rate={"type": "number"},
            by_category=counts(),
            by_kind=counts(),
            logs=NUMBER,
            model=TEXT,
            vectors=NUMBER,
            rows=NUMBER,
            index_bytes=NUMBER,
        ),
        says="How much this user has, and how the index stands.",
        tag="stats",
    ),
    Endpoint(
        method="GET",
        path="/health",
        does=get_health,
        asked=Nothing,
        answers=made(
            well=TRUTH,
            problems=rows(made(path=TEXT, line=NUMBER, reason=TEXT)),
            ignored=rows(TEXT),
            notes=rows(TEXT),
            model=TEXT,
            vectors=NUMBER,
            rows=NUMBER,
            version=TEXT,
            user_id=TEXT,
            time_zone=TEXT,
        ),
        says="What `litemem doctor` says, with paths below the home.",
        tag="stats",
    ),
)
