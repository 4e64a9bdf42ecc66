"""Pending rows, their vectors, and the mean that doesn't depend on any order."""

from __future__ import annotations

import tempfile
from array import array
from dataclasses import replace
from math import inf, nan
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.errors import InvalidVector
from litemem.index.connection import fetch
from litemem.index.store import Index
from litemem.index.vectors import CHANGES_KEPT
from litemem.types import Vector
from tests.index.made import FINGERPRINT, fact, facts, fill, source, vector


def packed(*values: float) -> Vector:
    """Return a vector of these numbers."""
    return Vector(array("f", values).tobytes())


def test_the_newest_rows_are_embedded_first_and_each_text_once(index: Index) -> None:
    docs = facts("m0", "m1", "m2")
    docs.append(replace(docs[0], id="m3", line=9))
    docs.append(replace(docs[0], id="m4", line=10, at=None, text="no time"))
    index.put_source(source(), docs)

    texts = [text for _, text in index.pending(9)]

    assert texts == ["text of m2", "text of m1", "text of m0", "no time"]
    assert [text for _, text in index.pending(2)] == ["text of m2", "text of m1"]


def test_all_rows_of_one_text_get_its_vector(index: Index) -> None:
    index.put_source(source(), [fact("m1", "tea"), fact("m2", "tea", minute=1)])
    (pending,) = index.pending(9)

    assert index.put_vectors([(pending[0], vector("tea"))]) == 2
    assert index.progress() == (2, 2)


def test_the_head_is_embedded_with_the_text(index: Index) -> None:
    index.put_source(source(), [replace(fact("m1", "tea"), head="Ann: ")])

    assert [text for _, text in index.pending(9)] == ["Ann: tea"]


def test_rows_that_are_gone_or_have_a_vector_are_skipped(index: Index) -> None:
    index.put_source(source(), facts("m1", "m2"))
    pending = index.pending(9)
    index.put_source(source(), facts("m1"))
    index.put_vectors([(row, vector(text)) for row, text in pending])

    again = index.put_vectors([(row, vector("other")) for row, _ in pending])

    assert again == 0
    assert index.cached_vectors(["text of m1", "text of m2"]) == {
        "text of m1": vector("text of m1")
    }


def test_a_number_is_never_given_to_another_row(index: Index) -> None:
    (first,) = index.extend_source(source(), [fact("m1")])
    index.drop_source("memory/a.md")

    (second,) = index.extend_source(source(), [fact("m2")])

    assert second > first


@pytest.mark.parametrize(
    "wrong",
    [b"", b"abc", packed(1.0), packed(*[0.0] * 8), packed(nan, *[1.0] * 7), packed(*[inf] * 8)],
)
def test_a_vector_that_would_spoil_the_scan_is_refused(index: Index, wrong: bytes) -> None:
    index.put_source(source(), [fact("m1")])

    with pytest.raises(InvalidVector):
        index.put_vectors([(index.pending(1)[0][0], Vector(wrong))])
    assert index.progress() == (0, 1)


numbers = st.lists(st.floats(-1, 1, width=32), min_size=8, max_size=8).filter(any)


@settings(deadline=None, max_examples=50)
@given(st.lists(numbers, min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_sums_are_exact_and_the_same_in_every_order(found: list[list[float]], seed: object) -> None:
    vectors = {f"m{n}": packed(*values) for n, values in enumerate(found)}
    with (
        tempfile.TemporaryDirectory() as folder,
        Index.open(Path(folder, "index.db"), FINGERPRINT) as index,
    ):
        for n, (name, one) in enumerate(vectors.items()):
            index.extend_source(source(f"{name}.md"), [fact(name, minute=n)], {0: one}, own=(0,))
        index.extend_source(source("extra.md"), facts("x"), {0: vector("x")}, own=(0,))
        index.drop_source("extra.md")

        with index.reading() as db:
            n, blob = fetch(db, "select n, total from centre")[0]
        expected = [sum(round(values[i] * 2**20) for values in found) for i in range(8)]

        assert n == len(found)
        assert list(array("q", blob)) == expected


def test_the_sums_of_an_empty_partition_go(index: Index) -> None:
    index.extend_source(source(), facts("m1"), {0: vector("m1")})
    index.drop_source("memory/a.md")

    with index.reading() as db:
        assert db.execute("select * from centre").fetchall() == []


def test_the_list_of_changes_stays_short_and_its_end_is_whole(index: Index) -> None:
    rows = [fact(f"m{n}", "tea", minute=n) for n in range(CHANGES_KEPT // 2 + 1_000)]
    index.put_source(source(), rows)
    fill(index)
    index.drop_source("memory/a.md")

    with index.reading() as db:
        first, last, n = fetch(db, "select min(seq), max(seq), count(*) from vector_change")[0]
    assert last == 2 * len(rows)
    assert n == last - first + 1
    assert CHANGES_KEPT <= n < CHANGES_KEPT + len(rows)


def test_vectors_of_equal_texts_are_copied_from_an_old_index(path: Path, index: Index) -> None:
    index.put_source(source(), facts("m1", "m2"))
    fill(index)
    index.extend_source(source("o.md"), [fact("m9", "own")], {0: vector("x")}, own=(0,))
    with Index.open(path.with_name("new.db"), FINGERPRINT) as new:
        new.put_source(source(), [*facts("m1", "m3"), fact("m9", "own", minute=7)])

        assert new.copy_vectors(index) == 1
        assert new.cached_vectors(["text of m1"]) == {"text of m1": vector("text of m1")}


def test_vectors_of_another_model_are_not_copied(path: Path, index: Index) -> None:
    index.put_source(source(), facts("m1"))
    fill(index)
    other = replace(FINGERPRINT, model_sha256="ff")
    with Index.open(path.with_name("new.db"), other) as new:
        new.put_source(source(), facts("m1"))

        assert new.copy_vectors(index) == 0


def test_a_closed_old_index_is_left_alone(path: Path, index: Index) -> None:
    index.put_source(source(), facts("m1"))
    index.close()
    with Index.open(path.with_name("new.db"), FINGERPRINT) as new:
        new.put_source(source(), facts("m1"))

        assert new.copy_vectors(index) == 0


def test_only_a_new_chat_time_or_thread_moves_a_row(index: Index) -> None:
    docs = facts("m1", "m2", "m3")
    index.put_source(source(), docs)
    fill(index)
    with index.reading() as db:
        before = db.execute("select max(seq) from vector_change").get
    changed = [
        replace(docs[0], chat_id="c"),
        replace(docs[1], importance=0.9),
        replace(docs[2], thread="other"),
    ]
    index.put_source(source(), changed)

    with index.reading() as db:
        moved = fetch(
            db, "select id from vector_change join doc on doc.rowid = row where seq > ?", (before,)
        )
    assert moved == [("m1",), ("m3",)]
