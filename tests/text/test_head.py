"""What is embedded before a text."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.text.head import head, read_head


@given(st.none() | st.text(min_size=1), st.dates())
def test_speaker_and_day_survive(speaker: str | None, day: date) -> None:
    assert read_head(head(speaker, day)) == (speaker, day)


def test_it_reads_as_a_person_would_write_it() -> None:
    assert head("Caroline", date(2023, 5, 8)) == "Caroline (2023-05-08): "
    assert head(None, date(2023, 5, 8)) == "(2023-05-08): "


@pytest.mark.parametrize("text", ["", "Ann: ", "Ann (2023-13-08): ", "Ann (2023-05-08)"])
def test_other_text_has_neither(text: str) -> None:
    assert read_head(text) == (None, None)
