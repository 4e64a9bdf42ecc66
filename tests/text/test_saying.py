from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.text.saying import MAX_CHARS, Likeness, likeness, saying, singular


def compared(one: str, other: str) -> Likeness:
    first, second = saying(one), saying(other)
    assert first
    assert second
    return likeness(first, second)


@pytest.mark.parametrize(
    ("one", "other", "like"),
    [
        ("Likes tea", "I really enjoy tea!", "same"),
        ("lives in Rome", "Is living in Rome", "same"),
        ("Lives in Rome with a cat", "lives in Rome", "near"),
        ("lives in Rome", "lives in Rome with a cat", "other"),
        ("Ann Lee works as a cook and lives in Rome", "Cook Ann Lee, Rome", "near"),
        ("Ann Lee is a cook living in Rome", "Ann Lee is a cook working in Rome", "other"),
        ("Likes 2 teas", "Likes 3 teas", "other"),
        ("Likes tea", "Does not like tea", "other"),
        ("Likes tea?", "Likes tea", "other"),
        ("Costs 20%", "Costs 20", "other"),
        ("-5 degrees at night", "5 degrees at night", "other"),
        ("c++ is best", "c is best", "other"),
        ("喜欢茶", "我很喜欢茶。", "same"),
        ("喜欢茶", "不喜欢茶", "other"),
        ("他喜欢茶", "我喜欢茶", "other"),
    ],
)
def test_two_texts_say_the_same_only_where_no_word_of_weight_differs(
    one: str, other: str, like: Likeness
) -> None:
    assert compared(one, other) == like


@pytest.mark.parametrize("text", ["", " ", "...", "a\nb", "x" * (MAX_CHARS + 1), "the", "2026"])
def test_texts_without_words_or_with_too_many_say_nothing(text: str) -> None:
    assert saying(text) is None


@given(st.text())
def test_any_text_is_like_itself(text: str) -> None:
    said = saying(text)

    assert said is None or likeness(said, said) == "same"


@given(st.text(), st.sampled_from(["not ", "7 ", "Bob ", "🍕 ", "yesterday ", "he "]))
def test_a_word_of_weight_in_one_text_alone_keeps_them_apart(text: str, word: str) -> None:
    first, second = saying("likes x " + text), saying("likes x " + word + text)

    assert first is None or second is None or likeness(second, first) == "other"


@pytest.mark.parametrize(
    ("word", "one"),
    [("likes", "like"), ("flies", "fly"), ("watches", "watch"), ("is", "is"), ("class", "class")],
)
def test_the_third_person_loses_its_s(word: str, one: str) -> None:
    assert singular(word) == one
