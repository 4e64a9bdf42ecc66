"""Session files with anything in them: every call answers, or raises what it promises."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.session import (
    SessionStore,
    redact_node,
    repair,
    verify,
)
from litemem.session.records import format_record
from tests.session.turns import path_of, turn


def session(store: SessionStore) -> bytes:
    """Return the bytes of a session with branches, labels, a condensation and a redaction."""
    graph = store.load_session("s")
    for text in "abcdef":
        store.append_turn(graph, turn(f"{text} é \ud83d"))
    store.compact(graph, turn("sum"), at=3, pin=1)
    graph.branch_from(graph.all()[3].id)
    store.append_turn(graph, {"role": "user", "blocks": [], "type": {"type": "node", "node": {}}})
    store.label("s", graph.all()[0].id, "first")
    store.rename("s", "name")
    store.move_head("s", graph.all()[4].id)
    redact_node(store, "s", graph.all()[1].id)
    return path_of(store).read_bytes()


STAYS = {"bad bytes", "bad record", "node without head", "orphan", "cycle", "duplicate id"}
places = st.floats(0, 1)
changes = st.lists(
    st.tuples(
        st.sampled_from(["cut", "drop line", "insert", "flip", "swap lines", "repeat", "join"]),
        places,
        places,
        st.binary(max_size=8) | st.sampled_from([b"\n", b"\0", b'{"type":"head","leaf":null}\n']),
    ),
    min_size=1,
    max_size=4,
)


def changed(data: bytes, how: str, here: float, there: float, new: bytes) -> bytes:
    lines = data.split(b"\n")
    a, b = (int(place * (len(lines) - 1)) for place in (here, there))
    at = int(here * len(data))
    match how:
        case "cut":
            return data[:at]
        case "drop line":
            del lines[a]
        case "insert":
            return data[:at] + new + data[at:]
        case "flip":
            return data[:at] + bytes(byte ^ 1 for byte in data[at : at + 1]) + data[at + 1 :]
        case "swap lines":
            lines[a], lines[b] = lines[b], lines[a]
        case "repeat":
            lines.insert(b, lines[a])
        case _:
            lines[a : a + 2] = [b"".join(lines[a : a + 2])]
    return b"\n".join(lines)


@settings(max_examples=100)
@given(changes)
def test_a_damaged_session_is_read_written_and_mended(
    tmp_path_factory: pytest.TempPathFactory, damage: list[tuple[str, float, float, bytes]]
) -> None:
    root = tmp_path_factory.mktemp("sessions")
    data = session(SessionStore(root, fsync=False, clock=count(1).__next__))
    for change in damage:
        data = changed(data, *change)
    store = SessionStore(root, fsync=False, clock=count(1).__next__)
    path_of(store).write_bytes(data)
    revision = store.revision("s")
    graph = store.load_session("s")

    assert revision == graph.saved
    whole, full = store.resume("s"), [node.turn for node in graph.readable_nodes()]
    for last_n in (1, 3, 100):
        ends = [turns[max(0, len(turns) - last_n) :] for turns in (whole, full)]
        assert store.resume("s", last_n=last_n) in ends
    added = store.append_turn(graph, turn("new"), fork=True)
    assert store.load_session("s").leaf == added.id
    check_repair(store)


def check_repair(store: SessionStore) -> None:
    before = store.load_session("s")
    repair(store, "s")
    after = store.load_session("s")

    assert [format_record(node) for node in after.all()] == [
        format_record(node) for node in before.all()
    ]
    assert after.leaf == before.leaf
    assert {finding.kind for finding in after.report.findings} <= STAYS
    assert repair(store, "s").backup is None
    verify(store, "s")
    redact_node(store, "s", after.all()[0].id)
    assert store.load_session("s").size == after.size
