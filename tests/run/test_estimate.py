"""Token estimates and the decision to condense, against the reference's vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import InvalidValue
from litemem.run.estimate import estimate_context_tokens, utf16_length
from litemem.run.policy import CompactionPolicy, ModelCard, should_compact
from litemem.run.turns import text_turn

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "runtime-vectors.json").read_text())


def by_id(case: dict[str, Any]) -> str:
    return str(case["id"])


def policy(wire: dict[str, Any] | None) -> CompactionPolicy | None:
    if wire is None:
        return None
    return CompactionPolicy(trigger_ratio=wire["triggerRatio"], keep_recent=wire["keepRecent"])


@pytest.mark.parametrize("case", VECTORS["estimate"], ids=by_id)
def test_an_estimate_is_the_reference_s(case: dict[str, Any]) -> None:
    assert estimate_context_tokens(case["messages"]) == case["expected"]


@pytest.mark.parametrize("case", VECTORS["should_compact"], ids=by_id)
def test_condensation_is_due_when_the_reference_says_so(case: dict[str, Any]) -> None:
    card = ModelCard(id="m", context_window=case["context_window"])

    assert should_compact(case["messages"], card, policy(case["policy"])) is case["expected"]


def test_a_real_counter_counts_texts_and_leaves_images_to_the_estimate() -> None:
    blocks = [
        {"kind": "text", "text": "one two three"},
        {"kind": "tool_call", "id": "1", "name": "ls ", "input": "a b"},
        {"kind": "image", "mediaType": "image/png", "dataBase64": "A" * 41},
        {"kind": "tool_result", "callId": "1", "output": None},
    ]

    estimate = estimate_context_tokens(
        [{"role": "user", "blocks": blocks}], counter=lambda text: len(text.split())
    )

    assert estimate == 4 + 3 + 3 + 11


def test_a_real_counter_decides_whether_to_condense() -> None:
    card = ModelCard(id="m", context_window=10)

    assert should_compact([text_turn("user", "a b c d")], card, counter=len)
    assert not should_compact([text_turn("user", "a b c d")], card, counter=lambda _: 1)


@pytest.mark.parametrize(
    "turn", [{}, {"role": "user"}, {"blocks": "text"}, {"blocks": [None, "x", {"kind": "text"}]}]
)
def test_what_is_no_block_counts_nothing(turn: dict[str, Any]) -> None:
    assert estimate_context_tokens([turn]) == 4


@pytest.mark.parametrize("field", ["trigger_ratio", "keep_recent"])
def test_a_policy_of_nan_is_refused(field: str) -> None:
    with pytest.raises(InvalidValue, match="NaN"):
        CompactionPolicy(**{field: float("nan")})


@given(st.text(st.characters(codec=None)))
def test_a_length_is_javascript_s(text: str) -> None:
    assert utf16_length(text) == len(text) + sum(char > "\uffff" for char in text)


@given(st.lists(st.text(max_size=20), max_size=8))
def test_an_estimate_rounds_up_once_over_the_whole(texts: list[str]) -> None:
    units = sum(map(utf16_length, texts))

    assert estimate_context_tokens([text_turn("user", text) for text in texts]) == (
        (units + 3) // 4 + 4 * len(texts)
    )
