"""Rows by their words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from math import log
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.index import keyword
from litemem.index.docs import Doc
from litemem.index.filters import resolve
from litemem.index.store import Index
from litemem.index.words import query_words
from litemem.types import Scope
from tests.index.made import DAY, FINGERPRINT, fact, facts, source, vector

WORDS = ("tea", "coffee", "dog", "garden", "piano", "Lisbon", "train", "自転車")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


def found(index: Index, query: str, k: int = 10, scope: Scope | None = None) -> list[str]:
    """Return the ids of the best rows."""
    return [id_ for id_, _ in scored(index, query, k, scope)]


def scored(
    index: Index, query: str, k: int = 10, scope: Scope | None = None
) -> list[tuple[str, float]]:
    """Return ids and scores of the best rows."""
    with index.reading(vectors=False) as db:
        rows = resolve(db, scope or Scope())
        if rows is None:
            return []
        best = keyword.search(db, query_words(query), rows, k)
        docs = index.by_rowids([row for row, _ in best])
    return [(docs[row].doc.id, score) for row, score in best]


def rowids(index: Index) -> dict[str, int]:
    """Return the number of each row by its id."""
    return {stored.doc.id: row for row, stored in index.by_rowids(range(1, 500)).items()}


def said(*texts: str, chat_id: str | None = None, thread: str = "day") -> list[Doc]:
    """Return one fact a text, with ids a0, a1 ..."""
    return [
        replace(fact(f"a{n}", text, minute=n), chat_id=chat_id, thread=thread)
        for n, text in enumerate(texts)
    ]


@contextmanager
def temporary(docs: Sequence[Doc]) -> Iterator[Index]:
    """Return an index of these rows, for one example."""
    with (
        TemporaryDirectory() as folder,
        Index.open(Path(folder) / "index.db", FINGERPRINT) as index,
    ):
        index.extend_source(source(), docs)
        yield index


@settings(max_examples=50)  # each makes two files
@given(st.lists(TEXTS, min_size=1, max_size=12), TEXTS, st.integers(1, 5), st.randoms())
def test_the_answer_does_not_depend_on_the_order_of_insertion(
    texts: list[str], query: str, k: int, random: Random
) -> None:
    docs = said(*texts)
    shuffled = random.sample(docs, len(docs))

    with temporary(docs) as one, temporary(shuffled) as other:
        assert scored(one, query, k) == scored(other, query, k)


@given(st.lists(TEXTS, min_size=1, max_size=12), TEXTS)
def test_rows_that_hold_a_word_come_best_first_and_no_others(texts: list[str], query: str) -> None:
    with temporary(said(*texts)) as index:
        answer = scored(index, query, 99)

    holding = {f"a{n}" for n, text in enumerate(texts) if set(text.split()) & set(query.split())}
    assert {id_ for id_, _ in answer} == holding
    assert [score for _, score in answer] == sorted((score for _, score in answer), reverse=True)
    assert all(score > 0 for _, score in answer)


def test_a_word_said_more_often_in_a_shorter_row_counts_more(index: Index) -> None:
    index.extend_source(source(), said("tea in the garden of Ann", "tea tea", "dog", "piano"))

    assert found(index, "tea") == ["a1", "a0"]


def test_a_row_with_a_rarer_word_comes_first(index: Index) -> None:
    index.extend_source(source(), said("tea", "tea", "tea", "tea", "dog", "train", "piano", "cat"))

    assert found(index, "tea dog", 2) == ["a4", "a0"]


def test_equal_rows_are_told_apart_by_id_far_beyond_the_cut(index: Index) -> None:
    docs = [fact(f"a{n:03}", "tea", minute=n) for n in range(300)]
    index.extend_source(source(), list(reversed(docs)))

    assert found(index, "tea", 3) == ["a000", "a001", "a002"]


def test_accents_fold_and_words_are_stemmed(index: Index) -> None:
    index.extend_source(source(), said("Engineers in Zürich"))

    assert found(index, "engineer") == found(index, "Zurich") == ["a0"]


def test_an_identifier_finds_what_it_names(index: Index) -> None:
    index.extend_source(source(), said("see user-settings.json", "json of settings, by user"))

    assert found(index, "user-settings.json")[0] == "a0"
    assert found(index, "user-settings.json", 1, Scope()) == ["a0"]


@pytest.mark.parametrize("query", ["", "?", "NEAR(", '"', "a:b", "*", " OR ", "\0", "🥰", "-"])
def test_nothing_is_found_by_what_no_row_says(index: Index, query: str) -> None:
    index.extend_source(source(), said("tea"))

    assert found(index, query) == []


class TestScopes:
    @pytest.fixture(autouse=True)
    def filled(self, index: Index) -> None:
        index.extend_source(source(), [replace(fact("none", "tea"), thread="x")])
        for chat in ("c", "d"):
            one = replace(fact(f"in {chat}", "tea", minute=60), chat_id=chat)
            index.extend_source(source(f"memory/{chat}.md"), [one])
        index.extend_source(source("users/ann/memory/a.md", user="ann"), [fact("ann's", "tea")])

    @pytest.mark.parametrize(
        ("scope", "ids"),
        [
            (Scope(), ["in c", "in d", "none"]),
            (Scope(chat_id="c"), ["in c", "none"]),
            (Scope(chat_id="c", chat_only=True), ["in c"]),
            (Scope(chat_id="unknown"), ["none"]),
            (Scope(chat_id="unknown", chat_only=True), []),
            (Scope(user="ann"), ["ann's"]),
            (Scope(user="nobody there"), []),
            (Scope(kinds=("turn",)), []),
            (Scope(since=DAY + timedelta(hours=1)), ["in c", "in d"]),
            (Scope(until=DAY + timedelta(hours=1)), ["none"]),
        ],
    )
    @pytest.mark.parametrize("others", [0, 200])
    def test_only_rows_in_scope_are_found(
        self, index: Index, scope: Scope, ids: list[str], others: int
    ) -> None:
        crowd = [fact(f"b{n}", "tea", minute=n) for n in range(others)]
        index.extend_source(source("users/bob/memory/b.md", user="bob"), crowd)

        assert found(index, "tea", scope=scope) == ids


# Where fewer than half have a vector, rows are looked at: here all of them.
@pytest.mark.parametrize(("embedded", "share"), [(0, 0.8), (10, 0.8), (30, 0.6), (50, 0.8)])
def test_which_share_may_answer_at_least(index: Index, embedded: int, share: float) -> None:
    index.extend_source(source(), said(*(f"tea {n}" for n in range(40))))
    index.extend_source(
        source("users/bob/memory/b.md", user="bob"), said(*(f"dog {n}" for n in range(10)))
    )
    index.put_vectors([(row, vector(text)) for row, text in index.pending(embedded)])

    with index.reading(vectors=False) as db:
        for user, expected in (("default", share), ("bob", 0.2)):
            rows = resolve(db, Scope(user=user))
            assert rows is not None
            assert keyword._share(db, rows, None) == pytest.approx(expected)


@pytest.fixture(scope="module")
def large() -> Iterator[Index]:
    """Return an index in which two words are common and two rare."""
    texts = ["tea garden"] * 9_000 + ["tea"] * 9_000 + ["garden"] * 9_000
    texts += ["tea piano"] * 20 + ["piano"] * 20 + ["tea garden dog"] * 3
    with temporary([fact(f"{n:05}", text) for n, text in enumerate(texts)]) as index:
        yield index


class TestManyMatches:
    """Beyond 20,000 matching rows those that hold one common word alone are left out."""

    def test_rows_with_a_rare_word_come_first_then_those_with_two_common_ones(
        self, large: Index
    ) -> None:
        best = [int(id_) for id_ in found(large, "tea garden piano", 60)]

        assert sorted(best[:40]) == list(range(27_000, 27_040))
        assert best[40:] == list(range(20))

    def test_all_rows_come_where_more_are_asked_for(self, large: Index) -> None:
        assert len(found(large, "tea garden piano", 50_000)) == 27_043

    def test_one_common_word_is_looked_up_in_full(self, large: Index) -> None:
        assert found(large, "garden", 2) == ["18000", "18001"]

    def test_threads_are_told_apart_by_rare_words(self, large: Index) -> None:
        with large.reading(vectors=False) as db:
            scores = keyword.thread_scores(db, query_words("tea dog"), [1])

        assert set(scores) == {1}


def test_scores_are_those_of_the_search(index: Index) -> None:
    index.extend_source(source(), said("tea in the garden", "tea tea", "dog", "piano", "cat"))
    rows = rowids(index)

    with index.reading(vectors=False) as db:
        scores = keyword.scores(db, query_words("tea"), [*rows.values(), 999])

    assert {rows[id_]: score for id_, score in scored(index, "tea")} == pytest.approx(scores)


def test_a_word_in_no_row_has_the_whole_weight(index: Index) -> None:
    index.extend_source(source(), said("tea", "tea", "tea", "dog"))

    with index.reading(vectors=False) as db:
        weights = keyword.idf(db, query_words("tea dog elephant"))

    assert weights == pytest.approx(
        {'"tea"': 1e-6, '"dog"': log(3.5 / 1.5), '"elephant"': log(4.5 / 0.5)}
    )


def test_a_word_is_counted_once_for_all_that_asks_for_it(index: Index) -> None:
    index.extend_source(source(), said("tea", "tea dog", "dog", "cat"))
    words, counted, seen = query_words("tea dog"), dict[str, int](), list[str]()

    with index.reading(vectors=False) as db:
        db.set_profile(lambda sql, _: seen.append(sql))
        weights = keyword.idf(db, words, counted)
        keyword.idf(db, words, counted)
        threads = keyword.thread_scores(db, words, [1], counted)
        db.set_profile(None)
        assert threads == keyword.thread_scores(db, words, [1])

    assert counted == {"": 4, '"tea"': 2, '"dog"': 2}
    assert weights.keys() == {'"tea"', '"dog"'}
    assert sum(sql.startswith("select count(*) from words") for sql in seen) == len(counted)


@pytest.mark.parametrize("rows", [3, 40])  # few in the threads, and more than match
def test_a_thread_that_says_more_of_it_scores_higher(index: Index, rows: int) -> None:
    filler = [f"row {n}" for n in range(rows)]
    for name, texts in {"a": ["tea", "tea"], "b": ["tea", "dog"], "c": ["dog", "cat"]}.items():
        docs = [
            replace(fact(f"{name}{n}", text, minute=n), thread=name)
            for n, text in enumerate([*texts, *filler])
        ]
        index.extend_source(source(f"memory/{name}.md"), docs)

    with index.reading(vectors=False) as db:
        named = db.execute("select distinct substr(id, 1, 1), thread from doc").fetchall()
        threads = {str(name): int(str(thread)) for name, thread in named}
        scores = keyword.thread_scores(db, query_words("tea piano"), list(threads.values()))
        none = keyword.thread_scores(db, query_words("tea"), [99])

    assert scores[threads["a"]] > scores[threads["b"]] > 0
    assert threads["c"] not in scores
    assert none == {}


def test_a_thread_counts_as_two_hundred_rows_at_most(tmp_path: Path) -> None:
    def scores_of(rows: int) -> list[float]:
        with Index.open(tmp_path / f"{rows}.db", FINGERPRINT) as index:
            for name, texts in {"a": ["tea", "tea"], "b": ["tea", "dog"]}.items():
                filler = (f"row {n}" for n in range(rows if name == "a" else 3))
                docs = [
                    replace(fact(f"{name}{n}", text, minute=n), thread=name)
                    for n, text in enumerate([*texts, *filler])
                ]
                index.extend_source(source(f"memory/{name}.md"), docs)
            with index.reading(vectors=False) as db:
                return [*keyword.thread_scores(db, query_words("tea"), [1, 2]).values()]

    assert scores_of(250) == scores_of(300) != scores_of(100)


def test_nothing_asked_is_nothing_scored(index: Index) -> None:
    index.extend_source(source(), facts("a"))

    with index.reading(vectors=False) as db:
        assert keyword.scores(db, (), [1]) == {}
        assert keyword.scores(db, ('"a"',), []) == {}
        assert keyword.thread_scores(db, (), [1]) == {}
        assert keyword.thread_scores(db, ('"a"',), []) == {}
