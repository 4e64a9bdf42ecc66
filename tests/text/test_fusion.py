"""Signals to scores."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from litemem.text.fusion import (
    Candidate,
    Scored,
    Weights,
    clamped,
    coverage_of,
    evidence,
    fuse,
    least_evidence,
    reference_score,
    rescaled,
)
from litemem.types import Profile

E5 = Profile(typical_unrelated=0.77, typical_related=0.84)
SHARES = st.floats(0, 1)
MAYBE_KEYS = st.none() | st.integers(0, 14)


def changed(one: Candidate, **changes: Any) -> Candidate:  # noqa: ANN401  # of any field
    return one._replace(**changes)


@st.composite
def pools(draw: st.DrawFn) -> list[Candidate]:
    """Return candidates with distinct keys, some of them neighbours of each other."""
    keys = draw(st.lists(st.integers(0, 14), min_size=1, max_size=12, unique=True))
    return [
        Candidate(
            key=key,
            id=f"m{key}",
            created_at=draw(st.none() | st.floats(0, 2e9)),
            vector=draw(st.none() | st.floats(-1, 1)),
            keyword=draw(st.floats(0, 30)),
            speaker=draw(st.booleans()),
            date=draw(st.booleans()),
            time=draw(st.booleans()),
            neighbours=draw(st.floats(0, 30)),
            thread=draw(st.floats(0, 30)),
            assistant=draw(st.booleans()),
            importance=draw(SHARES),
            age_days=draw(st.none() | st.floats(-1, 5000)),
            thread_key=draw(st.none() | st.integers(0, 3)),
            previous=draw(MAYBE_KEYS),
            following=draw(MAYBE_KEYS),
        )
        for key in keys
    ]


def order(found: list[Scored]) -> list[int]:
    """Return the keys, best first."""
    return [one.key for one in found]


@given(pools(), SHARES, st.randoms())
def test_the_order_of_candidates_changes_nothing(
    pool: list[Candidate], coverage: float, chance: random.Random
) -> None:
    shuffled = pool.copy()
    chance.shuffle(shuffled)

    assert fuse(shuffled, coverage=coverage) == fuse(pool, coverage=coverage)


@given(pools(), SHARES)
def test_the_parts_sum_up_to_the_score(pool: list[Candidate], coverage: float) -> None:
    for one in fuse(pool, coverage=coverage):
        assert sum(one.parts.values()) == one.score


@given(pools(), SHARES)
def test_every_candidate_is_scored_once_best_first(pool: list[Candidate], coverage: float) -> None:
    found = fuse(pool, coverage=coverage)

    assert sorted(order(found)) == sorted(one.key for one in pool)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


@given(pools(), st.sampled_from(["vector", "keyword"]), st.floats(0.01, 1), SHARES)
def test_of_two_like_rows_the_one_that_matches_better_is_not_behind(
    pool: list[Candidate], arm: str, more: float, coverage: float
) -> None:
    first = pool[0]
    assume(first.vector is not None)
    lone = changed(first, thread_key=None, previous=None, following=None)
    better = changed(lone, key=99, **{arm: getattr(lone, arm) + more})
    # The rows around them are the same for both: none of them is a neighbour.
    others = [changed(one, previous=None, following=None) for one in pool[1:]]

    scores = {one.key: one.score for one in fuse([lone, better, *others], coverage=coverage)}

    assert scores[99] >= scores[first.key]


@pytest.mark.parametrize("sign", ["speaker", "date", "time"])
def test_each_sign_lifts_a_row(sign: str) -> None:
    plain = Candidate(key=1, id="a", vector=0.5)

    found = fuse([plain, changed(plain, key=2, id="b", **{sign: True})])

    assert order(found) == [2, 1]
    assert sign in found[0].parts


def test_an_assistants_turn_stands_behind_the_same_words_of_a_person() -> None:
    person = Candidate(key=1, id="b", vector=0.5)

    assert order(fuse([changed(person, key=2, id="a", assistant=True), person])) == [1, 2]


def test_a_row_shares_in_its_better_neighbour_and_in_its_thread() -> None:
    answer = Candidate(key=1, id="a", vector=0.9, keyword=9, thread_key=7, following=2)
    beside = Candidate(key=2, id="b", vector=0.2, thread_key=7, previous=1, neighbours=9)
    far = changed(beside, key=3, id="0", thread_key=8, previous=None, neighbours=0)

    found = fuse([answer, far, beside])

    assert order(found) == [1, 2, 3]
    assert {"better_neighbour", "thread_best", "neighbours"} <= found[1].parts.keys()


def test_equal_rows_go_newest_first_then_by_id_and_line() -> None:
    pool = [
        Candidate(key=1, id="b", created_at=5),
        Candidate(key=2, id="a", created_at=5, line=9),
        Candidate(key=3, id="a", created_at=5, line=2),
        Candidate(key=4, id="z", created_at=6),
    ]

    assert order(fuse(pool)) == [4, 3, 2, 1]


def test_importance_and_recency_order_rows_that_match_alike() -> None:
    old = Candidate(key=1, id="a", vector=0.9, keyword=4, age_days=400)
    other = Candidate(key=9, id="x", vector=0.1)
    fresh, dear = changed(old, key=2, age_days=0), changed(old, key=3, importance=1.0)

    assert order(fuse([old, fresh, dear, other])) == [3, 2, 1, 9]


def test_importance_does_not_carry_a_row_that_does_not_match() -> None:
    match = Candidate(key=1, id="a", vector=0.9, keyword=4, importance=0.0, age_days=900)
    dear = Candidate(key=2, id="b", vector=0.1, importance=1.0, age_days=0)

    found = fuse([match, dear])

    assert order(found) == [1, 2]
    assert found[1].parts["importance"] == 0


def test_the_default_importance_counts_nothing() -> None:
    assert "importance" not in fuse([Candidate(key=1, id="a", vector=1, keyword=1)])[0].parts


def test_without_vectors_keywords_have_the_whole_weight() -> None:
    found = fuse([Candidate(key=1, id="a", keyword=3), Candidate(key=2, id="b")], coverage=0.01)

    assert found[0].parts["keyword"] == 1
    assert "vector" not in found[0].parts


def test_a_row_without_a_vector_is_judged_by_its_keywords() -> None:
    pool = [
        Candidate(key=1, id="a", keyword=3, vector=0.5),
        Candidate(key=2, id="b", keyword=3),
        Candidate(key=3, id="c", vector=0.4),
    ]

    scores = {one.key: one.score for one in fuse(pool)}

    assert scores[1] == scores[2] > scores[3]


def test_where_words_cover_little_vectors_decide() -> None:
    words = Candidate(key=1, id="a", keyword=3, vector=0.2)
    meaning = Candidate(key=2, id="b", keyword=0, vector=0.5)
    weights = Weights(vector=0.4, keyword=0.6)

    assert order(fuse([words, meaning], weights)) == [1, 2]
    assert order(fuse([words, meaning], weights, coverage=0.02)) == [2, 1]


def test_nothing_gives_nothing() -> None:
    assert fuse([]) == []


def test_weights_follow_the_models_share() -> None:
    weights = Weights.for_vector(0.75)

    assert (weights.vector, weights.keyword) == (0.75, 0.25)


def test_coverage_is_the_share_of_the_most_that_could_match() -> None:
    assert coverage_of(2.2, [1.0, 1.0]) == pytest.approx(0.5)
    assert coverage_of(2.2, []) == 0


def test_similarity_is_on_the_models_scale() -> None:
    assert rescaled(0.77, E5) == 0
    assert rescaled(0.84, E5) == pytest.approx(1)
    assert clamped(rescaled(0.99, E5)) == 1
    assert clamped(rescaled(0.1, E5)) == 0


@pytest.mark.parametrize(
    ("best", "mean", "n", "sure"),
    [
        (0.86, 0.78, 400, True),  # near, and nearer than the rest
        (0.86, 0.855, 400, False),  # all alike: Chinese nonsense to Chinese texts
        (0.78, 0.70, 400, False),  # nearer than the rest, but not near
        (0.83, 0.83, 1, True),
        (0.78, 0.78, 1, False),
    ],
)
def test_evidence_asks_for_nearness_and_for_a_gap(
    best: float, mean: float, n: int, sure: object
) -> None:
    assert (evidence(best, mean, n, E5) >= least_evidence(n)) is sure


@given(st.integers(0, 10**7), st.floats(0, 10), st.floats(0, 10))
def test_more_texts_and_stranger_words_need_more_evidence(
    n: int, pieces: float, more: float
) -> None:
    assert least_evidence(n, pieces) <= least_evidence(n, pieces + more)
    assert least_evidence(n, pieces) <= least_evidence(2 * n, pieces)


def test_the_reference_formula_has_its_four_parts() -> None:
    parts = reference_score(cosine=0.8, keyword=0.5, importance=0.6, age_days=1.0)

    assert parts == {
        "vector": pytest.approx(0.56),
        "keyword": pytest.approx(0.15),
        "importance": pytest.approx(0.12),
        "recency": pytest.approx(0.05),
    }


@pytest.mark.parametrize(("age", "recency"), [(-3.0, 0.1), (0.5, 0.1 / 1.5), (None, 0.0)])
def test_recency_counts_parts_of_days(age: float | None, recency: float) -> None:
    parts = reference_score(cosine=0, keyword=0, importance=0, age_days=age)

    assert parts["recency"] == pytest.approx(recency)
