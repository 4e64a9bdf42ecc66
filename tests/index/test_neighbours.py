"""Rows by their numbers, and the rows beside them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.index.docs import Doc
from litemem.index.neighbours import neighbours, rows
from litemem.index.store import Index
from tests.index.made import DAY, FINGERPRINT, fact, facts, source

PLACES = st.tuples(st.sampled_from("abc"), st.none() | st.integers(0, 3), st.integers(1, 4))


def turn(n: int, thread: str, minute: int | None, line: int) -> Doc:
    """Return a row of a thread."""
    at = None if minute is None else DAY + timedelta(minutes=minute)
    return replace(fact(f"a{n}", f"said {n}"), kind="turn", thread=thread, at=at, line=line)


def beside(index: Index) -> dict[str, tuple[str | None, str | None]]:
    """Return the ids of the rows beside each row."""
    stored = index.by_rowids(range(1, 100))
    ids = {row: one.doc.id for row, one in stored.items()} | {None: None}
    with index.reading(vectors=False) as db:
        found = neighbours(db, list(stored))
    return {stored[row].doc.id: (ids[before], ids[after]) for row, (before, after) in found.items()}


@settings(max_examples=50)  # each makes a file
@given(st.lists(PLACES, min_size=1, max_size=12, unique=True), st.randoms())
def test_each_row_stands_between_those_before_and_after_it(
    places: list[tuple[str, int | None, int]], random: Random
) -> None:
    docs = [turn(n, *place) for n, place in enumerate(places)]
    with (
        TemporaryDirectory() as folder,
        Index.open(Path(folder) / "index.db", FINGERPRINT) as index,
    ):
        index.extend_source(source(), random.sample(docs, len(docs)))
        found = beside(index)

    expected: dict[str, tuple[str | None, str | None]] = {}
    for thread in "abc":
        mine = [n for n, place in enumerate(places) if place[0] == thread]
        mine.sort(key=lambda n: (-1 if places[n][1] is None else places[n][1], places[n][2]))
        around = [None, *(f"a{n}" for n in mine), None]
        expected |= {f"a{n}": (around[i], around[i + 2]) for i, n in enumerate(mine)}
    assert found == expected


def test_chunks_of_one_text_follow_each_other(index: Index) -> None:
    chunks = [replace(turn(0, "a", 0, 1), text=text) for text in ("first", "second", "third")]
    first, second, third = index.extend_source(source(), chunks)

    with index.reading(vectors=False) as db:
        found = neighbours(db, [second])

    assert found == {second: (first, third)}


def test_a_replaced_fact_stands_beside_nothing(index: Index) -> None:
    newer = fact("d", "text of b", minute=9, replaces="b")
    index.extend_source(source(), [*facts("a", "b", "c"), newer])

    assert beside(index) == {"a": (None, "c"), "c": ("a", "d"), "d": ("c", None)}


def test_a_row_comes_as_scoring_needs_it(index: Index) -> None:
    doc = replace(fact("a", "likes tea", minute=3), head="Ann: ", importance=0.9)
    (rowid,) = index.extend_source(source(), [doc])

    with index.reading(vectors=False) as db:
        found = rows(db, [rowid, 99])

    assert set(found) == {rowid}
    row = found[rowid]
    assert (row.rowid, row.id, row.line, row.importance) == (rowid, "a", 4, 0.9)
    assert (row.head, row.text) == ("Ann: ", "likes tea")
    assert row.at == (DAY + timedelta(minutes=3)).timestamp() * 1_000_000


def test_of_no_rows_nothing_is_known(index: Index) -> None:
    with index.reading(vectors=False) as db:
        assert rows(db, []) == {}
        assert neighbours(db, []) == {}
