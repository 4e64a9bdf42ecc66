from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.text.normal import normalise


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Likes tea.", "likes  TEA"),
        ("Likes tea!!…", " likes  tea "),
        ("住在里斯本。", "住在里斯本！"),
        ("Cafe\u0301", "caf\u00e9"),
        ("STRASSE", "straße"),
    ],
)
def test_case_blanks_and_final_signs_make_no_difference(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"), [("x²", "x2"), ("C", "C++"), ("a b", "ab"), ("résumé", "resume"), ("?", "!")]
)
def test_other_differences_stay(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@given(st.text())
def test_normal_texts_are_a_fixed_point_and_never_empty(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    assert bool(normalise(text)) == bool(text)
