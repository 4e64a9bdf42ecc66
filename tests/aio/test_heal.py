"""An index that is deleted or damaged while its home is open is built anew from the files."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from litemem.aio.manager import MemoryManager
from litemem.aio.store import SQLiteMemoryStore


def delete(home: Path) -> None:
    for path in home.glob("index.db*"):
        path.unlink()


def scribble(home: Path) -> None:
    path = home / "index.db"
    with path.open("r+b") as file:  # not cut short: what SQLite maps into memory stays
        file.write(b"\x00garbage" * (path.stat().st_size // 8))
    for end in ("-wal", "-shm"):
        (home / f"index.db{end}").unlink(missing_ok=True)


@pytest.mark.parametrize("harm", [delete, scribble])
async def test_what_was_written_is_found_and_more_can_be(
    store: SQLiteMemoryStore, home: Path, harm: object
) -> None:
    manager = MemoryManager(store)
    first = await store.add_memory("Likes figs", None, "ada")
    harm(home)  # type: ignore[operator]
    found = await asyncio.gather(
        *(manager.search_memories("figs", user_id="ada") for _ in range(8))
    )

    assert [[row["id"] for row in rows] for rows in found] == [[first]] * 8
    harm(home)  # type: ignore[operator]
    second = await store.add_memory("Likes dates", None, "ada")
    assert {row["id"] for row in await store.list_memories("ada")} == {first, second}
    harm(home)  # type: ignore[operator]
    said = {"user_message": "I live in Lisbon."}
    result = await manager.process_conversation_turn_for_memories(said, "c1", "ada")
    assert len(result.memories_created) == 1
    stats = await manager.get_memory_stats("ada")
    assert stats["total_memories"] == 3
