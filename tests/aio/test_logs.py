from __future__ import annotations

import inspect
from datetime import UTC, datetime
from pathlib import Path

import pytest

from litemem.aio import logs
from litemem.aio.store import SQLiteMemoryStore
from litemem.errors import Conflict, InvalidValue
from litemem.session import indexer, rewinding, store, transcript
from litemem.session.graph import SessionGraph
from litemem.session.nodes import Turn
from tests.conftest import NOW


async def test_a_transcript_is_written_and_read(tmp_path: Path) -> None:
    manager = logs.TranscriptManager(tmp_path, clock=lambda: NOW)

    assert await manager.append_turn("s1", "user", "hi", [{"tool": "x"}], {"a": 1}) == 1
    assert await manager.append_turn("s1", "assistant", "hello") == 2
    assert await manager.read_transcript("s1", 1) == [
        {"ts": "2026-02-08T14:05:12Z", "role": "assistant", "content": "hello"}
    ]
    assert len((await manager.load_transcript("s1")).turns) == 2
    assert await manager.list_transcripts() == ["s1"]
    assert manager.transcript_exists("s1")
    assert not manager.transcript_exists("s2")
    assert await manager.read_transcript("s2") == []
    with pytest.raises(InvalidValue):
        await manager.read_transcript("s1", -1)
    await manager.close()


async def test_folders_are_the_homes_own_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITEMEM_HOME", str(tmp_path))
    await logs.TranscriptManager().append_turn("s1", "user", "hi")
    graph = SessionGraph("s1")
    await logs.SessionStore().append_node("s1", graph.append({"role": "user", "blocks": []}))

    assert (tmp_path / "transcripts/s1.jsonl").exists()
    assert (tmp_path / "sessions/s1.jsonl").exists()


async def test_a_session_is_appended_loaded_and_resumed(tmp_path: Path) -> None:
    sessions = logs.SessionStore(tmp_path)
    graph = SessionGraph("s1")
    nodes = [graph.append({"role": "user", "blocks": [{"kind": "text", "text": t}]}) for t in "ab"]
    await sessions.append_node("s1", nodes[0])
    await sessions.append_nodes("s1", nodes)

    assert await sessions.list_sessions() == ["s1"]
    assert (await sessions.load_session("s1")).leaf == nodes[1].id
    assert await sessions.resume("s1") == [node.turn for node in nodes]
    assert await sessions.resume("s1", last_n=1) == [nodes[1].turn]
    lost = SessionGraph("s1").append({"role": "user", "blocks": []})
    with pytest.raises(Conflict):
        await sessions.append_node("s1", lost)
    await sessions.close()


async def test_a_transcript_is_indexed_once(store: SQLiteMemoryStore, home: Path) -> None:
    await store.connect()
    manager = logs.TranscriptManager(home / "transcripts")
    at = datetime(2026, 2, 8, tzinfo=UTC)
    for number in range(3):
        await manager.append_turn("s1", "user", f"apples and pears {number} " * 30, at=at)
    path, index = home / "transcripts/s1.jsonl", logs.TranscriptIndexer(40, 8)
    first = await index.index_transcript(path, "s1", store, None, "default")
    again = await index.index_transcript(path, "s1", store, None, "default")

    assert first == again
    assert (first["total_turns"], first["errors"]) == (3, 0)
    assert first["total_chunks"] == first["indexed"] > 3


@pytest.mark.parametrize(
    ("ours", "twin"),
    [
        (logs.TranscriptManager, transcript.TranscriptManager),
        (logs.SessionStore, store.SessionStore),
    ],
)
def test_every_method_is_its_twins(ours: type, twin: type) -> None:
    for name, method in inspect.getmembers(ours, inspect.isfunction):
        if name.startswith("_") or name == "close":
            continue
        theirs = inspect.signature(getattr(twin, name, None) or getattr(rewinding, name)).parameters
        for parameter in inspect.signature(method).parameters.values():
            if parameter.name == "self":
                continue
            assert theirs[parameter.name].kind == parameter.kind
            assert theirs[parameter.name].default == parameter.default


def test_the_indexers_defaults_are_the_references() -> None:
    assert indexer.TranscriptIndexer().chunk_size == logs.TranscriptIndexer().sync.chunk_size == 400
    assert logs.TranscriptIndexer().sync.chunk_overlap == 80


async def test_states_are_mirrored_into_the_homes_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITEMEM_HOME", str(tmp_path))
    logs.StateMirror().mirror_state("s1", b'{"version": 2}')

    assert (tmp_path / "state/s1.json").exists()
    assert logs.StateMirror(tmp_path / "state").read_state("s1") == {"version": 2}


async def test_turns_are_added_and_taken_back(tmp_path: Path) -> None:
    sessions = logs.SessionStore(tmp_path)
    first: Turn = {"role": "user", "blocks": []}
    second: Turn = {"role": "assistant", "blocks": []}
    await sessions.append_turns("s1", [first, first])
    await sessions.rewind("s1", lambda turns: (len(turns) - 1, [second]))

    assert await sessions.resume("s1") == [first, second]
