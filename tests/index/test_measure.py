"""What a search measures of its candidates."""

from __future__ import annotations

from array import array
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.index import keyword, measure
from litemem.index.filters import resolve
from litemem.index.store import Index
from litemem.index.words import query_words
from litemem.types import Scope
from tests.index.made import fact, facts, source, vector


def test_each_vector_has_its_cosine() -> None:
    one, other = vector("text of a"), vector("text of b")

    found = measure.cosines({1: one, 2: other}, other)

    assert list(found) == [1, 2]
    assert found[1] < found[2] == pytest.approx(1)
    assert measure.cosines({}, one) == {}


@given(st.lists(st.text(max_size=3), min_size=1, max_size=20), st.randoms())
def test_a_mean_is_that_of_the_numbers_in_any_order(names: list[str], random: Random) -> None:
    vectors = [vector(name) for name in names]
    numbers = [array("f", one) for one in vectors]

    found = measure.mean_of(vectors)
    random.shuffle(vectors)

    assert measure.mean_of(vectors) == found
    assert found == pytest.approx(
        [sum(one) / len(one) for one in zip(*numbers, strict=True)], abs=1e-6
    )


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
