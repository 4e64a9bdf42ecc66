"""A session read briefly: nothing shown twice, nothing left out unsaid."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import InvalidValue
from litemem.session import SessionGraph
from litemem.session.brief import brief
from tests.session.turns import turn


def of_turns(count: int) -> SessionGraph:
    """Return a session of so many turns."""
    graph = SessionGraph("s")
    for n in range(count):
        graph.append(turn(f"turn {n}"))
    return graph


@given(st.integers(0, 30), st.integers(0, 12), st.integers(0, 12))
def test_shown_and_left_out_turns_are_all_turns_in_order(count: int, first: int, last: int) -> None:
    graph = of_turns(count)

    found = brief(graph, first=first, last=last)

    shown = [part.text for part in (*found.first, *found.last)]
    whole = [f"turn {n}" for n in range(count)]
    assert len(shown) + found.left_out == count
    assert shown == (whole[:first] + whole[count - last :] if found.left_out else whole)
    assert ("left out" in found.as_text()) == bool(found.left_out)


@pytest.mark.parametrize("wrong", [{"first": -1}, {"last": -1}, {"turn_chars": 0}])
def test_numbers_out_of_range_are_named(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidValue, match="at least"):
        brief(of_turns(1), **wrong)  # type: ignore[arg-type]


def test_a_long_turn_is_cut_and_says_by_how_much() -> None:
    graph = SessionGraph("s")
    graph.append(turn("x" * 50))

    assert brief(graph, turn_chars=20).as_text() == f"user: {'x' * 20} [... 30 more characters]"


def test_reasoning_is_hidden_and_tool_output_shown_on_request() -> None:
    graph = SessionGraph("s")
    blocks = [
        {"kind": "thinking", "text": "hm"},
        {"kind": "text", "text": " let me see "},
        {"kind": "tool_call", "id": "1", "name": "look", "input": {"where": "here"}},
        {"kind": "image", "mediaType": "image/png", "dataBase64": ""},
        {"kind": "command", "command": "go", "args": "home"},
        {"kind": "strange"},
    ]
    graph.append({"role": "assistant", "blocks": blocks})
    results = [
        {"kind": "tool_result", "callId": "1", "output": "a cat"},
        {"kind": "tool_result", "callId": "1", "output": "no", "isError": True},
    ]
    graph.append({"role": "tool", "blocks": results})

    said = 'assistant: let me see\n→ look {"where":"here"}\n[image image/png]\n/go home'
    assert brief(graph).as_text() == said
    assert brief(graph, tools=True).as_text() == f"{said}\n\ntool: ← a cat\n← failed no"
