"""Sessions whose path back has a gap, because a line was lost."""

from __future__ import annotations

import pytest

from litemem.errors import BrokenLineage, FormatError, UnknownNode
from litemem.session import SessionGraph, SessionStore, fork_session
from tests.session.turns import path_of, said, turn


def test_a_path_with_a_gap_is_resumed_from_below_it(store: SessionStore) -> None:
    store.folder.root.mkdir(parents=True)
    path_of(store).write_bytes(
        b'{"type":"node","node":{"id":"x","parent":"gone","turn":{},"createdAt":1}}\n'
        b'{"type":"head","leaf":"x"}\n'
    )

    for last_n in (None, 1, 2):
        assert store.resume("s", last_n=last_n) == [{}]
    assert store.load_session("s").gap() == ("x", "gone", False)
    with pytest.raises(FormatError, match="gone"):
        store.load_session("s", strict=True)


def test_a_lost_line_leaves_what_follows_usable(store: SessionStore, graph: SessionGraph) -> None:
    for text in ("d", "e"):
        store.append_turn(graph, turn(text))
    first, second, third, *_ = (node.id for node in graph.all())
    store.compact(graph, turn("sum"), at=1)
    lines = path_of(store).read_bytes().splitlines(keepends=True)
    path_of(store).write_bytes(b"".join([*lines[:2], b"garbage\n", *lines[3:]]))
    torn = store.load_session("s")

    assert torn.gap() == (third, second, False)
    assert torn.gap(first) is None
    assert said(store.resume("s")) == said(store.resume("s", last_n=9)) == ["c", "d", "e"]
    with pytest.raises(BrokenLineage, match=second):
        torn.resume(str(torn.leaf))
    with pytest.raises(UnknownNode, match="nope"):
        torn.context("nope")
    store.compact(torn, turn("new sum"), at=2)
    fork_session(store, "s", "t")
    for session_id in "st":
        assert said(store.resume(session_id)) == ["new sum", "e"]
    assert len(store.load_session("t").marks.compactions) == 1


def test_an_empty_session_has_no_gap(store: SessionStore) -> None:
    assert store.load_session("s").gap() is None


def test_without_a_head_a_fork_asks_for_a_turn(store: SessionStore, graph: SessionGraph) -> None:
    lines = path_of(store).read_bytes().splitlines(keepends=True)
    path_of(store).write_bytes(b"".join(lines[::2]))

    with pytest.raises(UnknownNode, match="no head"):
        fork_session(store, "s", "t")
    fork_session(store, "s", "t", at=graph.leaf)
    assert said(store.resume("t")) == ["a", "b", "c"]
