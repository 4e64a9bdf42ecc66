from __future__ import annotations

from pathlib import Path

import pytest

from litemem.aio.markdown import MarkdownIndexer, MarkdownMemoryStore
from litemem.aio.store import SQLiteMemoryStore
from litemem.errors import Closed, InvalidFact, InvalidValue
from litemem.files.read import read_existing
from tests.aio.conftest import Clock
from tests.memory.test_reindex import Broken


async def markdown(path: Path, clock: Clock) -> MarkdownMemoryStore:
    return MarkdownMemoryStore(path, clock=clock)


async def test_a_dict_becomes_a_line_with_all_it_says(tmp_path: Path, clock: Clock) -> None:
    logs = await markdown(tmp_path, clock)
    await logs.append_daily_log(
        "c1",
        [
            {
                "content": "Lives in Lisbon",
                "category": "personal",
                "importance": 0.8,
                "tags": ["home"],
                "conversation_context": {"user_intent": "chat"},
                "source_session_id": "s1",
                "source_transcript_line": 3,
                "source_timestamp": "2026-02-08T14:00:00Z",
                "metadata": None,
            }
        ],
    )
    text = await logs.get_daily_log("2026-02-08")

    assert text is not None
    assert "- [personal] Lives in Lisbon #home <!--" in text
    assert '"metadata":{"conversation_context":{"user_intent":"chat"}}' in text
    assert '"source":{"session":"s1","line":3,"at":"2026-02-08T14:00:00Z"}' in text
    assert await logs.list_daily_logs() == ["2026-02-08"]
    assert await logs.get_recent_logs() == text.strip("\n")
    await logs.close()


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"content": " "},
        {"content": 3},
        {"content": "x", "importance": 1.5},
        {"content": "x", "source_session_id": "s", "source_transcript_line": 0},
        {"content": "x", "odd": float("nan")},
        "text",
    ],
)
async def test_a_wrong_fact_is_refused_whole(
    tmp_path: Path, clock: Clock, wrong: dict[str, object]
) -> None:
    logs = await markdown(tmp_path, clock)
    with pytest.raises(InvalidFact):
        await logs.append_daily_log("c1", [{"content": "good"}, wrong])

    assert await logs.list_daily_logs() == []


@pytest.mark.parametrize(
    "wrong", ["2026-02-30", "today", "20260208", "2026-W06-7", "2026-2-8", "", None, 3]
)
async def test_a_date_that_is_none_is_refused(tmp_path: Path, clock: Clock, wrong: str) -> None:
    logs = await markdown(tmp_path, clock)
    if wrong is not None:
        with pytest.raises(InvalidValue, match="write it as 2026-02-08"):
            await logs.append_daily_log("c1", [{"content": "x"}], wrong)
    with pytest.raises(InvalidValue):
        await logs.get_daily_log(wrong)


async def test_the_memory_file_is_written_and_read(tmp_path: Path, clock: Clock) -> None:
    logs = await markdown(tmp_path, clock)

    assert await logs.read_memory_file() is None
    await logs.write_memory_file("- tea")
    assert (await logs.read_memory_file() or "").endswith("\n\n- tea")
    await logs.close()
    with pytest.raises(Closed):
        await logs.read_memory_file()


async def test_a_reindex_gives_the_five_counts(
    store: SQLiteMemoryStore, home: Path, clock: Clock
) -> None:
    await store.connect()
    logs = await markdown(home / "memory", clock)
    await logs.append_daily_log("c1", [{"content": "tea"}, {"content": "coffee"}])
    indexer = MarkdownIndexer()

    failed = await indexer.reindex_from_markdown(logs, store, Broken(), "default")
    assert failed == {
        "total_files": 1,
        "total_facts": 2,
        "indexed": 0,
        "skipped": 0,
        "errors": 2,
    }
    assert await store.hybrid_search(None, "tea", "default") == []
    done = await indexer.reindex_from_markdown(logs, store, None, "default")
    assert (done["indexed"], done["errors"]) == (2, 0)
    again = await indexer.reindex_from_markdown(logs, store, None, "default", clear_existing=True)
    assert (again["indexed"], again["errors"]) == (2, 0)
    assert [row["content"] for row in await store.hybrid_search(None, "tea", "default")] == ["tea"]


async def test_markdown_of_another_folder_isnt_this_homes(
    store: SQLiteMemoryStore, tmp_path: Path, clock: Clock
) -> None:
    logs = await markdown(tmp_path / "elsewhere", clock)
    with pytest.raises(InvalidValue, match="use MarkdownMemoryStore"):
        await MarkdownIndexer().reindex_from_markdown(logs, store, None, "default")

    assert read_existing(tmp_path / "elsewhere") is None
