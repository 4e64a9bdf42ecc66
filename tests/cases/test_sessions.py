"""Cases 34 to 39: sessions, and search over them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import litemem
from litemem.aio.manager import MemoryManager
from litemem.aio.store import SQLiteMemoryStore
from litemem.errors import IndexTrouble
from litemem.index.store import Index
from litemem.memory.search import Mode
from litemem.session import SessionGraph, SessionStore, TranscriptManager
from litemem.types import Kind, Vector
from tests.cli.conftest import AsJson, Run, as_json, run
from tests.conftest import OpenMemory

__all__ = ["as_json", "run"]

MODES: tuple[Mode, ...] = ("hybrid", "semantic", "keyword")


def said(role: str, text: str) -> dict[str, object]:
    """Return a turn of words alone."""
    return {"role": role, "blocks": [{"kind": "text", "text": text}]}


def log(home: Path, session_id: str, *texts: str) -> SessionGraph:
    """Write a session of these turns, the user's and the assistant's in turn."""
    store, graph = SessionStore(home / "sessions"), SessionGraph(session_id)
    for n, text in enumerate(texts):
        store.append_turn(graph, said("assistant" if n % 2 else "user", text))
    return graph


def test_reasoning_and_tool_output_are_hidden_by_default(
    run: Run, as_json: AsJson, tmp_path: Path
) -> None:
    """Case 34: reasoning and tool output are hidden by default, tool output shown on request."""
    store, graph = SessionStore(tmp_path / "home" / "sessions"), SessionGraph("s")
    store.append_turn(graph, said("user", "what does the cat do?"))
    thought = {"kind": "thinking", "text": "pondering deeply"}
    call = {"kind": "tool_call", "id": "1", "name": "look", "input": {"at": "garden"}}
    store.append_turn(graph, {"role": "assistant", "blocks": [thought, call]})
    result = {"kind": "tool_result", "callId": "1", "output": "asleep underneath the rosebush"}
    store.append_turn(graph, {"role": "tool", "blocks": [result]})

    shown = run("session", "show", "s", "--brief").stdout
    with_tools = run("session", "show", "s", "--brief", "--tools").stdout

    assert "→ look" in shown
    assert not any(word in shown for word in ("pondering", "rosebush"))
    assert "← asleep underneath the rosebush" in with_tools
    assert "pondering" not in with_tools
    search = ("search", "--in", "sessions", "--mode", "keyword")
    assert as_json(*search, "pondering rosebush") == []
    assert len(as_json(*search, "garden")) == 1


def test_creating_appending_changing_and_deleting_keep_the_index_in_step(
    opened: OpenMemory, home: Path
) -> None:
    """Case 35: create, append, update, delete keep the index in step, for sessions and logs."""
    memory = opened()
    manager = TranscriptManager(home / "transcripts")

    def found(query: str) -> list[str]:
        memory.sync()
        hits = memory.search(query, kinds=("turn", "node"), mode="keyword")
        return sorted(f"{hit.kind} {hit.chat_id}" for hit in hits)

    graph = log(home, "a", "plums are blue")
    manager.append_turn("b", "user", "plums are sour")
    assert found("plums") == ["node a", "turn b"]

    SessionStore(home / "sessions").append_turn(graph, said("assistant", "pears are green"))
    manager.append_turn("b", "assistant", "pears are soft")
    assert found("pears") == ["node a", "turn b"]

    for path in (home / "sessions" / "a.jsonl", home / "transcripts" / "b.jsonl"):
        path.write_text(path.read_text(encoding="utf-8").replace("pears", "figs"), encoding="utf-8")
    assert found("pears") == []
    assert found("figs") == ["node a", "turn b"]

    (home / "sessions" / "a.jsonl").unlink()
    (home / "transcripts" / "b.jsonl").unlink()
    assert found("plums figs") == []


def test_a_long_session_is_read_briefly(run: Run, as_json: AsJson, tmp_path: Path) -> None:
    """Case 36: a 50-message session read: first and last parts, marked as cut."""
    log(tmp_path / "home", "s", *(f"message {n}." for n in range(50)))

    text = run("session", "show", "s", "--brief").stdout
    found = as_json("session", "show", "s", "--brief")

    assert "[... 30 turns left out ...]" in text
    assert text.index("message 4.") < text.index("left out") < text.index("message 35.")
    assert "message 20." not in text
    assert [part["text"] for part in found["first"]] == [f"message {n}." for n in range(5)]
    assert [part["text"] for part in found["last"]] == [f"message {n}." for n in range(35, 50)]
    assert found["left_out"] == 30


def test_a_short_session_is_read_whole(run: Run, tmp_path: Path) -> None:
    """Case 36: nothing is marked as cut where nothing is left out."""
    log(tmp_path / "home", "s", *(f"message {n}." for n in range(20)))
    run("session", "rename", "s", "Talk")

    text = run("session", "show", "s", "--brief").stdout

    assert text.startswith("Talk\n")
    assert "left out" not in text
    assert all(f"message {n}." in text for n in range(20))


@pytest.mark.parametrize(
    "wrong", [["--tools"], ["--brief", "--last", "3"], ["--brief", "--around", "x"]]
)
def test_options_that_contradict_are_usage_errors(run: Run, wrong: list[str]) -> None:
    """Case 36: a brief reading has its own idea of what is shown."""
    assert run("session", "show", "s", *wrong).exit_code == 2


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["turn", "node", "fact"])
def test_the_current_chat_is_left_out_before_the_limit(
    opened: OpenMemory, home: Path, mode: Mode, kind: Kind
) -> None:
    """Case 37: the current chat can be left out, before the limit."""
    memory = opened()
    for chat, turns in (("now", 40), ("old-a", 3), ("old-b", 3)):
        texts = [f"the tram to the harbour leaves at {n}" for n in range(turns)]
        if kind == "node":
            log(home, chat, *texts)
        for text in texts:
            if kind == "turn":
                TranscriptManager(home / "transcripts").append_turn(chat, "user", text)
            elif kind == "fact":
                memory.remember(text, chat_id=chat)
    memory.sync()

    def chats(exclude_chat: str | Sequence[str] = ()) -> list[str | None]:
        found = memory.search(
            "tram to the harbour", 5, kinds=(kind,), mode=mode, floor=0.0, exclude_chat=exclude_chat
        )
        return [hit.chat_id for hit in found]

    assert "now" in chats()
    assert len(chats("now")) == 5
    assert set(chats("now")) == {"old-a", "old-b"}
    assert chats(["now", "old-a"]) == ["old-b"] * 3
    assert chats(["now", "old-a", "old-b", "nobody's"]) == []


@pytest.mark.parametrize("use_hybrid", [True, False])
async def test_an_agent_s_search_leaves_its_own_chat_out(
    store: SQLiteMemoryStore, *, use_hybrid: bool
) -> None:
    """Case 37: the manager's search too, before the limit."""
    for chat, count in (("now", 20), ("old", 2)):
        for n in range(count):
            await store.add_memory(f"the tram to the harbour, {n}", None, "ada", chat)
    manager = MemoryManager(store)

    found = await manager.search_memories(
        "the tram to the harbour",
        5,
        user_id="ada",
        use_hybrid=use_hybrid,
        floor=0.0,
        exclude_chat="now",
    )

    assert [hit["chat_id"] for hit in found] == ["old", "old"]


@pytest.mark.parametrize("mode", MODES)
def test_the_other_rows_keep_their_order(opened: OpenMemory, mode: Mode) -> None:
    """Case 37: leaving a chat out gives what is left of the whole answer's keyword matches."""
    memory = opened()
    for n in range(60):
        memory.remember(f"meeting {n} about the roof", chat_id=f"c{n % 6}")

    whole = memory.search("meeting about the roof", 100, mode=mode, floor=0.0)
    rest = memory.search("meeting about the roof", 100, mode=mode, floor=0.0, exclude_chat="c3")

    assert {hit.id for hit in rest} == {hit.id for hit in whole if hit.chat_id != "c3"}
    assert len(rest) == 50


def test_rows_of_no_chat_are_never_left_out(opened: OpenMemory) -> None:
    """Case 37: the name of a chat leaves out that chat alone, also beside another filter."""
    memory = opened()
    memory.remember("likes tea")
    memory.remember("likes tea in c1", chat_id="c1")

    assert len(memory.search("tea", exclude_chat="")) == 2
    assert [hit.chat_id for hit in memory.search("tea", exclude_chat="c1")] == [None]
    assert [hit.chat_id for hit in memory.search("tea", chat_id="c1", exclude_chat="c1")] == [None]
    assert not memory.search("tea", chat_id="c1", chat_only=True, exclude_chat="c1")


def test_the_command_leaves_a_session_out(run: Run, as_json: AsJson, tmp_path: Path) -> None:
    """Case 37: `search --not-session` and `--not-chat` leave one out each, and may be repeated."""
    for session in ("a", "b", "c"):
        run("session", "append", session, f"the tram of {session}")
    search = ("search", "tram", "--in", "sessions", "--mode", "keyword")

    assert {hit["chat_id"] for hit in as_json(*search)} == {"a", "b", "c"}
    found = as_json(*search, "--not-session", "a", "--not-chat", "b")
    assert [hit["chat_id"] for hit in found] == ["c"]


def test_many_chats_are_left_out_of_a_wide_scope(home: Path) -> None:
    """Case 37: also where all vectors are read, in the file and kept in memory."""
    with litemem.open(home, embedder=litemem.HashEmbedder()) as memory:
        facts = [
            litemem.NewFact(content=f"guest {n} drinks tea", chat_id=f"c{n % 40}")
            for n in range(1200)
        ]
        memory.remember_many(facts)
        left_out = [f"c{n}" for n in range(30)]
        for _ in range(3):
            found = memory.search(
                "guests who drink tea", 30, mode="semantic", floor=0.0, exclude_chat=left_out
            )
            assert len(found) == 30
            assert not {hit.chat_id for hit in found} & set(left_out)


SLOW = """
import sys, time, litemem
from litemem import HashEmbedder

class Slow(HashEmbedder):
    def embed_passages(self, texts):
        time.sleep(0.1)
        return super().embed_passages(texts)

with litemem.open(sys.argv[1], embedder=Slow()) as memory:
    {work}
"""


class Counting(litemem.HashEmbedder):
    """An embedder that counts the texts it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Embed them."""
        self.count += len(texts)
        return super().embed_passages(texts)


def kill_when(process: subprocess.Popen[bytes], happened: Callable[[], bool]) -> None:
    """Kill a process in the middle of its work."""
    try:
        while not happened():
            assert process.poll() is None, "it was done before it could be killed"
            time.sleep(0.002)
    finally:
        process.kill()
        process.wait()


def start(home: Path, work: str) -> subprocess.Popen[bytes]:
    """Start a process that does some work with a slow embedder."""
    return subprocess.Popen([sys.executable, "-c", SLOW.format(work=work), str(home)])


def rows_with_vectors(path: Path) -> tuple[int, int]:
    """Return how many rows of an index are done, and how many there are."""
    try:
        with Index.open(path, None, create=False, read_only=True) as index:
            return index.progress()
    except IndexTrouble:
        return 0, 0


@pytest.mark.parametrize("work", ["memory.embed_pending()", "memory.rebuild()"])
def test_vectors_that_were_made_before_a_kill_are_kept(home: Path, work: str) -> None:
    """Case 38: an interrupted backfill of vectors goes on where it stopped, after a kill."""
    with litemem.open(home, embedder=litemem.HashEmbedder()) as memory:
        memory.remember("likes tea")
    page = home / "memory" / "2026-01-01.md"
    page.write_text("".join(f"- guest {n} likes cake {n}\n" for n in range(3000)), encoding="utf-8")

    def some_are_done() -> bool:
        sides = [path for path in home.glob("index.db.rebuild-*") if path.name.count("-") == 2]
        done, rows = rows_with_vectors(sides[0] if sides else home / "index.db")
        return rows == 3001 and 300 <= done < rows

    kill_when(start(home, work), some_are_done)
    embedder = Counting()

    with litemem.open(home, embedder=embedder) as memory:
        assert len(memory.list()) == 3001
        _ = memory.rebuild() if "rebuild" in work else memory.embed_pending()
        stats = memory.stats()

    assert (stats.vectors, stats.rows) == (3001, 3001)
    assert 0 < embedder.count <= 2750


def test_what_a_killed_rebuild_left_may_be_damaged(home: Path) -> None:
    """Case 38: a torn leftover is no reason to fail."""
    with litemem.open(home, embedder=litemem.HashEmbedder()) as memory:
        memory.remember("likes tea")
        dead = subprocess.Popen([sys.executable, "-c", ""])
        dead.wait()
        (home / f"index.db.rebuild-{dead.pid}-0123abcd").write_bytes(b"no index" * 1000)

        assert memory.rebuild().facts == 1


@pytest.mark.parametrize("is_lost", [False, True])
def test_sessions_that_were_read_before_a_kill_are_not_read_again(
    home: Path, *, is_lost: bool
) -> None:
    """Case 38: an interrupted index of many sessions goes on where it stopped, after a kill."""
    with litemem.open(home, model="none") as memory:
        memory.remember("likes tea")
    text = " ".join(f"word{n % 977}" for n in range(40_000))
    line = json.dumps({"ts": "2026-02-08T14:32:00Z", "role": "user", "content": text}) + "\n"
    (home / "transcripts").mkdir()
    for n in range(12):
        (home / "transcripts" / f"s{n:02}.jsonl").write_text(line * 3, encoding="utf-8")
    if is_lost:
        (home / "index.db").unlink()

    def some_are_done() -> bool:
        try:
            with Index.open(home / "index.db", None, create=False, read_only=True) as index:
                found = [key for key in index.sources() if key.startswith("transcripts")]
                return 0 < len(found) < 12
        except IndexTrouble:
            return False

    script = "import sys, litemem; litemem.open(sys.argv[1])"
    kill_when(subprocess.Popen([sys.executable, "-c", script, str(home)]), some_are_done)

    with litemem.open(home) as memory:
        assert [fact.content for fact in memory.list()] == ["likes tea"]
        assert 0 < memory.opened.changed < 12
        found = memory.search("word13", 1000, kinds=("turn",), mode="keyword")
        assert {hit.chat_id for hit in found} == {f"s{n:02}" for n in range(12)}
        assert memory.sync().changed == 0


def test_a_fork_copies_only_what_is_before_its_boundary(
    run: Run, as_json: AsJson, tmp_path: Path
) -> None:
    """Case 39: a fork at an assistant boundary copies only what is before it."""
    graph = log(tmp_path / "home", "s", "hello", "hi", "plan a trip", "to Porto?", "no, Rome")
    path = [node.id for node in graph.all()]

    done = run("session", "fork", "s", "--at", path[3], "--as", "t")

    assert done.exit_code == 0, done.output
    texts = [node["turn"]["blocks"][0]["text"] for node in as_json("session", "show", "t")["nodes"]]
    assert texts == ["hello", "hi", "plan a trip", "to Porto?"]
    assert [node["id"] for node in as_json("session", "show", "s")["nodes"]] == path
