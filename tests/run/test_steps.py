"""Steps of any class as wire turns."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace as Step
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.run.estimate import estimate_context_tokens
from litemem.run.steps import step_turns
from litemem.run.transcript import render_transcript
from litemem.run.turns import SUMMARY_HEADING, text_turn


def shown(step: object) -> str:
    return render_transcript(step_turns(step))


@dataclass
class Odd:
    """A step of no known shape."""

    memo: str


class Saying:
    """A step that only knows its messages."""

    def __init__(self, *messages: object) -> None:
        self.messages = messages

    def to_messages(self) -> list[object]:
        return [*self.messages]


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (Step(system_prompt="be kind"), "system:\nbe kind"),
        (Step(task="do it", task_images=None), "user:\ndo it"),
        (Step(task="see", task_images=[object()]), "user:\nsee\n[image ]"),
        (Step(plan="1. look"), "assistant:\n1. look"),
        (Step(output=[1, 2]), "assistant:\n[1,2]"),
        (Step(output="42"), "assistant:\n42"),
        (Step(output=None), "assistant:\n[SimpleNamespace]"),
        (
            Step(model_output=[{"type": "text", "text": "a"}, {"type": "image"}, "b"]),
            "assistant:\na\nb",
        ),
        (Step(observations="found"), "tool:\ntool_result -> found"),
        (Step(observations=None, error=ValueError("no")), "tool:\ntool_result (failed) -> no"),
        (
            Step(model_output="so", code_action="x = 1", observations="1"),
            (
                "assistant:\nso\n\nassistant:\ntool_call python_interpreter(x = 1)\n\n"
                "tool:\ntool_result -> 1"
            ),
        ),
        (
            Step(observations="1", action_output="42", is_final_answer=False),
            "tool:\ntool_result -> 1",
        ),
        (
            Step(observations="1", action_output=42, is_final_answer=True),
            "tool:\ntool_result -> 1\n\nassistant:\n42",
        ),
        ({"role": "user", "content": "hi"}, "user:\nhi"),
        ({"role": "assistant", "content": [{"type": "text", "text": "hi"}]}, "assistant:\nhi"),
        ({"role": "tool", "tool_call_id": "c", "content": "out"}, "tool:\ntool_result -> out"),
        (
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": '{"a": 1}'}}],
            },
            'assistant:\ntool_call f({"a": 1})',
        ),
        ({"task": "a step as JSON", "task_images": None}, "user:\na step as JSON"),
        (Saying({"role": "user", "content": "hello"}), "user:\nhello"),
        (Saying(), "assistant:\n[Saying]"),
        (Odd("keep me"), "assistant:\nOdd(memo='keep me')"),
        ("just text", "assistant:\njust text"),
        (None, "assistant:\nNone"),
    ],
)
def test_a_step_says_what_it_has(step: object, text: str) -> None:
    assert shown(step) == text


def test_a_turn_is_itself() -> None:
    turn = text_turn("user", "hi")

    assert step_turns(turn) == [turn]
    assert step_turns(turn)[0] is turn


def test_calls_and_what_came_of_them_belong_together() -> None:
    calls = [Step(id="c1", name="f", arguments={"a": 1}), Step(id="c2", name="g", arguments={2, 3})]
    asked, answered = step_turns(Step(tool_calls=calls, observations="ok", error="bad"))

    assert asked["blocks"] == [
        {"kind": "tool_call", "id": "c1", "name": "f", "input": {"a": 1}},
        {"kind": "tool_call", "id": "c2", "name": "g", "input": "{2, 3}"},
    ]
    assert answered["blocks"] == [
        {"kind": "tool_result", "callId": "c2", "output": "ok"},
        {"kind": "tool_result", "callId": "c2", "output": "bad", "isError": True},
    ]


@pytest.mark.parametrize(
    ("timing", "at"),
    [
        (Step(start_time=5.0, end_time=7.5), 7.5),
        (Step(start_time=5, end_time=None), 5.0),
        ({"start_time": 5}, 5.0),
        (Step(start_time=1e300, end_time=None), None),
        (Step(start_time="now"), None),
        (None, None),
    ],
)
def test_turns_say_when_a_step_ended(timing: object, at: float | None) -> None:
    (turn,) = step_turns(Step(output="a", timing=timing))

    assert turn.get("at") == at


def test_what_went_in_again_counts_nothing() -> None:
    small = Step(observations="ok", model_input_messages=None, token_usage=None)
    big = Step(
        observations="ok",
        model_input_messages=[{"role": "user", "content": "x" * 10_000}],
        token_usage=Step(input_tokens=9_000_000, output_tokens=1),
    )

    assert estimate_context_tokens(step_turns(big)) == estimate_context_tokens(step_turns(small))


def test_the_first_turn_of_a_step_carries_what_its_call_took() -> None:
    used, more = Step(input_tokens=70, output_tokens=1), {"input_tokens": 80}
    action = Step(model_output="Look", observations="ok", token_usage=used)

    assert [turn.get("usage") for turn in step_turns(action)] == [{"inputTokens": 70}, None]
    assert step_turns({"task": "t", "token_usage": more})[0]["usage"] == {"inputTokens": 80}
    assert "usage" not in step_turns(Step(plan="1. Look", token_usage=used))[0]
    assert "usage" not in step_turns(Step(task="t", token_usage=Step(input_tokens=None)))[0]
    assert step_turns(Step(observations=f"{SUMMARY_HEADING}\nS", token_usage=used)) == [
        text_turn("user", f"{SUMMARY_HEADING}\nS")
    ]


@pytest.mark.parametrize("key", ["observations", "task", "content", "text"])
def test_a_summary_is_known_again(key: str) -> None:
    text = f"{SUMMARY_HEADING}\nS"

    assert step_turns(Step(**{key: text})) == [text_turn("user", text)]


def test_a_tool_can_t_pose_as_a_summary() -> None:
    step = Step(tool_calls=[Step(id="c", name="f", arguments={})], observations=SUMMARY_HEADING)

    assert [turn["role"] for turn in step_turns(step)] == ["assistant", "tool"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    [
        "system_prompt",
        "task",
        "task_images",
        "plan",
        "model_output",
        "tool_calls",
        "code_action",
        "observations",
        "error",
        "is_final_answer",
        "action_output",
        "output",
        "role",
        "content",
        "timing",
        "token_usage",
        "to_messages",
    ]
)


@given(st.dictionaries(FIELDS, VALUES), st.sampled_from([dict, Step]))
def test_any_step_becomes_turns_with_text(fields: dict[str, Any], made: type) -> None:
    turns = step_turns(made(**fields))

    assert turns
    assert all(turn["blocks"] for turn in turns)
    assert render_transcript(turns)
    assert estimate_context_tokens(turns) >= 4 * len(turns)
