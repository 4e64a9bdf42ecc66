"""A session tree looked at: every node once, whatever the file claims."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import FileTrouble, InvalidValue
from litemem.session import SessionGraph, SessionNode, SessionStore, hash_node
from litemem.session.browse import around, find_node, tree_rows
from litemem.session.glance import glance_all
from litemem.session.pieces import pieces_of, preview, role_of
from tests.session.turns import turn

_IDS = "abcdefgh"


@st.composite
def graphs(draw: st.DrawFn) -> SessionGraph:
    """Draw trees with gaps and cycles."""
    parents = st.one_of(st.none(), st.sampled_from(_IDS + "z"))
    nodes = [
        SessionNode(id=node, parent=draw(parents), turn=turn(node), created_at=i)
        for i, node in enumerate(draw(st.lists(st.sampled_from(_IDS), unique=True)))
    ]
    return SessionGraph.hydrate("s", nodes, draw(st.sampled_from(_IDS)))


@given(graphs())
def test_a_tree_shows_every_node_once_below_its_parent(graph: SessionGraph) -> None:
    rows = tree_rows(graph)

    assert sorted(row.node.id for row in rows) == sorted(node.id for node in graph.all())
    place = {row.node.id: i for i, row in enumerate(rows)}
    column = {row.node.id: row.column for row in rows}
    for row in rows:
        parent = row.node.parent
        if not row.starts or row.column:
            assert parent is not None
            assert place[parent] < place[row.node.id]
            assert column[parent] == row.column - row.starts


@given(graphs(), st.integers(0, 9), st.integers(0, 9))
def test_around_is_a_piece_of_one_path(graph: SessionGraph, before: int, after: int) -> None:
    for node in graph.all():
        found = around(graph, node.id, before, after)

        ids = [one.id for one in found]
        assert node.id in ids
        assert len(ids) == len(set(ids)) <= before + after + 1
        assert all(b.parent == a.id for a, b in pairwise(found))


def test_around_goes_on_towards_the_leaf(graph: SessionGraph, store: SessionStore) -> None:
    first, second, third = (node.id for node in graph.all())
    graph.branch_from(first)
    side = store.append_turn(graph, turn("side"), fork=True)

    assert [node.id for node in around(graph, first, 0, 9)] == [first, side.id]
    assert [node.id for node in around(graph, second, 1, 9)] == [first, second, third]


def test_around_refuses_negative_numbers(graph: SessionGraph) -> None:
    with pytest.raises(InvalidValue, match="0 or more"):
        around(graph, graph.all()[0].id, -1, 0)


def test_a_label_of_a_missing_node_names_nothing(graph: SessionGraph) -> None:
    graph.marks.labels["gone"] = "x"

    with pytest.raises(KeyError):
        find_node(graph, "x")


def test_a_session_without_user_words_has_none_in_the_list(store: SessionStore) -> None:
    graph = store.load_session("s")
    for i in range(30):
        store.append_turn(graph, turn(str(i), "assistant"))

    (one,) = glance_all(store)

    assert (one.nodes, one.first_words) == (30, "")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
kinds = st.sampled_from(["text", "thinking", "tool_call", "tool_result", "image", "command", "?"])
blocks = st.dictionaries(
    st.sampled_from(["text", "name", "input", "output", "mediaType", "isError"]), json_values
).flatmap(lambda block: kinds.map(lambda kind: {**block, "kind": kind}))


@given(st.dictionaries(st.sampled_from(["role", "blocks"]), st.lists(blocks) | json_values))
def test_any_turn_can_be_shown(any_turn: dict[str, object]) -> None:
    line = preview(any_turn)

    assert "\n" not in line
    assert len(line) <= 72
    assert role_of(any_turn)
    assert all(isinstance(piece.text, str) for piece in pieces_of(any_turn))


def test_the_session_with_the_newest_turn_comes_first(store: SessionStore) -> None:
    for name, at in (("old", 1_000_000_000_000), ("new", 1_700_000_000_000), ("odd", 1e300)):
        node = SessionNode(
            id=hash_node(None, turn(name), at), parent=None, turn=turn(name), created_at=at
        )
        store.append_node(name, node)

    glances = glance_all(store)

    assert [one.id for one in glances] == ["odd", "new", "old"]
    assert glances[1].last_at.year == 2023


def test_what_is_removed_while_listing_is_left_out(store: SessionStore) -> None:
    class Listing(SessionStore):
        def list_sessions(self) -> list[str]:
            return ["gone", *super().list_sessions()]

    store.append_turn(store.load_session("s"), turn("a"))

    assert [one.id for one in glance_all(Listing(store.folder.root))] == ["s"]


def test_a_session_that_can_t_be_read_is_an_error(store: SessionStore) -> None:
    class Listing(SessionStore):
        def list_sessions(self) -> list[str]:
            return ["folder"]

    (store.folder.root / "folder.jsonl").mkdir(parents=True)

    with pytest.raises(FileTrouble, match="folder"):
        glance_all(Listing(store.folder.root))
