"""Which passages are chosen, against the plainest way to choose them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.embed.hashing import HashEmbedder
from litemem.errors import EmbedError
from litemem.run.centrality import Themes, nearness
from litemem.run.selection import Candidate, Selection, candidates
from litemem.run.sentences import Passage
from litemem.types import Vector

SHARES = st.lists(st.floats(0, 1), min_size=5, max_size=5)
SQUARES = st.lists(SHARES, min_size=5, max_size=5)


def rows(texts: Sequence[str], role: str = "assistant") -> list[Candidate]:
    return candidates([Passage(text=text, role=role) for text in texts], len)


def represented(near: list[list[float]], weights: list[float], chosen: Sequence[int]) -> float:
    """How well a set stands for all, in the words of the definition."""
    best = [max((near[i][j] for i in chosen), default=0.0) for j in range(len(near))]
    return 100 * sum(map(float.__mul__, best, weights)) / (sum(weights) or 1.0)


@given(SQUARES, SHARES, st.permutations(range(5)))
def test_a_theme_s_gain_is_what_the_set_stands_for_more(
    near: list[list[float]], weights: list[float], order: list[int]
) -> None:
    themes = Themes(near, weights)
    for n, place in enumerate(order):
        before = represented(near, weights, order[:n])
        after = represented(near, weights, order[: n + 1])

        assert themes.gain(place) == pytest.approx(after - before, abs=1e-6)

        themes.choose(place)
        assert themes.nearest(place) == max(near[i][place] for i in order[: n + 1])


def test_nearness_is_symmetric_and_whole_for_the_same_text() -> None:
    near = nearness(["the cat sat", "a dog barked", "the cat sat", "?"], HashEmbedder())

    assert near[0][2] == pytest.approx(1.0)
    assert near[0][1] == near[1][0] < 0.9
    assert near[3] == [0.0] * 4


def test_a_failing_embedder_is_passed_on() -> None:
    class Failing(HashEmbedder):
        def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
            raise EmbedError("the model is gone")

    with pytest.raises(EmbedError):
        nearness(["a"], Failing())


WORDS = st.lists(
    st.sampled_from(["red", "green", "blue", "pink", "7", "x_y"]), min_size=1, max_size=6
)
TEXTS = st.lists(WORDS.map(" ".join), max_size=12)


@given(TEXTS, st.integers(0, 120))
def test_choices_stay_within_the_budget_and_none_comes_twice(texts: list[str], budget: int) -> None:
    table = rows(texts)
    chosen = Selection(table).fill(budget)

    assert sum(table[place].cost for place in chosen) <= budget
    assert len(set(chosen)) == len(chosen)
    assert len({table[place].said for place in chosen}) == len(chosen)


@given(TEXTS)
def test_with_room_for_all_every_word_is_covered(texts: list[str]) -> None:
    table = rows(texts)
    chosen = Selection(table).fill(10_000)

    assert {w for row in table for w in row.words} == {w for i in chosen for w in table[i].words}


@given(TEXTS, SQUARES, st.integers(1, 200))
def test_each_choice_is_the_best_that_still_fits(
    texts: list[str], near: list[list[float]], budget: int
) -> None:
    texts = [*texts, *"abcde"]
    mirrored = [[max(near[i][j], near[j][i]) for j in range(5)] for i in range(5)]
    lazy, plain = (Selection(rows(texts), Themes(mirrored, [1.0] * 5), range(5)) for _ in "12")
    lazy._take(range(len(texts)), budget)
    for place in lazy.chosen:
        fits = [i for i, row in enumerate(plain._rows) if plain._spent + row.cost <= budget]
        best = max(plain._gain(i) for i in fits if i not in plain.chosen)

        assert plain._gain(place) == pytest.approx(best)

        plain._choose(place)


def test_what_must_be_kept_is_kept_when_it_fits() -> None:
    filler = [f"Chapter of words about apples number{i} pears plums{i} figs" for i in range(60)]
    wanted = [f"We decided on the {c} it." for c in "abcdefghij"]
    chosen = Selection(rows([*filler, *wanted])).fill(400)

    assert set(range(60, 70)) <= set(chosen)


def test_what_must_be_kept_leaves_room_when_there_is_too_much_of_it() -> None:
    wanted = [f"We decided on plan{i} it." for i in range(60)]
    chosen = Selection(rows([*wanted, "Apples, pears, plums and figs grow here"])).fill(400)

    assert 60 in chosen


def test_of_two_with_as_many_new_words_the_one_less_like_the_chosen_is_taken() -> None:
    table = rows(["red cats sleep", "grey wolf sang", "wild ants marching"])
    near = [[1.0, 0.95, 0.0], [0.95, 1.0, 0.0], [0.0, 0.0, 1.0]]

    assert Selection(table, Themes(near, [1.0, 0.0, 0.0]), range(3)).fill(1000) == [0, 2, 1]


def test_a_number_beats_words_that_are_covered() -> None:
    table = rows(["The server is slow today", "The server is slow", "The server uses 8443"])

    assert 2 in Selection(table).fill(48)


def test_what_the_user_says_comes_before_a_tool_s_output() -> None:
    said = [
        *candidates([Passage(text="apples and pears grow", role="tool", tool=True)], len),
        *candidates([Passage(text="trains and ships leave", role="user")], len),
    ]

    assert Selection(said).fill(25) == [1]


def test_a_restatement_is_left_out() -> None:
    texts = ["cats sleep all day", "cats all day sleep", "dogs bark"]
    table = rows(texts)
    near = [[1.0, 0.95, 0.0], [0.95, 1.0, 0.0], [0.0, 0.0, 1.0]]
    chosen = Selection(table, Themes(near, [1.0] * 3), range(3)).fill(1000)

    assert len({0, 1} & set(chosen)) == 1
    assert 2 in chosen
