"""Redacted texts are nowhere in the session's files; all the rest is where it was."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import UnknownNode, UnknownSession
from litemem.files.leftover import beside
from litemem.session import (
    SessionGraph,
    SessionNode,
    SessionStore,
    fork_session,
    redact_node,
    repair,
    verify,
)
from litemem.session.redact import MARKER, redacted_turn
from tests.session.turns import path_of, said, turn

SECRET = "hunter2-swordfish"


@pytest.fixture
def graph(store: SessionStore) -> SessionGraph:
    """Return session "s" of five turns, the second a secret, condensed twice."""
    graph = store.load_session("s")
    for text in ("a", SECRET, "c", "d", "e"):
        store.append_turn(graph, turn(text))
    return graph


def bytes_below(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


def test_the_text_is_gone_and_the_node_stays(store: SessionStore, graph: SessionGraph) -> None:
    node = graph.all()[1]
    before = path_of(store).read_bytes().split(b"\n")
    redacted = redact_node(store, "s", node.id)
    after = path_of(store).read_bytes().split(b"\n")
    again = store.load_session("s", strict=True, check_ids=True)

    assert (redacted.node, redacted.compactions) == (node.id, ())
    assert SECRET.encode() not in bytes_below(store.folder.root)
    assert [n for n, (old, new) in enumerate(zip(before, after, strict=False)) if old != new] == [
        2,
        len(before) - 1,
    ]
    assert said(store.resume("s")) == ["a", MARKER, "c", "d", "e"]
    assert (again.leaf, again.saved) == (graph.leaf, graph.saved)


def test_a_redacted_node_is_no_damage(store: SessionStore, graph: SessionGraph) -> None:
    node = graph.all()[1]
    redact_node(store, "s", node.id)
    verification = verify(store, "s")

    assert (verification.redacted, verification.report.findings) == ((node.id,), ())
    fork_session(store, "s", "t")
    assert verify(store, "t").redacted == (node.id,)
    assert verify(store, "t").report.findings == ()


def test_backups_lose_the_text_too(store: SessionStore, graph: SessionGraph) -> None:
    line = path_of(store).read_bytes().split(b"\n")[2]
    for torn in (line[:-4], line + b"{"):
        with path_of(store).open("ab") as file:
            file.write(torn)
        repair(store, "s")
    with path_of(store).open("ab") as file:
        file.write(line[:-9])
    redact_node(store, "s", graph.all()[1].id)

    assert len(list(store.folder.root.glob("*.bak*"))) == 2
    assert SECRET.encode() not in bytes_below(store.folder.root)
    assert said(store.resume("s")) == ["a", MARKER, "c", "d", "e"]


def test_what_killed_writers_left_is_swept(store: SessionStore, graph: SessionGraph) -> None:
    left = beside(path_of(store))
    left.write_bytes(path_of(store).read_bytes())
    redact_node(store, "s", graph.all()[1].id)

    assert SECRET.encode() not in bytes_below(store.folder.root)


def test_summaries_that_may_tell_of_it_are_removed(
    store: SessionStore, graph: SessionGraph
) -> None:
    first = store.compact(graph, turn(f"sum of {SECRET}"), at=3)
    second = store.compact(graph, turn(f"sum of sum of {SECRET}"), at=2)
    redacted = redact_node(store, "s", graph.all()[1].id)

    assert redacted.compactions == (first.id, second.id)
    assert SECRET.encode() not in bytes_below(store.folder.root)
    assert said(store.resume("s")) == ["a", MARKER, "c", "d", "e"]


def test_summaries_of_other_turns_stay(store: SessionStore, graph: SessionGraph) -> None:
    record = store.compact(graph, turn("sum"), at=1)
    redacted = redact_node(store, "s", graph.all()[1].id)

    assert redacted.compactions == ()
    assert store.load_session("s").marks.compactions == {record.id: record}
    assert said(store.resume("s")) == ["sum", MARKER, "c", "d", "e"]


def test_a_summary_of_another_branch_stays(store: SessionStore, graph: SessionGraph) -> None:
    graph.branch_from(graph.all()[0].id)
    other = store.append_turn(graph, turn("other"))
    record = store.compact(graph, turn("sum"), at=1)
    store.move_head("s", graph.all()[4].id)
    redact_node(store, "s", graph.all()[1].id)

    assert list(store.load_session("s").marks.compactions) == [record.id]
    assert said(store.resume("s", leaf=other.id)) == ["sum", "other"]


def test_a_summary_of_a_broken_path_is_removed_to_be_sure(
    store: SessionStore, graph: SessionGraph
) -> None:
    store.compact(graph, turn(SECRET), at=3)
    lines = path_of(store).read_bytes().split(b"\n")
    path_of(store).write_bytes(b"\n".join(lines[2:]))
    redact_node(store, "s", graph.all()[1].id)

    assert SECRET.encode() not in bytes_below(store.folder.root)


def test_other_keys_of_a_node_are_redacted(store: SessionStore, graph: SessionGraph) -> None:
    extra = (("note", SECRET), ("n", 7), ("list", [SECRET]), ("map", {SECRET: 1}), ("on", True))
    blocks = ["odd", {"kind": "tool_call", "id": "c", "name": "f", "input": {SECRET: SECRET}}]
    wire = {"role": "user", "blocks": blocks, "name": [SECRET], "x": None}
    node = SessionNode(id="x", parent=graph.leaf, turn=wire, created_at=1, extra=extra)
    store.append_node("s", node)
    redact_node(store, "s", "x")
    again = store.load_session("s").get("x")

    assert SECRET.encode() not in path_of(store).read_bytes().split(b'"x"', 1)[1]
    assert again is not None
    assert again.turn == {
        "role": "user",
        "blocks": [MARKER, {"kind": "tool_call", "id": "c", "name": "f", "input": {}}],
        "name": [],
        "x": None,
    }
    assert dict(again.extra) == {"note": MARKER, "n": 0, "list": [], "map": {}, "on": True}


texts = st.text(min_size=3).map(lambda text: f"secret {text}")
payloads = st.recursive(
    texts | st.integers(100, 999),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
keys = st.sampled_from(["text", "input", "output", "args"])


@given(st.lists(st.dictionaries(keys, payloads, max_size=2), max_size=2))
def test_no_text_of_a_block_stays(blocks: list[dict[str, object]]) -> None:
    redacted = redacted_turn({"role": "user", "blocks": [{"kind": "text"} | b for b in blocks]})

    assert "secret" not in str(redacted)
    assert [set(block) for block in redacted["blocks"]] == [{"kind"} | set(b) for b in blocks]


def test_what_is_not_there_is_named(store: SessionStore, graph: SessionGraph) -> None:
    del graph

    with pytest.raises(UnknownNode):
        redact_node(store, "s", "nope")
    with pytest.raises(UnknownSession):
        redact_node(store, "none", "nope")


def test_redacting_twice_changes_nothing_more(store: SessionStore, graph: SessionGraph) -> None:
    node = graph.all()[1].id
    redact_node(store, "s", node)
    with path_of(store).open("ab") as file:
        file.write(b'{"type":"meta","no":"end"}')
    redact_node(store, "s", node)

    assert said(store.resume("s")) == ["a", MARKER, "c", "d", "e"]
    assert store.load_session("s", strict=True).report.skipped == 1
