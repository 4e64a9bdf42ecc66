"""Where a history is cut: the reference's function, and ours on top of it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import InvalidValue
from litemem.run.cut import Cut, dropped, find_cut, find_cut_point, splice
from litemem.run.turns import SUMMARY_HEADING, Turn, text_turn

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "runtime-vectors.json").read_text())
CASES = [
    (case["shape"], keep, expected)
    for case in VECTORS["find_cut_point"]
    for keep, expected in case["expected_by_keep_recent"].items()
    if keep != "NaN"  # decisions: a ValueError here, NaN in JavaScript
]
KEEPS = st.one_of(st.integers(-3, 14), st.floats(-3, 14), st.just(math.inf), st.just(-math.inf))


def call(call_id: str = "c") -> dict[str, Any]:
    return {"kind": "tool_call", "id": call_id, "name": "t", "input": {}}


def result(call_id: str = "c") -> dict[str, Any]:
    return {"kind": "tool_result", "callId": call_id, "output": "r"}


def text(words: str = "x") -> dict[str, Any]:
    return {"kind": "text", "text": words}


SHAPES: dict[str, Turn] = {
    "u": {"role": "user", "blocks": [text()]},
    "a": {"role": "assistant", "blocks": [text()]},
    "c": {"role": "assistant", "blocks": [call()]},
    "r": {"role": "tool", "blocks": [result()]},
    "m": {"role": "user", "blocks": [text(), result()]},
    "s": text_turn("user", f"{SUMMARY_HEADING}\ngist"),
}


def history(shape: str) -> list[Turn]:
    return [SHAPES[letter] for letter in shape]


def plain_cut(shape: str, keep_recent: float) -> int:
    """The rule in the specification's words, over letters."""
    keep = max(0, keep_recent)
    tail = shape if keep >= len(shape) else shape[len(shape) - int(keep) :]
    if len(tail) == len(shape):
        return 0
    return len(shape) - len(tail.lstrip("rm"))


@pytest.mark.parametrize(("shape", "keep", "expected"), CASES)
def test_a_cut_point_is_the_reference_s(shape: str, keep: str, expected: int) -> None:
    assert find_cut_point(history(shape), float(keep)) == expected


def test_keeping_nan_turns_is_an_error() -> None:
    with pytest.raises(InvalidValue, match="keep_recent"):
        find_cut_point(history("ua"), math.nan)


@given(st.text("uacrm", max_size=12), KEEPS)
def test_a_cut_point_follows_the_plain_model(shape: str, keep: float) -> None:
    assert find_cut_point(history(shape), keep) == plain_cut(shape, keep)


@given(st.lists(st.sampled_from(["u", "a", "cr", "crrr"]), max_size=8).map("".join), KEEPS)
def test_a_cut_point_never_parts_a_result_from_its_call(shape: str, keep: float) -> None:
    cut = find_cut_point(history(shape), keep)

    assert shape[cut:].lstrip("r") == shape[cut:]


def test_an_answer_that_comes_late_is_condensed_with_its_call() -> None:
    messages = history("uacaur") + history("ua")

    assert find_cut(messages, 5) == Cut(at=6)


def test_the_user_s_last_turn_is_pinned_when_the_cut_would_drop_it() -> None:
    assert find_cut(history("uacrcrcr"), 2) == Cut(at=6, pinned=0)
    assert find_cut(history("uacrcru"), 2) == Cut(at=6)


def test_a_pinned_turn_loses_results_that_have_no_call_any_more() -> None:
    messages = history("cmaa")

    assert splice(messages, Cut(at=2, pinned=1), SHAPES["s"]) == [
        SHAPES["s"],
        {"role": "user", "blocks": [text()]},
        *history("aa"),
    ]


def test_what_is_dropped_is_all_before_the_cut_but_what_is_pinned() -> None:
    assert dropped(history("cmaa"), Cut(at=3, pinned=1)) == [
        SHAPES["c"],
        {"role": "user", "blocks": [result()]},
        SHAPES["a"],
    ]
    assert dropped(history("suaa"), Cut(at=3, pinned=1)) == history("sa")
    assert dropped(history("uaa"), Cut(at=2)) == history("ua")


@pytest.mark.parametrize("shape", ["", "u", "ua", "sua", "ssua", "rua"])
def test_nothing_is_cut_when_only_summaries_and_the_pinned_turn_would_go(shape: str) -> None:
    assert find_cut(history(shape), 2 if shape != "rua" else 3) is None


def test_a_summary_is_not_taken_for_the_user_s_turn() -> None:
    assert find_cut(history("usaa"), 1) == Cut(at=3, pinned=0)
    assert find_cut(history("saaa"), 1) == Cut(at=3)


def test_tool_results_in_the_user_s_name_are_not_taken_for_the_user_s_turn() -> None:
    answer: Turn = {"role": "user", "blocks": [result()]}

    assert find_cut([*history("uc"), answer, *history("ac"), answer], 0) == Cut(at=6, pinned=0)
