"""Forgetting reaches sessions, transcripts and states, and loses no turn that is written then."""

from __future__ import annotations

import threading

from litemem.session import SessionStore, StateMirror, TranscriptManager, repair, verify
from litemem.settings import Home
from tests.conftest import OpenMemory
from tests.session.turns import said, turn

SECRET = "The door code is 4711"


def test_a_forgotten_text_is_in_no_log_and_its_nodes_are_redacted(opened: OpenMemory) -> None:
    memory = opened()
    fact = memory.remember(SECRET).id
    home = Home(memory.home)
    store = SessionStore(home.sessions_dir("default"), fsync=False)
    graph = store.load_session("s")
    node = store.append_turn(graph, turn(SECRET))
    store.compact(graph, turn(f"sum: {SECRET}"), at=1)
    with (home.sessions_dir("default") / "s.jsonl").open("ab") as file:
        file.write(b'{"torn')
    repair(store, "s")
    TranscriptManager(home.transcripts_dir("default")).append_turn("s", "user", SECRET)
    StateMirror(home.state_dir("default")).mirror_state("s", f'{{"last": "{SECRET}"}}'.encode())
    memory.forget(fact, transcripts=True)
    verification = verify(store, "s")

    assert [path for path in home.root.rglob("*.*") if b"4711" in path.read_bytes()] == []
    assert (verification.redacted, verification.report.findings) == ((node.id,), ())


def test_turns_written_while_texts_are_erased_are_kept(opened: OpenMemory) -> None:
    memory = opened()
    facts = [memory.remember(f"Fact {n} of the door").id for n in range(10)]
    folder = Home(memory.home).sessions_dir("default")
    store = SessionStore(folder, fsync=False)
    graph = store.load_session("s")
    store.append_turn(graph, turn("Fact 0 of the door"))
    is_done = threading.Event()

    def write() -> None:
        while not is_done.is_set():
            said_so_far = len(graph.all())
            store.append_turn(graph, turn(f"Fact {said_so_far % 10} of the door; {said_so_far}"))

    writer = threading.Thread(target=write)
    writer.start()
    for fact in facts:
        memory.forget(fact, transcripts=True)
    is_done.set()
    writer.join()
    turns = said(store.resume("s"))

    assert len(turns) == graph.size
    assert [int(text.rpartition("; ")[2]) for text in turns[1:]] == list(range(1, graph.size))
