"""Checking, mending, upgrading, forking and removing sessions."""

import json
from dataclasses import replace

import pytest

from litemem.errors import SessionError, UnknownNode, UnknownSession
from litemem.session import (
    SessionGraph,
    SessionStore,
    fork_session,
    remove_session,
    repair,
    upgrade,
    verify,
)
from litemem.session.records import format_record
from litemem.text.jsjson import MAX_DEPTH
from tests.session.test_reading import GOOD, A, B, head, node, raw_node, torn
from tests.session.turns import path_of, said, turn


def write(store: SessionStore, data: bytes) -> None:
    store.folder.root.mkdir(parents=True, exist_ok=True)
    path_of(store).write_bytes(data)


def test_a_sound_session_verifies(store: SessionStore, graph: SessionGraph) -> None:
    del graph
    verification = verify(store, "s")

    assert (verification.nodes, verification.redacted) == (3, ())
    assert verification.report.findings == ()


def test_a_changed_node_does_not_verify(store: SessionStore) -> None:
    write(store, GOOD.replace(b'"text":"b"', b'"text":"B"'))
    (finding,) = verify(store, "s").report.findings

    assert (finding.kind, finding.line) == ("id mismatch", 3)
    assert B.id in finding.detail


@pytest.mark.parametrize("value", [b"null", b"1", b'"x"', b"[]", b"{}", b'{"type":1}'])
def test_json_that_is_no_record_is_found_and_left_out(store: SessionStore, value: bytes) -> None:
    write(store, GOOD + value + b"\n")
    (finding,) = verify(store, "s").report.findings

    assert (finding.kind, finding.line) == ("bad record", 5)
    assert said(store.resume("s")) == ["a", "b"]
    repair(store, "s")
    assert path_of(store).read_bytes() == GOOD


def test_condensations_of_nodes_that_are_gone_are_found(
    store: SessionStore, graph: SessionGraph
) -> None:
    made = store.compact(graph, turn("sum"), at=2, pin=0)
    assert verify(store, "s").report.findings == ()
    lost = replace(made, id="m", leaf="x", first_kept="y", pinned=("z", *made.pinned))
    with path_of(store).open("ab") as file:
        file.write(format_record(lost))
    found = verify(store, "s").report.findings

    assert [one.kind for one in found] == ["lost condensed"] * 3
    assert {one.line for one in found} == {8}
    for one, (field, node_id) in zip(
        found, [("leaf", "x"), ("firstKept", "y"), ("pinned", "z")], strict=True
    ):
        assert one.detail == f'{field} of condensation m: no node has the id "{node_id}"'
    assert said(store.resume("s")) == ["sum", "a", "c"]


def test_a_session_that_is_not_there_is_an_error(store: SessionStore) -> None:
    for act in (verify, repair, upgrade, remove_session):
        with pytest.raises(UnknownSession, match="none"):
            act(store, "none")


def test_a_sound_file_is_not_touched(store: SessionStore, graph: SessionGraph) -> None:
    state = path_of(store).stat()
    store.rename("s", "x")
    state = path_of(store).stat()
    rewrite = repair(store, "s")

    assert (rewrite.backup, rewrite.changed) == (None, 0)
    assert path_of(store).stat() == state
    assert upgrade(store, "s").changed == 0
    assert graph.leaf == store.load_session("s").leaf


C = node("c", B.id)
DEEP = b'{"a":' * (MAX_DEPTH + 50) + b"1" + b"}" * (MAX_DEPTH + 50)
DEEP_NODE = b'{"type":"node","node":{"id":"x","parent":null,"turn":%s,"createdAt":1}}' % DEEP


@pytest.mark.parametrize(
    ("data", "mended"),
    [
        (GOOD + b"{torn", GOOD),
        (GOOD + b"{bad}\n\n \n" + head("nope"), GOOD),
        (b"\0\0\n" + GOOD[:-1], GOOD),
        (GOOD + torn(C, 60) + format_record(C) + head(C.id), GOOD + format_record(C) + head(C.id)),
        (GOOD + GOOD, GOOD + b"".join(GOOD.splitlines(keepends=True)[1::2])),
        (format_record(A) + format_record(B), format_record(A) + format_record(B) + head(B.id)),
        (GOOD + b"{} {}\n", GOOD),
        (b"{torn", b""),
    ],
    ids=["torn", "bad", "no end", "glued", "twice", "no head", "empty", "nothing"],
)
def test_what_cannot_be_read_is_left_out(store: SessionStore, data: bytes, mended: bytes) -> None:
    write(store, data)
    rewrite = repair(store, "s")

    assert path_of(store).read_bytes() == mended
    assert rewrite.changed
    assert rewrite.backup == path_of(store).with_name("s.jsonl.bak")
    assert rewrite.backup.read_bytes() == data
    assert store.load_session("s").report.findings == ()
    assert store.list_sessions() == ["s"]
    assert repair(store, "s").backup is None


@pytest.mark.parametrize(
    "line",
    [
        raw_node("orphan", "gone") + head("orphan"),
        raw_node("x", "x"),
        b'{"type":"custom","x":1}\r\n',
        b'{"type":"head",  "leaf":"%s", "more":1}\n' % B.id.encode(),
        b'{"type":"node","node":{"id":"x","parent":null,"turn":{"text":"\xff"},"createdAt":1}}\n',
        b'{"type":"node","node":{"id":"x","parent":null,"turn":[],"createdAt":1}}\n',
        DEEP_NODE + b"\n",
    ],
    ids=["orphan", "cycle", "unknown", "spaced", "bad bytes", "no turn", "deep"],
)
def test_what_can_be_read_stays_byte_for_byte(store: SessionStore, line: bytes) -> None:
    write(store, GOOD + line + b"{torn")
    repair(store, "s")

    assert path_of(store).read_bytes() == GOOD + line


def test_a_glued_record_too_deep_to_write_stays_as_it_is(store: SessionStore) -> None:
    write(store, DEEP_NODE + b'{"type":"meta"}')
    repair(store, "s")

    assert path_of(store).read_bytes() == DEEP_NODE + b'{"type":"meta"}\n' + head("x")


def test_without_a_head_the_last_node_with_all_ancestors_gets_it(store: SessionStore) -> None:
    write(store, format_record(A) + format_record(B) + raw_node("orphan", "gone"))
    repair(store, "s")

    assert store.load_session("s").leaf == B.id


def test_each_repair_keeps_its_own_backup(store: SessionStore) -> None:
    for n in range(3):
        write(store, GOOD + b"{torn %d" % n)
        repair(store, "s")

    names = sorted(path.name for path in store.folder.root.glob("*.bak*"))
    assert names == ["s.jsonl.bak", "s.jsonl.bak2", "s.jsonl.bak3"]
    assert b"torn 2" in path_of(store).with_name("s.jsonl.bak3").read_bytes()


class Upper:
    """Brings records of version 0 up to date; fails on one of them."""

    id = "upper"

    def upgrade(self, raw: object) -> object:
        """Turn `{"v": 0, "n": node}` into a node record, and drop what is called old."""
        if not isinstance(raw, dict) or raw.get("v") != 0:
            return raw
        if raw["n"] == "broken":
            raise KeyError("broken")
        return None if raw["n"] == "old" else {"type": "node", "node": raw["n"]}


def old(body: object) -> bytes:
    return json.dumps({"v": 0, "n": body}).encode() + b"\n"


def test_an_upgrade_is_written_back_with_a_backup(store: SessionStore) -> None:
    body = {"id": A.id, "parent": None, "turn": dict(A.turn), "createdAt": 1}
    data = old(body) + head(A.id) + old("old") + old("broken") + b"{bad\n"
    write(store, data)
    new = SessionStore(store.folder.root, [Upper()], fsync=False)
    before = new.load_session("s")
    rewrite = upgrade(new, "s")

    assert [finding.kind for finding in before.report.findings] == ["failed migration", "bad line"]
    assert before.report.findings[0].detail == "migrator upper: KeyError('broken')"
    assert rewrite.changed == 2
    assert rewrite.backup is not None
    assert rewrite.backup.read_bytes() == data
    assert path_of(store).read_bytes() == (
        format_record(A) + head(A.id) + old("broken") + b"{bad\n"
    )
    assert said(store.resume("s")) == ["a"]
    assert upgrade(new, "s").backup is None


def test_migrated_records_can_be_appended_to_and_repaired(store: SessionStore) -> None:
    body = {"id": A.id, "parent": None, "turn": dict(A.turn), "createdAt": 1}
    write(store, old(body) + head(A.id) + old("broken") + b"{torn")
    new = SessionStore(store.folder.root, [Upper()], fsync=False)
    repair(new, "s")
    graph = new.load_session("s")
    new.append_turn(graph, turn("b"))

    assert said(new.resume("s")) == said(new.resume("s", last_n=9)) == ["a", "b"]
    assert path_of(store).read_bytes().startswith(old(body) + head(A.id) + old("broken"))


def test_a_fork_is_a_session_of_its_own(store: SessionStore, graph: SessionGraph) -> None:
    first, second, third = (node.id for node in graph.all())
    store.label("s", first, "start")
    store.label("s", third, "end")
    store.compact(graph, turn("sum"), at=2)
    fork_session(store, "s", "whole")
    fork_session(store, "s", "half", at=second)
    whole, half = store.load_session("whole", strict=True), store.load_session("half", strict=True)

    assert said(store.resume("whole")) == ["sum", "c"]
    assert said(store.resume("half")) == ["a", "b"]
    assert whole.marks.labels == {first: "start", third: "end"}
    assert half.marks.labels == {first: "start"}
    store.append_turn(half, turn("d"))
    assert store.load_session("s").size == 3
    assert verify(store, "half").report.findings == ()


def test_a_fork_takes_no_name_that_is_in_use(store: SessionStore, graph: SessionGraph) -> None:
    del graph

    with pytest.raises(SessionError, match="exists"):
        fork_session(store, "s", "s")
    with pytest.raises(UnknownNode):
        fork_session(store, "s", "t", at="nope")
    with pytest.raises(UnknownNode):
        fork_session(store, "none", "t")
    assert store.list_sessions() == ["s"]


def test_a_removed_session_leaves_nothing(store: SessionStore, graph: SessionGraph) -> None:
    fork_session(store, "s", "s.jsonl.bak1")
    for n in range(2):
        with path_of(store).open("ab") as file:
            file.write(b"{torn %d" % n)
        repair(store, "s")
    remove_session(store, "s")

    assert sorted(path.name for path in store.folder.root.iterdir()) == [
        ".lock",
        "s.jsonl.bak1.jsonl",
    ]
    assert store.load_session("s").size == 0
    store.append_turn(store.load_session("s"), turn("new"))
    assert store.load_session("s").size == 1
    del graph
