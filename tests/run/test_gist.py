"""A model's summary without what isn't part of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.run.gist import clean_gist


@pytest.mark.parametrize(
    ("answer", "gist"),
    [
        ("<analysis>\nfirst I look\n</analysis>\n\nThe user asked.", "The user asked."),
        ("<summary>\nThe user asked.\n</summary>", "The user asked."),
        ("<analysis>hm</analysis>\n<summary>S</summary>\n", "S"),
        ("<Analysis>hm</Analysis><SUMMARY>S</SUMMARY>", "S"),
        ("The user asked for a < b.", "The user asked for a < b."),
        ("The user asked.</summary>", "The user asked."),
        ("</analysis>\nThe user asked.", "The user asked."),
        ("<summary>cut off", "cut off"),
        ("<think>hm</think>S", "S"),
        ("S <thinking>hm</thinking>", "S"),
        ("<analysis>never ends <summary>S</summary>", "S"),
        ("<analysis>never ends", ""),
        ("an <analysis> tag in words", "an <analysis> tag in words"),
        ("<analysis>a</analysis> <analysis>b</analysis>", ""),
    ],
)
def test_a_summary_is_freed_of_analysis_and_tags(answer: str, gist: str) -> None:
    """Case 26: analysis stripped, a summary tag unwrapped, plain text kept, a stray tag removed."""
    assert clean_gist(answer).strip() == gist


@given(st.text(st.characters(exclude_characters="<")))
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert clean_gist(text) == text


@given(st.text(max_size=20).filter(lambda text: "<" not in text))
def test_an_unwrapped_summary_is_what_was_in_the_tag(text: str) -> None:
    assert clean_gist(f"<analysis>x</analysis><summary>{text}</summary>") == text
