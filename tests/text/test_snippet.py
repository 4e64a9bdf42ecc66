"""Stretches of text around a match."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.text.snippet import snippet

WORDS = "lorem ipsum dolor sit amet " * 30
CHINESE = "今天天气很好我们去公园散步。" * 20


def test_a_short_text_is_its_own_snippet_on_one_line() -> None:
    assert snippet("  likes\n  green tea ", ["tea"]) == "likes green tea"


def test_without_a_match_it_is_the_beginning() -> None:
    found = snippet(WORDS, ["zebra"])

    assert found.startswith("lorem ipsum")
    assert found.endswith("…")


def test_the_match_stands_inside_with_both_ends_marked() -> None:
    found = snippet(f"{WORDS}the quick zebra runs {WORDS}", ["zebra"])

    assert "quick zebra runs" in found
    assert (found[0], found[-1]) == ("…", "…")
    assert found.index("zebra") == pytest.approx(len(found) / 2, abs=20)


def test_the_stretch_with_most_of_the_terms_wins() -> None:
    text = f"a zebra here {WORDS} a zebra and a zebra {WORDS} zebra meets lion {WORDS}"

    assert "zebra meets lion" in snippet(text, ["zebra", "lion"])


@pytest.mark.parametrize(
    ("term", "form"), [("engineer", "Engineers"), ("parties", "party"), ("running", "runnin")]
)
def test_forms_of_a_word_are_found(term: str, form: str) -> None:
    assert form in snippet(f"{WORDS}{form} {WORDS}", [term])


def test_a_short_word_is_not_found_inside_another() -> None:
    assert snippet(f"{WORDS}team {WORDS}", ["tea"]).startswith("lorem")


def test_chinese_is_found_without_spaces() -> None:
    found = snippet(f"{CHINESE}明天去东京出差见客户。{CHINESE}", ["东京", "京出"])

    assert "东京出差" in found
    assert len(found) <= 202


def test_many_matches_cost_no_more_than_the_first_thousand() -> None:
    assert len(snippet("zebra " * 5000, ["zebra"])) <= 202


@given(st.text(), st.lists(st.text()), st.integers(1, 300))
def test_any_text_gives_a_piece_of_itself(text: str, terms: list[str], room: int) -> None:
    found = snippet(text, terms, max_chars=room)
    inner = found.removeprefix("…").removesuffix("…")

    assert len(found) <= room + 2
    assert inner in re.sub(r"\s+", " ", text)
