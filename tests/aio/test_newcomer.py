"""What somebody who tried to break it found, each with the case that showed it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import litemem
from litemem import aio
from litemem.aio.compressor import ContextCompressor
from litemem.aio.logs import TranscriptIndexer, TranscriptManager
from litemem.aio.manager import MemoryManager
from litemem.aio.markdown import MarkdownMemoryStore
from litemem.aio.store import SQLiteMemoryStore
from litemem.aio.tools import MemorySearchTool
from litemem.errors import Closed, InvalidFact, InvalidName, InvalidQuery, InvalidValue
from litemem.extract.turn import ConversationTurn
from litemem.memory.refresh import refresh_facts
from litemem.run.turns import text_turn
from litemem.text.section import CLOSE, OPEN
from tests.aio.conftest import OpenStore
from tests.aio.llms import Failing, Slow
from tests.conftest import OpenMemory

AT = "2026-02-08T14:00:00Z"


def test_bytes_that_arent_utf8_a_bom_and_crlf_survive_a_refresh(
    opened: OpenMemory, home: Path
) -> None:
    memory = opened()
    memory.remember("Lives in Lisbon", importance=0.9)
    mine = b"\xef\xbb\xbflatin \xe9\xff\r\nsecond\r\n"
    (home / "memory/MEMORY.md").write_bytes(mine)
    for _ in range(2):
        refresh_facts(memory.space, "default")
    data = (home / "memory/MEMORY.md").read_bytes()

    assert data.startswith(mine + b"\r\n" + OPEN.encode() + b"\r\n")
    assert data.endswith(CLOSE.encode() + b"\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")


async def test_turns_that_differ_in_their_actions_alone_are_two(
    store: SQLiteMemoryStore, home: Path
) -> None:
    manager = MemoryManager(store)
    for tool in ("buy", "sell", "sell"):
        said = {"user_message": "yes", "agent_actions": [{"tool": tool}], "timestamp": AT}
        await manager.process_conversation_turn_for_memories(said, "c", "u")
    text = (home / "users/u/transcripts/c.jsonl").read_text()

    assert (text.count('"buy"'), text.count('"sell"')) == (1, 1)


async def test_what_was_processed_isnt_flushed_again(store: SQLiteMemoryStore, home: Path) -> None:
    manager = MemoryManager(store)
    turns = []
    for number in range(15):
        user, assistant = f"I like fruit{number}.", "ok"
        if number != 3:
            said = {"user_message": user, "assistant_message": assistant}
            await manager.process_conversation_turn_for_memories(said, "chat", "u")
        turns += [text_turn("user", user), text_turn("assistant", assistant)]
    compressor = ContextCompressor(None, "chat", "u", memory_manager=manager)
    await compressor.compress_turns(turns)
    text = (home / "users/u/transcripts/chat.jsonl").read_text()
    facts = await store.home.read(lambda core: core.of("u").list())

    assert text.count("fruit3.") == 1
    assert text.count("\n") == 30
    assert [fact.seen for fact in facts] == [None] * 15


async def test_closing_waits_for_a_turn_that_has_begun(store: SQLiteMemoryStore) -> None:
    manager = MemoryManager(store)
    said = {"user_message": "I live in Lisbon.", "timestamp": AT}
    turns = [
        asyncio.ensure_future(
            manager.process_conversation_turn_for_memories(
                {**said, "user_message": f"I live in town {number}."}, "c", "u"
            )
        )
        for number in range(10)
    ]
    await asyncio.sleep(0)
    await manager.close()
    done = await asyncio.gather(*turns)

    assert all(len(one.memories_created) == 1 for one in done)
    with pytest.raises(Closed):
        await manager.process_conversation_turn_for_memories(said, "c", "u")


async def test_a_cancelled_turn_lets_go_of_closing(store: SQLiteMemoryStore) -> None:
    manager = MemoryManager(store, llm_for_extraction=Slow(30))
    task = asyncio.ensure_future(
        manager.process_conversation_turn_for_memories({"user_message": "Hi"}, "c", "u")
    )
    await asyncio.sleep(0.1)
    closing = asyncio.ensure_future(manager.close())
    await asyncio.sleep(0)
    task.cancel()

    await asyncio.wait_for(closing, 10)


@pytest.mark.parametrize(
    "at",
    [
        datetime(9999, 12, 31, 23, 59, 59, tzinfo=timezone(-timedelta(hours=12))),
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=12))),
    ],
)
def test_a_time_beyond_utc_is_refused(at: datetime) -> None:
    with pytest.raises(InvalidValue, match="out of range"):
        ConversationTurn(user_message="x", timestamp=at)


def test_a_turns_time_is_utc() -> None:
    at = datetime(2026, 2, 8, 16, tzinfo=timezone(timedelta(hours=2)))

    assert ConversationTurn(timestamp=at).timestamp == datetime(2026, 2, 8, 14, tzinfo=UTC)
    assert ConversationTurn(timestamp=datetime(2026, 2, 8)).timestamp == datetime(  # noqa: DTZ001
        2026, 2, 8, tzinfo=UTC
    )


@pytest.mark.parametrize("query", [None, 5, b"x"])
async def test_a_query_that_is_no_text_is_refused(store: SQLiteMemoryStore, query: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidQuery, match="a query is text"):
        await MemoryManager(store).search_memories(query)
    with pytest.raises(InvalidQuery, match="a query is text"):
        await store.hybrid_search(None, query, "u")


@pytest.mark.parametrize("wrong", [1.5, "3", None, True])
async def test_limits_are_whole_numbers(store: SQLiteMemoryStore, wrong: Any) -> None:  # noqa: ANN401
    manager = MemoryManager(store)
    with pytest.raises(InvalidQuery, match="limit is a whole number"):
        await manager.search_memories("x", limit=wrong)
    with pytest.raises(InvalidQuery, match="offset is a whole number"):
        await manager.search_memories("x", offset=wrong)


@pytest.mark.parametrize("weight", ["x", float("nan"), -1.0, float("inf")])
async def test_weights_are_numbers_from_0(store: SQLiteMemoryStore, weight: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidQuery, match="the weight recency"):
        await store.hybrid_search(None, "x", "u", recency_boost=weight)


@pytest.mark.parametrize("wrong", [None, 5])
async def test_ids_are_text(store: SQLiteMemoryStore, tmp_path: Path, wrong: Any) -> None:  # noqa: ANN401
    manager = MemoryManager(store)
    with pytest.raises(InvalidName, match="user id is text"):
        await store.add_memory("x", None, wrong)
    with pytest.raises(InvalidName, match="session id is text"):
        await manager.process_conversation_turn_for_memories({"user_message": "x"}, wrong, "u")
    with pytest.raises(InvalidValue, match="id is text"):
        await store.get_memory(wrong)
    logs = MarkdownMemoryStore(tmp_path)
    with pytest.raises(InvalidFact, match="facts are a list"):
        await logs.append_daily_log("c", wrong)
    with pytest.raises(InvalidValue, match="days is"):
        await logs.get_recent_logs("2")  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match="last_n is"):
        await TranscriptManager(tmp_path).read_transcript("s", "1")  # type: ignore[arg-type]


@pytest.mark.parametrize(("actions", "metadata"), [({"a": 1}, None), (["x"], None), (None, [1])])
async def test_actions_and_metadata_are_what_they_should_be(
    tmp_path: Path,
    actions: Any,  # noqa: ANN401
    metadata: Any,  # noqa: ANN401
) -> None:
    manager = TranscriptManager(tmp_path)
    with pytest.raises(InvalidValue):
        await manager.append_turn("s", "user", "x", actions, metadata)

    assert not manager.transcript_exists("s")


@pytest.mark.parametrize("limit", ["5", 5.0, None, 5])
async def test_a_tool_reads_a_limit_as_models_write_it(
    store: SQLiteMemoryStore,
    limit: Any,  # noqa: ANN401
) -> None:
    tool = MemorySearchTool(MemoryManager(store))
    await store.add_memory("Likes tea", None, "default")

    assert (await tool.aforward("tea", limit)).startswith("Found 1 memory")
    assert (await tool.aforward("tea", "many")).startswith("Error: limit is a whole number")  # type: ignore[arg-type]
    assert (await tool.aforward(None)).startswith("Error: a query is text")  # type: ignore[arg-type]


def test_the_async_names_come_from_aio_too() -> None:
    names = [name for name, home in litemem._HOMES.items() if home.startswith("aio.")]

    assert "MemoryManager" in names
    assert set(names) <= set(dir(aio))
    assert all(getattr(aio, name) is getattr(litemem, name) for name in names)
    with pytest.raises(AttributeError, match="no attribute 'x'"):
        _ = aio.x


async def test_indexed_transcripts_are_searched_where_turns_are_asked_for(
    store: SQLiteMemoryStore, home: Path
) -> None:
    await store.connect()
    manager, logs = MemoryManager(store), TranscriptManager(home / "transcripts")
    await logs.append_turn("s1", "user", "We paddled kayaks")
    path = home / "transcripts/s1.jsonl"
    index = TranscriptIndexer().index_transcript
    await index(path, "s1", store, None, "default")

    assert await manager.search_memories("kayaks") == []
    for found in (
        await manager.search_memories("kayaks", kinds=["turn"]),
        await store.hybrid_search(None, "kayaks", "default", kinds=["turn", "fact"]),
    ):
        assert [row["content"] for row in found] == ["We paddled kayaks"]
    with pytest.raises(InvalidValue, match="isn't the transcript of 's2'"):
        await index(path, "s2", store, None, "default")
    with pytest.raises(InvalidValue, match="isn't 'ada''s"):
        await index(path, "s1", store, None, "ada")


def test_markdown_of_another_home_is_refused_at_once(stores: OpenStore, tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match="use MarkdownMemoryStore"):
        MemoryManager(stores(), None, 0, None, MarkdownMemoryStore(tmp_path / "shared"))


@pytest.mark.parametrize("wrong", [5, object(), {}])
def test_what_is_no_model_is_refused_at_once(stores: OpenStore, wrong: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidValue, match="has `complete`"):
        MemoryManager(stores(), llm_for_extraction=wrong)


async def test_category_and_tags_of_the_metadata_are_the_facts(store: SQLiteMemoryStore) -> None:
    metadata = {"category": "goal", "tags": ["sport"], "importance": 0.9}
    id_ = await store.add_memory("Run a marathon", None, "u", metadata=metadata)
    odd = await store.add_memory("Swim", None, "u", metadata={"category": 3, "tags": "x"})
    found, other = await store.get_memory(id_), await store.get_memory(odd)

    assert found is not None
    assert (found["category"], found["tags"], found["metadata"]) == ("goal", ["sport"], metadata)
    assert other is not None
    assert (other["category"], other["tags"]) == ("general", [])


async def test_a_home_without_a_model_is_no_error(stores: OpenStore) -> None:
    manager = MemoryManager(stores(model="none"))
    said = {"user_message": "I live in Lisbon."}
    result = await manager.process_conversation_turn_for_memories(said, "c", "u")

    assert len(result.memories_created) == 1
    assert result.errors == []


async def test_a_models_error_is_one_short_line(store: SQLiteMemoryStore) -> None:
    llm = Failing(RuntimeError("A\nB " * 100_000))
    manager = MemoryManager(store, llm_for_extraction=llm)
    said = {"user_message": "I live in Lisbon."}
    (error,) = (await manager.process_conversation_turn_for_memories(said, "c", "u")).errors

    assert len(error) < 600
    assert "\n" not in error


async def test_the_programs_own_marks_arent_in_the_prompt(store: SQLiteMemoryStore) -> None:
    manager = MemoryManager(store)
    await store.add_memory("Lives in Lisbon", None, "u", importance=0.9)
    await manager.refresh_core_memory_facts("u")
    text = await manager.format_core_memory_for_context(user_id="u")

    assert "litemem:facts" not in text
    assert "<facts>\n### general\n\n- Lives in Lisbon\n</facts>" in text
