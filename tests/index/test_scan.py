"""Rows by their vectors, read from the file."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.index import scan
from litemem.index.docs import Doc
from litemem.index.filters import resolve
from litemem.index.store import Index
from litemem.types import Scope, Vector
from tests.index.made import DAY, FINGERPRINT, fact, fill, source, vector

QUERY = vector("query")


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(array("f", one), array("f", other), strict=True))


def nearest(index: Index, k: int, scope: Scope | None = None) -> list[tuple[str, float]]:
    """Return ids and cosines of the nearest rows."""
    with index.reading() as db:
        rows = resolve(db, scope or Scope())
        assert rows is not None
        found = scan.nearest(db, QUERY, rows, k)
        docs = index.by_rowids([row for row, _ in found])
    return [(docs[row].doc.id, near) for row, near in found]


def brute(docs: Sequence[Doc], k: int) -> list[tuple[str, float]]:
    """Return what `nearest` must."""
    near = {doc.id: cosine(QUERY, vector(doc.text)) for doc in docs}
    return sorted(near.items(), key=lambda one: (-round(one[1], 5), one[0]))[:k]


@settings(max_examples=50)  # each makes a file
@given(
    st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=30), st.integers(1, 12), st.randoms()
)
def test_the_nearest_come_in_order_equal_ones_by_id(
    texts: list[str], k: int, random: Random
) -> None:
    docs = [fact(f"a{n:02}", text, minute=n) for n, text in enumerate(texts)]
    with (
        TemporaryDirectory() as folder,
        Index.open(Path(folder) / "index.db", FINGERPRINT) as index,
    ):
        index.extend_source(source(), random.sample(docs, len(docs)))
        fill(index)
        found = nearest(index, k)

    expected = brute(docs, k)
    assert [id_ for id_, _ in found] == [id_ for id_, _ in expected]
    assert [near for _, near in found] == pytest.approx([near for _, near in expected], abs=1e-5)


@pytest.mark.parametrize("equal", [300, 4_200])  # more than are fetched at first, than vec0 can
def test_equal_vectors_are_told_apart_by_id_far_beyond_the_cut(index: Index, equal: int) -> None:
    docs = [fact(f"a{n:04}", "same", minute=n) for n in range(equal)]
    index.extend_source(source(), list(reversed(docs)))
    fill(index)

    assert [id_ for id_, _ in nearest(index, 2)] == ["a0000", "a0001"]


class TestScopes:
    @pytest.fixture(autouse=True)
    def filled(self, index: Index) -> None:
        docs = [
            replace(fact("none"), kind="fact"),
            replace(fact("in c", minute=60), chat_id="c"),
            replace(fact("in d", minute=60), chat_id="d"),
            replace(fact("timeless"), at=None),
            replace(fact("turn", minute=60), kind="turn"),
        ]
        index.extend_source(source(), docs)
        index.extend_source(source("users/ann/memory/a.md", user="ann"), [fact("ann's")])

    @pytest.mark.parametrize(
        ("scope", "ids"),
        [
            (Scope(), ["in c", "in d", "none", "timeless"]),
            (Scope(kinds=("fact", "turn")), ["in c", "in d", "none", "timeless", "turn"]),
            (Scope(chat_id="c"), ["in c", "none", "timeless"]),
            (Scope(chat_id="c", chat_only=True), ["in c"]),
            (Scope(exclude_chats=("c",)), ["in d", "none", "timeless"]),
            (Scope(exclude_chats=(*"abcdefgh",)), ["none", "timeless"]),
            (Scope(chat_id="c", exclude_chats=("c",)), ["none", "timeless"]),
            (Scope(user="ann"), ["ann's"]),
            (Scope(since=DAY + timedelta(hours=1)), ["in c", "in d"]),
            (Scope(until=DAY + timedelta(hours=1)), ["none"]),
            (Scope(since=DAY, until=DAY + timedelta(hours=1)), ["none"]),
            (Scope(chat_id="d", since=DAY, until=DAY + timedelta(hours=1)), ["none"]),
        ],
    )
    @pytest.mark.parametrize("others", [0, 100])  # with many others those in scope are few
    def test_only_rows_in_scope_are_found(
        self, index: Index, scope: Scope, ids: list[str], others: int
    ) -> None:
        crowd = [replace(fact(f"e{n}", minute=n), chat_id="e") for n in range(others)]
        index.extend_source(source("memory/e.md"), crowd)
        fill(index)

        found = {id_ for id_, _ in nearest(index, 999, scope)}

        assert {id_ for id_ in found if not id_.startswith("e")} == set(ids)


def test_cosines_are_exact_and_only_of_rows_that_have_a_vector(index: Index) -> None:
    first, second = index.extend_source(source(), [fact("a"), fact("b")])
    index.put_vectors([(first, vector("x"))])

    with index.reading() as db:
        found = scan.cosines(db, QUERY, [first, second, 99])

        assert scan.embeddings(db, [first, second]) == {first: vector("x")}
        assert scan.embeddings(db, []) == {}
        assert scan.cosines(db, QUERY, []) == {}
    assert found == {first: pytest.approx(cosine(QUERY, vector("x")), abs=1e-6)}


def test_the_mean_is_that_of_all_vectors_of_the_partitions(index: Index) -> None:
    docs = [fact("a"), fact("b"), replace(fact("c"), kind="turn")]
    index.extend_source(source(), docs)
    fill(index)

    with index.reading() as db:
        rows = resolve(db, Scope(kinds=("fact", "turn")))
        assert rows is not None
        n, mean = scan.mean(db, rows.parts)
        nothing = scan.mean(db, [99])

    columns = zip(*(array("f", vector(doc.text)) for doc in docs), strict=True)
    assert n == 3
    assert list(mean) == pytest.approx([sum(column) / 3 for column in columns], abs=1e-6)
    assert (nothing[0], list(nothing[1])) == (0, [])


def test_a_centred_query_has_unit_length_and_less_of_the_mean() -> None:
    mean = array("f", vector("mean"))

    moved = scan.centred(QUERY, mean, 0.5)

    assert cosine(moved, moved) == pytest.approx(1, abs=1e-6)
    assert cosine(moved, vector("mean")) < cosine(QUERY, vector("mean"))


def test_a_query_stays_where_there_is_nothing_to_subtract() -> None:
    assert scan.centred(QUERY, array("d"), 0.5) == QUERY
    assert scan.centred(QUERY, array("f", vector("mean")), 0.0) == QUERY
    assert scan.centred(QUERY, array("f", QUERY), 1.0) == QUERY
