"""How a history reads when a model is to condense it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from litemem.run.transcript import render_transcript

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "runtime-vectors.json").read_text())


def answered(output: object, **more: object) -> list[dict[str, Any]]:
    block = {"kind": "tool_result", "callId": "c", "output": output, **more}
    return [{"role": "tool", "blocks": [block]}]


@pytest.mark.parametrize("case", VECTORS["render_transcript"], ids=lambda case: str(case["id"]))
def test_a_transcript_is_the_reference_s(case: dict[str, Any]) -> None:
    assert render_transcript(case["messages"]) == case["expected"]


def test_a_failed_tool_is_marked() -> None:
    assert render_transcript(answered("no such file", isError=True)) == (
        "tool:\ntool_result (failed) -> no such file"
    )
    assert render_transcript(answered("fine", isError=False)) == "tool:\ntool_result -> fine"


def test_a_long_output_keeps_its_ends_and_says_what_is_missing() -> None:
    text = render_transcript(answered("a" * 4000 + "b" * 5000))

    assert text == (f"tool:\ntool_result -> {'a' * 3000}\n[5000 characters left out]\n{'b' * 1000}")


def test_an_output_at_the_limit_is_whole() -> None:
    assert render_transcript(answered("a" * 4000)) == f"tool:\ntool_result -> {'a' * 4000}"
