from __future__ import annotations

import os
import re

from hypothesis import given
from hypothesis import strategies as st

from litemem.text.ids import derived_id, new_id


def test_new_ids_are_ten_readable_characters() -> None:
    made = {new_id(os.urandom) for _ in range(1000)}

    assert len(made) == 1000
    assert all(re.fullmatch("m[0-9a-hjkmnp-tv-z]{9}", one) for one in made)


def test_new_ids_use_all_random_bits() -> None:
    assert new_id(lambda n: b"\0" * n) == "m000000000"
    assert new_id(lambda n: b"\xff" * n) == "mzzzzzzzzz"


def test_derived_ids_never_change() -> None:
    assert derived_id("memory/2026-02-08.md", "likes tea", 0) == "hge7asnddd"


@given(st.text(), st.text(), st.integers(0, 9))
def test_derived_ids_differ_by_occurrence(key: str, text: str, occurrence: int) -> None:
    assert derived_id(key, text, occurrence) != derived_id(key, text, occurrence + 1)


def test_derived_ids_exist_for_names_that_arent_utf8() -> None:
    assert derived_id("memory/\udcff.md", "a", 0).startswith("h")
