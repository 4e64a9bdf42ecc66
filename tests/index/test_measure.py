"""What a search measures of its candidates."""

from __future__ import annotations

from array import array

import pytest

from litemem.index import keyword, measure
from litemem.index.filters import resolve
from litemem.index.store import Index
from litemem.index.words import query_words
from litemem.types import Scope
from tests.index.made import fact, facts, fill, source, vector


def test_two_cosines_come_for_each_row_that_has_a_vector(index: Index) -> None:
    index.extend_source(source(), facts("a", "b"))
    fill(index)
    index.extend_source(source("memory/b.md"), [fact("c")])
    one, other = vector("text of a"), vector("text of b")

    with index.reading() as db:
        rows = {stored.doc.id: n for n, stored in index.by_rowids(range(1, 9)).items()}
        found = measure.cosines(db, one, other, [*rows.values(), 99])
        none = measure.cosines(db, one, other, [])

    assert set(found) == {rows["a"], rows["b"]}
    assert found[rows["a"]][0] == pytest.approx(1)
    assert found[rows["b"]][1] == pytest.approx(1)
    assert none == {}


def test_the_mean_of_cosines_is_the_cosine_to_the_mean() -> None:
    query, texts = vector("q"), [array("f", vector(text)) for text in "abc"]
    mean = [sum(column) / 3 for column in zip(*texts, strict=True)]

    expected = sum(
        sum(a * b for a, b in zip(array("f", query), text, strict=True)) for text in texts
    )

    assert measure.mean_cosine(query, mean) == pytest.approx(expected / 3)


def test_only_rows_in_scope_are_allowed(index: Index) -> None:
    index.extend_source(source(), facts("a", "b"))
    index.extend_source(source("users/ann/memory/a.md", user="ann"), facts("c"))

    with index.reading(vectors=False) as db:
        rows = resolve(db, Scope(user="ann"))
        assert rows is not None
        every = index.by_rowids(range(1, 9))
        found = measure.allowed(db, rows, list(every))

    assert [every[row].doc.id for row in found] == ["c"]


@pytest.mark.parametrize(
    ("query", "whole"),
    [
        ("green tea", True),
        ("green tea in a garden of delights", False),
        ("我们喜欢喝绿茶吗", True),  # the bigrams across two words are nowhere
        ("ich trinke gerne tea mit Milch", False),
    ],
)
def test_a_query_of_another_language_is_covered_little(
    index: Index, query: str, whole: object
) -> None:
    texts = ["green tea", "喜欢喝绿茶", "in the city", "a dog", "a long walk", "rain again"]
    index.extend_source(source(), [fact(f"m{n}", text, minute=n) for n, text in enumerate(texts)])
    words = query_words(query)

    with index.reading(vectors=False) as db:
        rows = resolve(db, Scope())
        assert rows is not None
        best = keyword.search(db, words, rows, 1)[0][1]
        found = measure.coverage(db, words, best)

    assert (found > 0.3) is whole


def test_without_words_nothing_is_covered(index: Index) -> None:
    with index.reading(vectors=False) as db:
        assert measure.coverage(db, (), 0.0) == 0


def test_where_all_bigrams_are_nowhere_they_count(index: Index) -> None:
    index.extend_source(source(), [fact("a", "Bart likes tea"), fact("b", "a dog", minute=1)])
    words = query_words("Bart 喜欢喝茶吗")

    with index.reading(vectors=False) as db:
        assert measure.coverage(db, words, 0.3) < measure.coverage(db, words[:1], 0.3)
