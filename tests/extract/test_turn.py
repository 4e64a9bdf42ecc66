from __future__ import annotations

from datetime import UTC, datetime

import pytest

from litemem.errors import InvalidFact, InvalidValue
from litemem.extract.answer import ExtractionAnswer
from litemem.extract.fact import ExtractedFact
from litemem.extract.rules import extract
from litemem.extract.turn import AgentAction, ConversationTurn


@pytest.mark.parametrize("importance", [1.5, -0.1, float("nan"), True, "0.5", None])
def test_an_importance_outside_0_to_1_is_refused(importance: object) -> None:
    """Case 18: importance 1.5 and -0.1 are refused."""
    with pytest.raises(InvalidFact, match="importance must be a number from 0 to 1"):
        ExtractedFact(content="x", importance=importance)  # type: ignore[arg-type]


@pytest.mark.parametrize("content", ["", " \n", None, 3])
def test_a_fact_without_text_is_refused(content: object) -> None:
    with pytest.raises(InvalidFact, match="needs some text"):
        ExtractedFact(content=content)  # type: ignore[arg-type]


def test_an_action_without_arguments_has_empty_ones_and_no_output() -> None:
    """Case 19: an action without arguments has empty arguments and no output."""
    for action in (
        AgentAction(tool="ls"),
        ConversationTurn.from_dict({"agent_actions": [{"tool": "ls"}]}).agent_actions[0],
    ):
        assert (action.args, action.output) == ({}, None)


def test_an_empty_result_has_nothing_in_it() -> None:
    """Case 20: an empty extraction result has empty lists."""
    assert ExtractionAnswer() == ExtractionAnswer(facts=(), trouble=())
    assert extract(ConversationTurn()) == ()


def test_a_turn_made_from_nested_dicts_keeps_its_action_and_its_reasoning() -> None:
    """Case 21: a turn of nested dicts keeps its one action and two reasoning lines."""
    turn = ConversationTurn.from_dict(
        {
            "user_message": {"role": "user", "content": "What is in the folder?"},
            "assistant_message": {"role": "assistant", "content": "Two files."},
            "agent_actions": [{"tool": "ls", "args": {"path": "."}, "output": ["a", "b"]}],
            "agent_reasoning": ["Look first.", "Then answer."],
            "timestamp": "2026-02-08T14:05:00",
        }
    )

    assert turn == ConversationTurn(
        user_message="What is in the folder?",
        assistant_message="Two files.",
        agent_actions=(AgentAction(tool="ls", args={"path": "."}, output='["a", "b"]'),),
        agent_reasoning=("Look first.", "Then answer."),
        timestamp=datetime(2026, 2, 8, 14, 5, tzinfo=UTC),
    )


def test_the_text_for_extraction_holds_every_part_in_order() -> None:
    """Case 22: the text for extraction holds user text, answer, tool name, reasoning."""
    turn = ConversationTurn(
        user_message="Book it.",
        assistant_message="Booked.",
        agent_actions=(
            AgentAction(tool="book", args={"seat": "4A"}, output="ok"),
            AgentAction(tool="wait"),
        ),
        agent_reasoning=("An aisle seat is free.",),
    )

    assert turn.format_for_extraction() == (
        'user:\nBook it.\n\ntool:\nbook({"seat": "4A"}) -> ok\nwait({})\n\n'
        "reasoning:\nAn aisle seat is free.\n\nassistant:\nBooked."
    )
    assert ConversationTurn(user_message=" ").format_for_extraction() == ""


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"user_message": 3}, "user_message of a conversation turn is text, not int"),
        ({"agent_reasoning": "one"}, "agent_reasoning of a conversation turn is a list, not str"),
        ({"agent_reasoning": [1]}, "agent_reasoning of a conversation turn is text, not int"),
        ({"agent_actions": ["ls"]}, "an action of a conversation turn is"),
        ({"agent_actions": [{"tool": 1}]}, "an action of a conversation turn is"),
        ({"agent_actions": [{"tool": "ls", "args": [1]}]}, "args of the action 'ls' is an object"),
        ({"timestamp": "yesterday"}, "timestamp 'yesterday' of a turn is no ISO 8601 time"),
        ({"timestamp": 3}, "timestamp of a turn is a time, not int"),
    ],
)
def test_what_isnt_as_it_should_be_is_named(given: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidValue, match=message):
        ConversationTurn.from_dict(given)


def test_actions_and_times_of_a_dict_may_be_values_already() -> None:
    at = datetime(2026, 2, 8, tzinfo=UTC)
    action = AgentAction(tool="ls")

    turn = ConversationTurn.from_dict({"agent_actions": (action,), "timestamp": at})

    assert (turn.agent_actions, turn.timestamp) == ((action,), at)
