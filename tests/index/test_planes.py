"""Vectors in a few bits each."""

from __future__ import annotations

import gc
import itertools
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from litemem.index.filters import Filter
from litemem.index.planes import WIDE_BLOCK, Entry, Exact, Planes, dots
from litemem.types import Vector

EVERYTHING = Filter(owners=(1,), kinds=(0,))


def vectors(count: int, dimension: int, seed: int = 0) -> NDArray[np.float32]:
    """Return unit vectors around a common mean, as models make them."""
    rng = np.random.default_rng(seed)
    raw = rng.standard_normal((count, dimension)) + 2 * rng.standard_normal(dimension)
    unit: NDArray[np.float64] = raw / np.linalg.norm(raw, axis=1, keepdims=True)
    return unit.astype(np.float32)


def entries(stored: NDArray[np.float32], scope: int = 1) -> list[Entry]:
    """Return rows 1, 2 ... at times 1, 2 ..."""
    return [(n, scope, n, vector.tobytes()) for n, vector in enumerate(stored, 1)]


def filled(rows: Sequence[Entry]) -> Planes:
    """Return planes of these rows."""
    values = np.frombuffer(b"".join(vector for *_, vector in rows), np.float32)
    planes = Planes(values.reshape(len(rows), -1).mean(axis=0).tolist())
    planes.rows.add(rows)
    return planes


@pytest.mark.parametrize("dimension", [8, 64, 100, 384])
def test_the_nearest_rows_are_among_the_best_estimates(dimension: int) -> None:
    stored = vectors(3_000, dimension)
    query = vectors(1, dimension, seed=1)[0]
    best = set((np.argsort(-(stored @ query))[:10] + 1).tolist())

    near = filled(entries(stored)).near(Vector(query.tobytes()), EVERYTHING, 600, 250)

    assert 250 <= len(near) < 350
    assert len(best & set(near)) >= 9


@given(st.integers(2, 60), st.randoms())
def test_the_order_of_rows_changes_nothing(count: int, random: Random) -> None:
    stored = vectors(20, 8)
    rows = [
        (n, 1, n, stored[random.randrange(20)].tobytes())  # many are equal
        for n in range(1, count + 1)
    ]
    query = Vector(vectors(1, 8, seed=1)[0].tobytes())

    one = filled(rows).near(query, EVERYTHING, 8, 4)
    other = filled(random.sample(rows, count)).near(query, EVERYTHING, 8, 4)

    assert sorted(one) == sorted(other)


def test_rows_in_scope_and_time_alone_are_near() -> None:
    stored = vectors(90, 8)
    rows = [(n, n % 3, n, vector.tobytes()) for n, vector in enumerate(stored, 1)]
    planes, query = filled(rows), Vector(stored[0].tobytes())

    def near(rows: Filter) -> list[int]:
        return sorted(planes.near(query, rows, 999, 999))

    in_chats = Filter(owners=(1,), kinds=(0,), chats=(0, 1))
    assert near(in_chats) == [n for n in range(1, 91) if n % 3 < 2]
    without = Filter(owners=(1,), kinds=(0,), without=(0, 1))
    assert near(without) == [n for n in range(1, 91) if n % 3 == 2]
    assert near(Filter(owners=(1,), kinds=(0,), since=88)) == [88, 89, 90]
    assert near(Filter(owners=(1,), kinds=(0,), until=3)) == [1, 2]
    assert near(Filter(owners=(1,), kinds=(0,), chats=(2,), since=80, until=87)) == [80, 83, 86]


def test_rows_that_left_are_near_no_more_and_others_moved() -> None:
    rows = entries(vectors(5, 8))
    planes, query = filled(rows), Vector(rows[0][3])

    planes.rows.change([(2, 7, 2, rows[1][3]), (9, 7, 9, rows[0][3])], [1, 2, 9])

    assert sorted(planes.near(query, EVERYTHING, 99, 99)) == [2, 3, 4, 5, 9]
    in_chat = Filter(owners=(1,), kinds=(0,), chats=(7,))
    assert sorted(planes.near(query, in_chat, 99, 99)) == [2, 9]
    assert (planes.rows.size, planes.rows.gone) == (6, 1)


def test_more_rows_than_a_block_takes_are_all_there() -> None:
    rows = entries(vectors(WIDE_BLOCK + 10, 8))
    planes = filled(rows[: WIDE_BLOCK - 5])

    planes.rows.add(rows[WIDE_BLOCK - 5 :])

    assert planes.near(Vector(rows[0][3]), EVERYTHING, 999_999, 999_999) == [n for n, *_ in rows]


def test_without_a_mean_and_with_a_query_along_it_something_is_near() -> None:
    axis = np.eye(8, dtype=np.float32)
    planes = Planes([0.0] * 8)
    planes.rows.add(entries(np.concatenate([axis, -axis])))
    along = filled(entries(axis[:1]))

    assert 1 in planes.near(Vector(axis[0].tobytes()), EVERYTHING, 1, 1)
    assert along.near(Vector(axis[0].tobytes()), EVERYTHING, 1, 1) == [1]


def test_dot_products_are_those_of_the_vectors() -> None:
    stored, query = vectors(7, 8), vectors(1, 8, seed=1)[0]

    found = dots([Vector(one.tobytes()) for one in stored], Vector(query.tobytes()))

    assert found == pytest.approx((stored @ query).tolist(), abs=1e-6)
    assert dots([], Vector(query.tobytes())) == []


def exact(rows: Sequence[Entry], dimension: int = 8) -> Exact:
    """Return these rows as they are."""
    kept = Exact(dimension)
    kept.rows.add(rows)
    return kept


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(1, 50))
def test_the_nearest_of_whole_vectors_are_exact(which: list[int], k: int) -> None:
    stored, query = vectors(10, 8)[which], vectors(1, 8, seed=1)[0]
    cosines = np.sort(stored @ query)[::-1]

    found = exact(entries(stored)).nearest(Vector(query.tobytes()), EVERYTHING, k)

    last = cosines[min(k, len(cosines)) - 1]
    assert {row for row, _ in found} == set(np.flatnonzero(stored @ query >= last - 1e-6) + 1)
    assert sorted((near for _, near in found), reverse=True)[:k] == pytest.approx(
        cosines[:k].tolist(), abs=1e-6
    )


def test_whole_vectors_follow_changes_and_scopes() -> None:
    rows = [(n, n % 2, n, vector.tobytes()) for n, vector in enumerate(vectors(6, 8), 1)]
    kept, query = exact(rows), Vector(rows[0][3])

    kept.rows.change([(2, 0, 2, rows[1][3]), (9, 1, 9, rows[0][3])], [1, 2, 3, 9])

    def near(rows: Filter) -> list[int]:
        return sorted(row for row, _ in kept.nearest(query, rows, 99))

    assert near(EVERYTHING) == [2, 4, 5, 6, 9]
    assert near(Filter(owners=(1,), kinds=(0,), chats=(1,))) == [5, 9]
    assert near(Filter(owners=(1,), kinds=(0,), chats=(7,))) == []


def test_whole_vectors_are_handed_out_as_they_came() -> None:
    rows = entries(vectors(9, 8))
    kept = exact(rows[::-1])
    kept.rows.change([], [4])

    assert kept.vectors([3, 4, 9, 77]) == {3: rows[2][3], 9: rows[8][3]}
    assert kept.vectors([]) == {}


@pytest.mark.parametrize("make", [filled, exact])
def test_what_is_replaced_leaves_memory_at_once(
    make: Callable[[Sequence[Entry]], Planes | Exact],
) -> None:
    kept = make(entries(vectors(3, 8)))
    block = weakref.ref(kept.rows.blocks[0].coded)
    gc.disable()
    try:
        del kept
        assert block() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("bits", [True, False])
@pytest.mark.parametrize(
    "wanted",
    [
        Filter(owners=(1,), kinds=(0,), chats=(1, 50)),
        Filter(owners=(1,), kinds=(0,), without=(1,)),
    ],
)
def test_rows_that_change_their_chat_meanwhile_are_found_or_not(
    bits: bool,  # noqa: FBT001
    wanted: Filter,
) -> None:
    rows = entries(vectors(4_000, 8))
    kept = filled(rows) if bits else exact(rows)
    query = Vector(rows[0][3])
    ended = threading.Event()

    def move() -> None:
        for scope in itertools.cycle((50, 1)):
            for row, _, at, vector in rows[::500]:
                kept.rows.change([(row, scope, at, vector)], [row])
                if ended.is_set():
                    return

    mover = threading.Thread(target=move)
    mover.start()
    try:
        until = time.monotonic() + 0.5
        while time.monotonic() < until:
            if isinstance(kept, Planes):
                kept.near(query, wanted, 600, 100)
            else:
                kept.nearest(query, wanted, 10)
    finally:
        ended.set()
        mover.join()
