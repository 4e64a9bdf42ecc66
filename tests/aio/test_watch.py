"""Real edits of real files, followed beside an event loop."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from litemem.aio.store import SQLiteMemoryStore
from litemem.aio.watch import Changes, follow
from tests.aio.conftest import OpenStore

WITHIN_S = 2.0
Told = list[tuple[str, str]]


@asynccontextmanager
async def following(
    store: SQLiteMemoryStore, *, poll: bool = False, user_id: str | None = None
) -> AsyncIterator[Told]:
    """Follow a store's files; what was told is collected as (kind, path)."""
    told, stop = Told(), asyncio.Event()

    def tell(changes: Changes) -> None:
        told.extend((change.kind, change.path) for change in changes)

    await store.connect()
    work = asyncio.create_task(follow(store, stop=stop, tell=tell, poll=poll, user_id=user_id))
    await asyncio.sleep(0.3)
    begun = time.monotonic()
    try:
        yield told
    finally:
        begun = time.monotonic()
        stop.set()
        await work
    assert time.monotonic() - begun < 1


async def until(true: Callable[[], Awaitable[bool]]) -> float:
    """Wait until something holds, and return how long that took."""
    begun = time.monotonic()
    while not await true():
        assert time.monotonic() - begun < WITHIN_S
        await asyncio.sleep(0.02)
    return time.monotonic() - begun


def finds(
    store: SQLiteMemoryStore, text: str, user: str = "default"
) -> Callable[..., Awaitable[bool]]:
    """Say whether a search by words has this text among its hits."""

    async def found() -> bool:
        hits = await store.hybrid_search(None, text, user)
        return text in [hit["content"] for hit in hits]

    return found


def lacks(store: SQLiteMemoryStore, text: str) -> Callable[..., Awaitable[bool]]:
    async def lacking() -> bool:
        return not await finds(store, text)()

    return lacking


def log(home: Path, user: str = "default", day: str = "2026-02-01") -> Path:
    root = home if user == "default" else home / "users" / user
    (root / "memory").mkdir(parents=True, exist_ok=True)
    return root / "memory" / f"{day}.md"


@pytest.mark.parametrize("poll", [False, True])
async def test_an_edit_is_found_within_two_seconds(
    store: SQLiteMemoryStore, home: Path, *, poll: bool
) -> None:
    async with following(store, poll=poll) as told:
        log(home).write_text("- likes tea\n")
        await until(finds(store, "likes tea"))
        with log(home).open("a") as file:
            file.write("- owns a kayak\n")
        await until(finds(store, "owns a kayak"))
        log(home).unlink()
        await until(lacks(store, "likes tea"))

    path = "memory/2026-02-01.md"
    assert told == [("added", path), ("changed", path), ("removed", path)]


async def test_what_an_editor_saves_by_renaming_is_followed(
    store: SQLiteMemoryStore, home: Path
) -> None:
    log(home).write_text("- likes tea\n")
    async with following(store) as told:
        new, old = log(home).with_name(".2026-02-01.md.swp"), log(home).with_name("2026-02-01.md~")
        new.write_text("- likes coffee\n")
        log(home).rename(old)
        new.rename(log(home))
        await until(finds(store, "likes coffee"))
        old.unlink()
        await until(lacks(store, "likes tea"))

    assert {path for _, path in told} == {"memory/2026-02-01.md"}


async def test_a_file_that_is_emptied_and_written_again_keeps_its_ids(
    store: SQLiteMemoryStore, home: Path
) -> None:
    log(home).write_text("- likes tea\n")
    async with following(store):
        before = (await store.hybrid_search(None, "tea", "default"))[0]["id"]
        with log(home).open("w") as file:
            file.flush()
            await asyncio.sleep(0.05)
            file.write("- likes tea\n- owns a kayak\n")
        await until(finds(store, "owns a kayak"))

    assert (await store.hybrid_search(None, "tea", "default"))[0]["id"] == before


async def test_the_same_size_and_time_doesnt_hide_an_edit(
    store: SQLiteMemoryStore, home: Path
) -> None:
    log(home).write_text("- likes tea 1\n")
    async with following(store):
        state = log(home).stat()
        log(home).write_text("- likes tea 2\n")
        os.utime(log(home), ns=(state.st_atime_ns, state.st_mtime_ns))

        await until(finds(store, "likes tea 2"))


async def test_a_folder_that_is_moved_away_and_back_is_followed(
    store: SQLiteMemoryStore, home: Path, tmp_path: Path
) -> None:
    log(home).write_text("- likes tea\n")
    async with following(store):
        (home / "memory").rename(tmp_path / "away")
        await until(lacks(store, "likes tea"))
        (tmp_path / "away").rename(home / "memory")
        await until(finds(store, "likes tea"))
        with log(home).open("a") as file:
            file.write("- owns a kayak\n")
        await until(finds(store, "owns a kayak"))


async def test_a_new_user_is_followed_and_forgotten_with_the_folder(
    store: SQLiteMemoryStore, home: Path
) -> None:
    async with following(store) as told:
        log(home, "ada").write_text("- likes tea\n")
        await until(finds(store, "likes tea", "ada"))
        with log(home, "ada").open("a") as file:
            file.write("- owns a kayak\n")
        await until(finds(store, "owns a kayak", "ada"))
        shutil.rmtree(home / "users")

        async def gone() -> bool:
            return ("removed", "users/ada/memory/2026-02-01.md") in told

        await until(gone)


async def test_one_user_alone_can_be_followed(store: SQLiteMemoryStore, home: Path) -> None:
    async with following(store, user_id="ada") as told:
        log(home, "bob").write_text("- likes tea\n")
        log(home).write_text("- likes tea\n")
        log(home, "ada").write_text("- likes tea\n")
        await until(finds(store, "likes tea", "ada"))
        await asyncio.sleep(1)

    assert told == [("added", "users/ada/memory/2026-02-01.md")]


async def test_blocks_and_logs_of_conversations_are_followed(
    store: SQLiteMemoryStore, home: Path
) -> None:
    paths = {
        "global/persona.md": "Be brief.",
        "memory/MEMORY.md": "# Facts\n\nTea.",
        "memory/chats/a.b/context.md": "On holiday.",
        "transcripts/s1.jsonl": json.dumps(
            {"ts": "2026-02-08T14:32:00Z", "role": "user", "content": "hello"}
        )
        + "\n",
    }
    async with following(store) as told:
        for path, text in paths.items():
            (home / path).parent.mkdir(parents=True, exist_ok=True)
            (home / path).write_text(text)

        async def all_told() -> bool:
            return {path for _, path in told} == set(paths)

        await until(all_told)


async def test_many_changes_at_once_are_followed(store: SQLiteMemoryStore, home: Path) -> None:
    days = [f"2025-{month:02}-{day:02}" for month in range(1, 9) for day in range(1, 26)]
    async with following(store) as told:
        for day in days:
            log(home, day=day).write_text(f"- walked on {day}\n")

        async def all_told() -> bool:
            return len(told) >= len(days)

        await until(all_told)

    assert {path for _, path in told} == {f"memory/{day}.md" for day in days}


async def test_what_we_write_ourselves_isnt_read_again(stores: OpenStore, home: Path) -> None:
    store, other = stores(), stores()
    async with following(store) as told:
        await store.add_memory("likes tea", None, "default")
        await other.add_memory("owns a kayak", None, "default")
        await store.set_memory_block("persona", "Be brief.", user_id="default")
        await asyncio.sleep(1.5)

    assert told == []
    assert (home / "memory" / "persona.md").exists()


async def test_new_lines_get_their_vectors(store: SQLiteMemoryStore, home: Path) -> None:
    async with following(store):
        log(home).write_text("- likes tea\n")

        async def complete() -> bool:
            stats = await store.get_memory_stats("default")
            return stats["rows"] == stats["vectors"] == 1

        await until(complete)


async def test_a_user_who_cant_be_read_is_told_once_and_keeps_nobody_up(
    store: SQLiteMemoryStore, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log(home, "ada").write_text("- likes tea\n")
    log(home, "bob").write_text("- likes tea\n")
    with caplog.at_level(logging.WARNING, logger="litemem.memory.watch"):
        async with following(store):
            shutil.rmtree(home / "users" / "ada" / "memory")
            (home / "users" / "ada" / "memory").symlink_to(home / "users" / "ada" / "memory")
            log(home, "bob").write_text("- owns a kayak\n")
            await until(finds(store, "owns a kayak", "bob"))
            await asyncio.sleep(1.5)

    assert len(caplog.messages) == 1
    assert "users/ada/memory" in caplog.text


async def test_cancelling_ends_it_before_the_store_is_closed(store: SQLiteMemoryStore) -> None:
    await store.connect()
    work = asyncio.create_task(follow(store, stop=asyncio.Event()))
    await asyncio.sleep(0.3)
    begun = time.monotonic()
    work.cancel()
    with suppress(asyncio.CancelledError):
        await work
    await store.close()

    assert work.cancelled()
    assert time.monotonic() - begun < 1
