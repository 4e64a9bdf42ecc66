import logging
import os
import stat
import threading
import time
from pathlib import Path

import pytest

from litemem.errors import (
    Conflict,
    FileTrouble,
    InvalidName,
    InvalidValue,
    LockTimeout,
    UnknownNode,
    UnknownSession,
)
from litemem.files.lock import locked
from litemem.session import Revision, SessionGraph, SessionNode, SessionStore
from litemem.session.records import Head, format_record
from tests.session.turns import path_of, said, turn


def ids(graph: SessionGraph) -> list[str]:
    return [node.id for node in graph.all()]


def test_turns_come_back_in_another_store(store: SessionStore, graph: SessionGraph) -> None:
    again = SessionStore(store.folder.root).load_session("s", strict=True, check_ids=True)

    assert again.all() == graph.all()
    assert again.leaf == graph.leaf
    assert again.saved == graph.saved == Revision(graph.leaf, None)
    assert said(store.resume("s")) == ["a", "b", "c"]


def test_files_and_folders_are_private(store: SessionStore, graph: SessionGraph) -> None:
    del graph

    assert stat.S_IMODE(path_of(store).stat().st_mode) == 0o600
    assert stat.S_IMODE(store.folder.root.stat().st_mode) == 0o700


def test_reading_makes_nothing(store: SessionStore) -> None:
    assert store.load_session("s").size == 0
    assert store.resume("s") == store.resume("s", last_n=5) == []
    assert store.revision("s") == Revision(None, None)
    assert store.list_sessions() == []
    assert not store.folder.root.exists()


def test_another_writer_makes_a_conflict_and_nothing_is_written(
    store: SessionStore, graph: SessionGraph
) -> None:
    other = store.load_session("s")
    store.append_turn(other, turn("d"))
    data = path_of(store).read_bytes()

    with pytest.raises(Conflict, match="changed meanwhile"):
        store.append_turn(graph, turn("mine"))
    with pytest.raises(Conflict, match="fork=True"):
        store.append_node("s", graph.draft(turn("mine")))
    assert path_of(store).read_bytes() == data
    assert said(graph.path_to(str(graph.leaf))) == ["a", "b", "c"]


def test_a_tree_can_be_walked_from_its_roots(store: SessionStore, graph: SessionGraph) -> None:
    first, second, third = ids(graph)
    graph.branch_from(first)
    other = store.append_turn(graph, turn("d")).id

    assert store.load_session("s").children() == {
        None: [first],
        first: [second, other],
        second: [third],
    }


def test_a_fork_is_written_knowingly_and_chains_on(
    store: SessionStore, graph: SessionGraph
) -> None:
    other = store.load_session("s")
    store.append_turn(other, turn("d"))
    store.append_turn(graph, turn("mine"), fork=True)
    store.append_turn(graph, turn("more"))

    assert said(store.resume("s")) == ["a", "b", "c", "mine", "more"]
    assert store.load_session("s", strict=True).size == 6


def test_a_moved_leaf_branches_without_being_asked(
    store: SessionStore, graph: SessionGraph
) -> None:
    graph.branch_from(ids(graph)[0])
    store.append_turn(graph, turn("d"))

    assert said(store.resume("s")) == ["a", "d"]


def test_the_same_turn_at_the_same_instant_is_the_same_node(tmp_path: Path) -> None:
    store = SessionStore(tmp_path, clock=lambda: 1)
    graph = store.load_session("s")
    root = store.append_turn(graph, turn("a"))
    first = store.append_turn(graph, turn("b"))
    graph.branch_from(root.id)
    second = store.append_turn(graph, turn("b"))
    again = store.load_session("s", strict=True)

    assert first == second
    assert (again.leaf, again.size) == (first.id, 2)


def test_a_second_root_is_no_accident(store: SessionStore, graph: SessionGraph) -> None:
    root = SessionGraph("s", lambda: 9).append(turn("root"))

    with pytest.raises(Conflict):
        store.append_node("s", root)
    lines = path_of(store).read_bytes().splitlines(keepends=True)
    path_of(store).write_bytes(b"".join(line for line in lines if b'"node"' in line))
    assert store.load_session("s").leaf is None
    with pytest.raises(Conflict):
        store.append_node("s", root)
    store.append_node("s", root, fork=True)
    assert said(store.resume("s")) == ["root"]
    assert store.load_session("s").size == graph.size + 1


def test_an_unknown_last_head_leaves_the_last_known_one(
    store: SessionStore, graph: SessionGraph
) -> None:
    with path_of(store).open("ab") as file:
        file.write(b'{"type":"head","leaf":"ffff"}\n')
    again = SessionStore(store.folder.root, fsync=False)

    assert again.revision("s").leaf == again.load_session("s").leaf == graph.leaf
    assert said(again.resume("s", last_n=1)) == ["c"]
    again.append_node("s", graph.draft(turn("d")))
    assert said(again.resume("s")) == ["a", "b", "c", "d"]


def test_a_whole_path_can_be_handed_in_each_time(store: SessionStore) -> None:
    graph = SessionGraph("s", lambda: 1)
    for text in ("a", "b", "c"):
        graph.append(turn(text))
        store.append_nodes("s", graph.nodes_to(str(graph.leaf)))

    assert path_of(store).read_bytes().count(b"\n") == 6
    assert store.load_session("s", strict=True).all() == graph.all()


def test_trying_an_append_again_writes_nothing(store: SessionStore, graph: SessionGraph) -> None:
    node = graph.draft(turn("d"))
    store.append_node("s", node, expected=graph.saved)
    data = path_of(store).read_bytes()
    store.append_node("s", node, expected=graph.saved)
    store.append_nodes("s", [])

    assert path_of(store).read_bytes() == data


def test_a_chain_must_be_one(store: SessionStore, graph: SessionGraph) -> None:
    with pytest.raises(InvalidValue, match="doesn't follow"):
        store.append_nodes("s", [graph.draft(turn("x")), graph.draft(turn("y"))])


def test_a_branch_needs_its_parent_in_the_file(store: SessionStore, graph: SessionGraph) -> None:
    graph.append(turn("only in memory"))

    with pytest.raises(UnknownNode):
        store.append_turn(graph, turn("x"))
    with pytest.raises(UnknownNode):
        store.append_node("s", graph.draft(turn("x")), fork=True)


def test_a_turn_that_is_no_json_is_refused_and_leaves_no_trace(
    store: SessionStore, graph: SessionGraph
) -> None:
    data = path_of(store).read_bytes()
    bad = SessionNode(id="x", parent=graph.leaf, turn={"role": {1}}, created_at=1)

    with pytest.raises(InvalidValue):
        store.append_turn(graph, {"role": b"user"})
    with pytest.raises(InvalidValue):
        store.append_node("s", bad)
    assert path_of(store).read_bytes() == data
    assert graph.size == 3


def test_a_moved_head_is_saved(store: SessionStore, graph: SessionGraph) -> None:
    first = ids(graph)[0]
    store.move_head("s", first)
    size = path_of(store).stat().st_size
    store.move_head("s", first)
    again = store.load_session("s", strict=True)

    assert path_of(store).stat().st_size == size
    assert (again.leaf, again.size) == (first, 3)
    assert said(store.resume("s")) == ["a"]
    with pytest.raises(UnknownNode):
        store.move_head("s", "nope")
    with pytest.raises(UnknownSession):
        store.move_head("none", first)
    with pytest.raises(Conflict):
        store.move_head("s", first, expected=graph.saved)


def test_any_message_can_be_resumed(store: SessionStore, graph: SessionGraph) -> None:
    second = ids(graph)[1]

    assert said(store.resume("s", leaf=second)) == ["a", "b"]
    assert said(store.resume("s", leaf=second, last_n=1)) == ["b"]
    assert store.load_session("s").leaf == graph.leaf
    for last_n in (None, 1):
        with pytest.raises(UnknownNode):
            store.resume("s", leaf="nope", last_n=last_n)
        with pytest.raises(UnknownNode):
            store.resume("none", leaf="nope", last_n=last_n)
    with pytest.raises(InvalidValue, match="last_n"):
        store.resume("s", last_n=-1)


def test_marks_are_kept_and_the_last_one_counts(store: SessionStore, graph: SessionGraph) -> None:
    first, second, _ = ids(graph)
    for label in ("draft", "start"):
        store.label("s", first, label)
    store.label("s", second, "x")
    store.label("s", second, None)
    store.label("s", second, None)
    for name in ("old", "Trip to Lisbon"):
        store.rename("s", name)
    store.archive("s")
    marks = store.load_session("s", strict=True).marks

    assert (marks.labels, marks.name, marks.archived) == ({first: "start"}, "Trip to Lisbon", True)
    store.archive("s", archived=False)
    store.rename("s", None)
    marks = store.load_session("s", strict=True).marks
    assert (marks.name, marks.archived) == (None, False)


def test_marks_need_what_they_mark(store: SessionStore, graph: SessionGraph) -> None:
    del graph

    with pytest.raises(UnknownNode):
        store.label("s", "nope", "x")
    with pytest.raises(UnknownSession):
        store.rename("none", "x")
    with pytest.raises(UnknownSession):
        store.archive("none")
    assert store.list_sessions() == ["s"]


def test_marks_are_no_change_that_an_append_minds(store: SessionStore, graph: SessionGraph) -> None:
    store.rename("s", "x")
    store.append_turn(graph, turn("d"))

    assert said(store.resume("s", last_n=2)) == ["c", "d"]


def test_two_spellings_of_a_session_are_one(store: SessionStore, graph: SessionGraph) -> None:
    del graph

    with pytest.raises(InvalidName, match="'s'"):
        store.append_node("S", SessionGraph("S", lambda: 1).append(turn("x")))
    assert store.list_sessions() == ["s"]


def test_a_session_that_is_a_folder_is_a_clear_error(store: SessionStore) -> None:
    (store.folder.root / "s.jsonl").mkdir(parents=True)

    with pytest.raises(FileTrouble, match="folder"):
        store.load_session("s")
    with pytest.raises(FileTrouble, match="folder"):
        store.append_node("s", SessionGraph("s", lambda: 1).append(turn("x")))


def test_a_root_that_is_a_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "root").touch()
    store = SessionStore(tmp_path / "root")

    with pytest.raises(FileTrouble):
        store.list_sessions()


def test_a_held_lock_ends_the_wait(store: SessionStore, graph: SessionGraph) -> None:
    impatient = SessionStore(store.folder.root, lock_timeout_s=0.05)

    with locked(store.folder.root / ".lock"), pytest.raises(LockTimeout):
        impatient.append_node("s", graph.draft(turn("d")))


def test_a_line_half_written_by_another_is_waited_for(
    store: SessionStore, graph: SessionGraph
) -> None:
    node = graph.draft(turn("d"))
    line = format_record(node) + format_record(Head(leaf=node.id))
    is_half = threading.Event()

    def write() -> None:
        with locked(store.folder.root / ".lock"), path_of(store).open("ab", 0) as file:
            file.write(line[:50])
            is_half.set()
            time.sleep(0.1)
            file.write(line[50:])

    writer = threading.Thread(target=write)
    writer.start()
    is_half.wait()
    again = store.load_session("s", strict=True)
    writer.join()

    assert again.leaf == node.id


def test_a_torn_end_is_reported_while_somebody_else_holds_the_lock(
    store: SessionStore, graph: SessionGraph
) -> None:
    with path_of(store).open("ab") as file:
        file.write(b'{"type":"no')
    with locked(store.folder.root / ".lock"):
        again = store.load_session("s")

    assert [finding.kind for finding in again.report.findings] == ["torn line"]
    assert again.leaf == graph.leaf


def test_odd_lines_are_logged_once_by_number_only(
    store: SessionStore, graph: SessionGraph, caplog: pytest.LogCaptureFixture
) -> None:
    del graph
    with path_of(store).open("ab") as file:
        file.write(b"secret\nsecret\n")
    with caplog.at_level(logging.WARNING):
        store.load_session("s")

    assert [record.getMessage() for record in caplog.records] == ["session s: 2 findings"]


def test_a_file_replaced_meanwhile_is_read_anew(store: SessionStore, graph: SessionGraph) -> None:
    shorter = path_of(store).read_bytes().split(b"\n")[:2]
    path_of(store).unlink()
    path_of(store).write_bytes(b"\n".join(shorter) + b"\n")
    again = store.load_session("s")
    store.append_turn(again, turn("d"))

    assert said(store.resume("s")) == ["a", "d"]
    path_of(store).unlink()
    with pytest.raises(Conflict):
        store.append_turn(graph, turn("e"))


def test_a_file_edited_in_place_is_read_anew(store: SessionStore, graph: SessionGraph) -> None:
    record = store.compact(graph, turn("summary"), at=1)
    assert store.revision("s") == Revision(graph.leaf, record.id)

    lines = path_of(store).read_bytes().splitlines(keepends=True)
    for end in (b"", b'{"type":"meta"}\n' * 99):
        path_of(store).write_bytes(b"".join(lines[:-1]) + end)
        assert store.revision("s") == Revision(graph.leaf, None)


def test_a_writer_without_a_lock_is_noticed(store: SessionStore, graph: SessionGraph) -> None:
    node = graph.draft(turn("d"))
    other = SessionStore(store.folder.root)
    with path_of(store).open("ab") as file:
        file.write(b'{"type":"head","leaf":"%s"}\n' % ids(graph)[0].encode())

    with pytest.raises(Conflict):
        store.append_node("s", node)
    other.append_node("s", node, fork=True)
    assert said(store.resume("s")) == ["a", "b", "c", "d"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_can_be_read(store: SessionStore, graph: SessionGraph) -> None:
    store.folder.root.chmod(0o500)
    try:
        with path_of(store).open("ab") as file:
            file.write(b"{torn")
        assert store.load_session("s").leaf == graph.leaf
    finally:
        store.folder.root.chmod(0o700)
