"""What leaves a context is found in the memory afterwards."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

from litemem.aio.compressor import ContextCompressor
from litemem.aio.manager import MemoryManager
from litemem.aio.store import SQLiteMemoryStore
from litemem.run.turns import text_turn
from tests.aio.test_compressor import action


async def test_what_is_condensed_is_in_transcript_and_memory_once(
    store: SQLiteMemoryStore, home: Path
) -> None:
    turns = [text_turn("user", "Hello"), text_turn("assistant", "Hi")] * 10
    turns[4] = text_turn("user", "I live in Lisbon.")
    turns[6] = text_turn("user", "I am vegetarian.")
    turns += [text_turn("user", "Where was I?")]
    async with MemoryManager(store) as manager:
        compressor = ContextCompressor(None, "c1", "ada", memory_manager=manager)
        short = await compressor.compress_turns(turns)
        await compressor.compress_turns(turns)  # as whoever keeps the whole history does
        found = await manager.search_memories("Lisbon", user_id="ada", chat_id="c1")

    lines = (home / "users/ada/transcripts/c1.jsonl").read_text().splitlines()
    said = [json.loads(line)["content"] for line in lines]
    assert len(short) == 7
    assert [row["content"] for row in found[:1]] == ["I live in Lisbon."]
    assert said.count("I live in Lisbon.") == said.count("I am vegetarian.") == 1
    assert said == [turn["blocks"][0]["text"] for turn in turns[1:16]]


async def test_an_agent_s_tools_are_in_the_transcript(store: SQLiteMemoryStore, home: Path) -> None:
    agent = SimpleNamespace(memory=SimpleNamespace(steps=[action(i) for i in range(21)]))
    async with MemoryManager(store) as manager:
        compressor = ContextCompressor(None, "c1", "ada", memory_manager=manager)

        assert await compressor.compress_context(agent)
    (line,) = (home / "users/ada/transcripts/c1.jsonl").read_text().splitlines()
    turn = json.loads(line)
    assert turn["ts"] == "2001-09-09T01:46:41.500000Z"
    assert [one["output"] for one in turn["actions"]] == [f"ok {i}" for i in range(1, 16)]


async def test_a_closed_memory_doesn_t_keep_a_context_long(store: SQLiteMemoryStore) -> None:
    manager = MemoryManager(store)
    await manager.close()
    agent = SimpleNamespace(memory=SimpleNamespace(steps=[action(i) for i in range(21)]))
    compressor = ContextCompressor(None, "c1", "ada", memory_manager=manager)

    assert await compressor.compress_context(agent)
    assert compressor.last_report is not None
    assert "closed" in compressor.last_report.trouble[0]
