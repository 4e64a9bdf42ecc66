"""Transcripts and sessions are searched beside facts; the index follows their files."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest

from litemem.index.following import SourceFile
from litemem.memory.memory import Memory
from litemem.session import SessionGraph, SessionStore, TranscriptManager, fork_session
from litemem.session.indexing import session_docs, transcript_docs, turn_text
from tests.conftest import NOW, OpenMemory

FILE = SourceFile(path=Path("x.jsonl"), key="sessions/x.jsonl", user="default")


def said(role: str, text: str) -> dict[str, object]:
    """Return a turn of one text."""
    return {"role": role, "blocks": [{"kind": "text", "text": text}]}


def a_session(home: Path) -> SessionStore:
    """Store a session with a branch, and return its store."""
    store = SessionStore(home / "sessions")
    graph = SessionGraph("s1", clock=lambda: NOW.timestamp() * 1000)
    first = store.append_turn(graph, said("user", "Where is the staging server?"))
    store.append_turn(graph, said("assistant", "It runs on host zeppelin."))
    graph.branch_from(first.id)
    store.append_turn(graph, said("assistant", "It runs on host marmalade."), fork=True)
    return store


def test_a_node_is_found_once_and_names_its_session(opened: OpenMemory, home: Path) -> None:
    a_session(home)
    memory = opened()

    (hit,) = memory.search("zeppelin", kinds=("node",), mode="keyword")
    both = memory.search("staging server", kinds=("node",))

    assert (hit.kind, hit.chat_id, hit.speaker) == ("node", "s1", "assistant")
    assert hit.source.origin is not None
    assert (hit.source.path, hit.source.origin.session) == ("sessions/s1.jsonl", "s1")
    assert len({found.id for found in both}) == len(both)
    assert memory.search("zeppelin").hits == ()


def test_a_node_that_a_fork_took_along_is_found_once(opened: OpenMemory, home: Path) -> None:
    store = a_session(home)
    fork_session(store, "s1", "s2")
    found = opened().search("staging server marmalade", kinds=("node",), mode="keyword").hits

    assert len({hit.id for hit in found}) == len(found)


def test_a_turn_of_a_transcript_names_its_line(opened: OpenMemory, home: Path) -> None:
    manager = TranscriptManager(home / "transcripts", clock=lambda: NOW)
    manager.append_turn("c1", "user", "I like marmalade")
    manager.append_turn("c1", "assistant", "Noted.")
    memory = opened()
    memory.remember("likes marmalade on toast")

    hits = memory.search("marmalade", kinds=("turn", "fact"), mode="keyword").hits

    assert {(hit.kind, hit.source.line) for hit in hits} == {("turn", 1), ("fact", 5)}
    assert {hit.id for hit in hits if hit.kind == "turn"} == {"c1:1"}


def test_only_new_turns_are_embedded(opened: OpenMemory, home: Path) -> None:
    manager = TranscriptManager(home / "transcripts", clock=lambda: NOW)
    for number in range(20):
        manager.append_turn("c1", "user", f"turn {number}")
    memory = opened()
    first = memory.embed_pending()
    manager.append_turn("c1", "user", "one more")

    memory.sync()

    assert (first, memory.embed_pending()) == (20, 1)
    assert memory.embed_pending() == 0


def test_deleting_the_index_loses_no_session_answer(opened: OpenMemory, home: Path) -> None:
    a_session(home)
    memory = opened()
    before = memory.search("host", kinds=("node",)).hits
    memory.close()
    (home / "index.db").unlink()

    assert opened().search("host", kinds=("node",)).hits == before


def test_a_removed_session_is_not_found(opened: OpenMemory, home: Path) -> None:
    a_session(home)
    opened().close()
    (home / "sessions" / "s1.jsonl").unlink()

    assert opened().search("zeppelin", kinds=("node",)).hits == ()


def test_another_users_sessions_stay_his(opened: OpenMemory, home: Path) -> None:
    a_session(home / "users" / "ann")
    memory = opened()

    assert memory.search("zeppelin", kinds=("node",)).hits == ()
    assert len(memory.for_user("ann").search("zeppelin", kinds=("node",), mode="keyword")) == 1


def test_bad_lines_are_named_in_doctor(opened: OpenMemory, home: Path) -> None:
    a_session(home)
    with (home / "sessions" / "s1.jsonl").open("ab") as file:
        file.write(b"{torn")
    (home / "transcripts").mkdir()
    (home / "transcripts" / "c1.jsonl").write_bytes(b"[]\n")

    found = {problem.path for problem in opened().doctor().problems}

    assert found == {"sessions/s1.jsonl", "transcripts/c1.jsonl"}


def test_forgetting_with_transcripts_forgets_the_turn_too(opened: OpenMemory, home: Path) -> None:
    manager = TranscriptManager(home / "transcripts", clock=lambda: NOW)
    manager.append_turn("c1", "user", "my code is quokka 4711")
    memory = opened()
    done = memory.remember("my code is quokka 4711")

    memory.forget(done.id, transcripts=True)

    assert memory.search("quokka", kinds=("fact", "turn")).hits == ()
    memory.close()
    assert not any(b"quokka" in p.read_bytes() for p in home.rglob("*") if p.is_file())


def test_a_long_turn_is_cut_into_chunks_that_share_their_line() -> None:
    text = " ".join(f"word{n}" for n in range(400))
    data = b'{"ts":"2026-02-08T14:32:00Z","role":"user","content":"' + text.encode() + b'"}\n'

    docs, problems = transcript_docs(FILE, "c1", data, UTC)

    assert problems == []
    assert len(docs) > 2
    assert {(doc.id, doc.line) for doc in docs} == {("c1:1", 1)}
    assert docs[0].head == "user (2026-02-08): "


@pytest.mark.parametrize(
    ("turn", "text"),
    [
        (said("user", "hi"), "hi"),
        ({"role": "user"}, ""),
        ({"blocks": [3, {"kind": "thinking", "text": "hm"}]}, ""),
        ({"blocks": [{"kind": "tool_result", "output": "x"}]}, ""),
        (
            {"blocks": [{"kind": "tool_call", "name": "grep", "input": {"q": "a", "n": [1, "b"]}}]},
            "grep a b",
        ),
        ({"blocks": [{"kind": "tool_call", "input": None}, {"kind": "text", "text": 5}]}, ""),
    ],
)
def test_what_of_a_turn_is_searched(turn: dict[str, object], text: str) -> None:
    assert turn_text(turn).strip() == text


def test_odd_times_are_no_times() -> None:
    turn = b'{"role":"user","blocks":[{"kind":"text","text":"x"}]}'
    body = b'{"id":"n1","parent":null,"turn":' + turn + b',"createdAt":1e300}'
    node = b'{"type":"node","node":' + body + b"}\n"
    line = b'{"ts":"soon","role":"user","content":"x"}\n'

    (one,), _ = session_docs(FILE, "s", node + node, UTC)
    (two,), _ = transcript_docs(FILE, "s", line, UTC)

    assert (one.at, two.at) == (None, None)


def test_a_sync_without_changes_reads_no_session(memory: Memory, home: Path) -> None:
    a_session(home)
    memory.sync()

    assert memory.sync().changed == 0
