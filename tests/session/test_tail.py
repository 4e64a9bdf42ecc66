"""What reads the end of a file reads no more than it needs."""

import io
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.session import SessionGraph, SessionStore
from litemem.session.tail import lines_backward
from tests.session.turns import path_of, said, turn


@given(st.lists(st.binary(max_size=60).map(lambda line: line.replace(b"\n", b""))))
def test_lines_come_backwards_whatever_they_hold(lines: list[bytes]) -> None:
    data = b"\n".join(lines)

    assert list(lines_backward(io.BytesIO(data))) == (data.split(b"\n")[::-1] if data else [])


@pytest.mark.parametrize("size", [100, 16_383, 16_384, 16_385, 70_000, 3_000_000])
def test_lines_longer_than_a_block_come_whole(size: int) -> None:
    lines = [b"first", b"x" * size, b"", b"y" * size, b"last"]

    assert list(lines_backward(io.BytesIO(b"\n".join(lines)))) == lines[::-1]


def with_hole(path: Path, size: int) -> None:
    """Put a hole of many gigabytes before a file's lines: whoever reads it all never comes back."""
    data = path.read_bytes()
    with path.open("wb") as file:
        file.seek(size)
        file.write(b"\n" + data)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    start = time.monotonic()
    yield
    assert time.monotonic() - start < seconds


def test_an_append_and_a_short_resume_read_the_end_alone(
    store: SessionStore, graph: SessionGraph
) -> None:
    for n in range(200):
        store.append_turn(graph, turn(f"{n} " + "x" * 2000))
    store.compact(graph, turn("sum"), at=100)
    with_hole(path_of(store), 1 << 36)
    other = SessionStore(store.folder.root, fsync=False)

    with at_most(10):
        assert len(other.resume("s", last_n=50)) == 50
        assert len(other.resume("s", last_n=1000)) == 104
        other.append_node("s", graph.draft(turn("new")))
        other.move_head("s", graph.all()[50].id)
        other.append_node(
            "s", SessionGraph.hydrate("s", graph.all()[50:51], None).append(turn("z"))
        )
        assert said(other.resume("s", last_n=1)) == ["z"]


def test_a_revision_of_a_grown_file_reads_what_is_new(
    store: SessionStore, graph: SessionGraph
) -> None:
    other = SessionStore(store.folder.root, fsync=False)
    record = store.compact(graph, turn("sum"), at=1)
    assert other.revision("s") == store.revision("s")
    for text in ("d", "e"):
        store.append_turn(graph, turn(text))

    assert other.revision("s") == store.revision("s") == graph.saved
    assert graph.saved == (graph.leaf, record.id)


@pytest.mark.parametrize("shuffled", [False, True])
def test_reading_backwards_agrees_with_reading_all(store: SessionStore, *, shuffled: bool) -> None:
    chance = random.Random(5)
    graph = store.load_session("s")
    for n in range(60):
        if n % 7 == 6:
            graph.branch_from(chance.choice(graph.all()).id)
        store.append_turn(graph, turn(str(n)))
        if n % 9 == 8:
            turns = len(graph.context().turns())
            if turns > 2:
                store.compact(graph, turn(f"sum {n}"), at=chance.randrange(2, turns + 1))
    if shuffled:
        lines = path_of(store).read_bytes().splitlines(keepends=True)
        chance.shuffle(lines)
        path_of(store).write_bytes(b"".join(lines))
    for node in store.load_session("s").all():
        whole = store.resume("s", leaf=node.id)
        for last_n in (0, 1, 3, 50):
            newest = store.resume("s", leaf=node.id, last_n=last_n)
            assert newest == whole[max(0, len(whole) - last_n) :]


def test_appends_cost_the_same_however_long_the_session_is(store: SessionStore) -> None:
    graph = store.load_session("s")

    def seconds_of_100() -> float:
        start = time.perf_counter()
        for n in range(100):
            store.append_turn(graph, turn(f"{n} " + "x" * 500))
        return time.perf_counter() - start

    early = min(seconds_of_100() for _ in range(5))
    nodes = graph.all()
    for n in range(6000):
        nodes.append(graph.append(turn(f"{n} " + "x" * 500)))
    store.append_nodes("s", nodes)
    graph = store.load_session("s")
    late = min(seconds_of_100() for _ in range(5))

    assert late < 2 * early
    assert late / 100 < 0.003
