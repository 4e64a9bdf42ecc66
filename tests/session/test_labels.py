"""Labels of nodes that are taken, or refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import InvalidValue
from litemem.session import SessionGraph, SessionStore
from litemem.session.browse import find_node
from litemem.session.labels import check_label
from tests.session.turns import path_of


def test_a_label_stays_on_its_node_until_it_is_taken_away(
    store: SessionStore, graph: SessionGraph
) -> None:
    first, second, _ = (node.id for node in graph.all())
    for _ in range(2):
        store.label("s", first, "start")
    with pytest.raises(InvalidValue, match=f'"start" is on node "{first}"'):
        store.label("s", second, "start")
    assert store.load_session("s").marks.labels == {first: "start"}
    store.label("s", first, None)
    store.label("s", second, "start")

    assert store.load_session("s").marks.labels == {second: "start"}


@pytest.mark.parametrize("text", ["a\nb", "\x1b[31m", "\x00", "\x85", "a\u2028b", "\t"])
def test_a_label_with_control_characters_is_refused(
    store: SessionStore, graph: SessionGraph, text: str
) -> None:
    size = path_of(store).stat().st_size
    with pytest.raises(InvalidValue, match="control"):
        store.label("s", str(graph.leaf), text)

    assert path_of(store).stat().st_size == size


@pytest.mark.parametrize("chars", [4, 8, 100])
def test_a_label_that_reads_as_an_id_is_refused(
    store: SessionStore, graph: SessionGraph, chars: int
) -> None:
    first, second, _ = (node.id for node in graph.all())
    for node in (first, second):
        with pytest.raises(InvalidValue, match=f'stands for node "{first}"'):
            store.label("s", node, first[:chars])
    store.label("s", first, second[:3])

    assert find_node(store.load_session("s"), second[:3]) == first


def test_a_label_of_a_node_that_is_gone_is_free() -> None:
    check_label("x", "a", ["a", "b"], {"gone": "x"})


@given(st.text(min_size=1), st.lists(st.text("abcdef", min_size=1, max_size=6), min_size=1))
def test_a_label_that_is_taken_finds_its_node(label: str, nodes: list[str]) -> None:
    try:
        check_label(label, nodes[0], nodes, {})
    except InvalidValue:
        return

    assert not any(node.startswith(label) for node in nodes if len(label) >= 4)
    assert label not in nodes
    assert label.isprintable() or not any(ord(char) < 32 for char in label)
