"""Items of the OpenAI Agents SDK become turns, and come back as they were."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agents.items import TResponseInputItem
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from litemem.errors import InvalidValue
from litemem.integrations.items import Item, items_of, turns_of
from litemem.run.turns import is_user_turn
from litemem.session.indexing import turn_text
from litemem.session.nodes import Turn
from litemem.session.redact import redacted_turn
from litemem.text import jsjson
from tests.integrations.sdk_items import ITEMS, PIXEL

NAMES = ("type", "role", "content", "summary", "text", "refusal", "image_url", "call_id", "id")
MORE = ("name", "arguments", "input", "output", "action", "items", "moved", "at", "blocks", "7")
KEYS = st.sampled_from((*NAMES, *MORE))
WORDS = st.sampled_from(
    ["message", "reasoning", "function_call", "function_call_output", "x_output", "user", PIXEL]
) | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)
ANY = st.dictionaries(KEYS, JSON, max_size=6) | st.sampled_from(ITEMS)


def through_a_log(turns: list[Turn]) -> list[Turn]:
    """Return turns as a session file gives them back."""
    return [jsjson.loads(jsjson.dumps(turn)) for turn in turns]


def back(turns: list[Turn]) -> list[Item]:
    """Return the items of turns."""
    return [item for turn in turns for item in items_of(turn)]


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.get("type", "easy message"))
def test_every_type_of_item_comes_back(item: Item) -> None:
    TypeAdapter(TResponseInputItem).validate_python(item, strict=False)

    assert back(through_a_log(turns_of([item]))) == [item]
    assert json.dumps(back(turns_of([item]))) == json.dumps([item])  # the order of keys too


@given(items=st.lists(ANY, max_size=6))
def test_whatever_json_goes_in_comes_out(items: list[Item]) -> None:
    turns = turns_of(items)

    assert back(through_a_log(turns)) == items
    assert sum(len(turn["items"]) for turn in turns) == len(items)


@pytest.mark.parametrize("odd", [2**60 + 1, 1.5e300 * 10**10, -(2**70), [[[]]] * 3], ids=str)
def test_a_number_that_javascript_has_not_comes_back(odd: object) -> None:
    item = {"type": "function_call", "call_id": "c", "name": "n", "arguments": odd}

    assert back(through_a_log(turns_of([item]))) == [item]


def test_deep_json_comes_back() -> None:
    deep: Any = "x"
    for _ in range(300):
        deep = [deep]
    item = {"type": "mcp_call", "output": deep}

    assert back(through_a_log(turns_of([item]))) == [item]


@pytest.mark.parametrize("bad", [{1, 2}, object(), b"x"])
def test_what_is_no_json_is_refused(bad: object) -> None:
    with pytest.raises(InvalidValue, match="must be JSON"):
        turns_of([{"role": "user", "content": bad}])


def test_texts_are_in_blocks_as_in_every_session() -> None:
    turns = turns_of(ITEMS[:7])

    assert [turn["role"] for turn in turns] == [
        *("user", "assistant", "system", "user", "assistant", "assistant", "tool")
    ]
    assert turn_text(turns[3]) == "What is this?"
    assert turns[3]["blocks"][1] == {
        "kind": "image",
        "mediaType": "image/png",
        "dataBase64": "iVBORw0KGgo=",
        "at": [0, "content", 1, "image_url"],
    }
    assert turn_text(turns[4]) == "A pixel.\nNo more than that."
    assert turn_text(turns[5]) == 'weather { "city":"Porto"}'
    assert turns[6]["blocks"][0]["callId"] == turns[5]["blocks"][0]["id"] == "c1"
    assert [is_user_turn(turn) for turn in turns] == [True, False, False, True, *[False] * 3]


def test_no_text_is_stored_twice() -> None:
    for item in ITEMS[:9]:
        (turn,) = turns_of([item])
        for block in turn["blocks"]:
            text = block.get("text") or block.get("dataBase64") or block.get("input") or "sunny"
            if isinstance(text, str) and len(text) > 4:
                assert jsjson.dumps(turn).count(jsjson.dumps(text)[1:-1]) <= 1


def test_what_follows_reasoning_stays_in_one_turn() -> None:
    thought, call, result = ITEMS[8], ITEMS[5], ITEMS[6]
    turns = turns_of([ITEMS[0], thought, call, call, result, result, thought, ITEMS[4], ITEMS[1]])

    assert [len(turn["items"]) for turn in turns] == [1, 3, 1, 1, 3]
    assert [turn["role"] for turn in turns] == ["user", "assistant", "tool", "tool", "assistant"]


def test_a_redacted_turn_has_its_calls_and_no_text() -> None:
    turns = [redacted_turn(turn) for turn in turns_of(ITEMS)]
    texts = json.dumps(back(turns))

    for secret in ("Porto", "tram", "sunny", "pixel", "iVBORw0KGgo", "gAAAA", "print"):
        assert secret not in texts
    assert {"type": "function_call_output", "call_id": "c1", "output": "[redacted]"} in back(turns)
    assert {
        "type": "function_call",
        "call_id": "c1",
        "name": "weather",
        "arguments": '"[redacted]"',
    } in back(turns)
    assert "image_url" not in texts


def test_a_turn_whose_tools_are_condensed_has_no_call_without_arguments() -> None:
    (turn,) = turns_of([ITEMS[5]])

    assert items_of({**turn, "blocks": []}) == []


def block(kind: str, **fields: object) -> dict[str, object]:
    """Make a block."""
    return {"kind": kind, **fields}


def test_turns_of_other_programs_become_items() -> None:
    image = block("image", mediaType="image/png", dataBase64="iVBORw0KGgo=")
    turn = {
        "role": "assistant",
        "blocks": [
            block("thinking", text="hm"),
            block("text", text="I look."),
            image,
            block("text", text="Wait."),
            block("tool_call", id="c1", name="weather", input={"city": "Zürich"}),
            block("tool_result", callId="c1", output=[1]),
            block("text", text="Sunny."),
            "no block",
        ],
    }
    asked = {"role": "user", "blocks": [block("text", text="What?"), image, block("text", text="")]}

    assert back([turn, asked]) == [
        {"role": "assistant", "content": "I look.\nWait."},
        {
            "type": "function_call",
            "call_id": "c1",
            "name": "weather",
            "arguments": '{"city": "Zürich"}',
        },
        {"type": "function_call_output", "call_id": "c1", "output": "[1]"},
        {"role": "assistant", "content": "Sunny."},
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "What?"},
                {"type": "input_image", "image_url": PIXEL, "detail": "auto"},
                {"type": "input_text", "text": ""},
            ],
        },
    ]
    assert (
        back([{"role": "user"}, {"role": "user", "blocks": [block("command", command="x")]}]) == []
    )


def test_a_call_that_is_json_already_stays_as_it_is() -> None:
    call = block("tool_call", id="c", name="n", input='{"a": 1}')

    assert items_of({"role": "assistant", "blocks": [call]})[0]["arguments"] == '{"a": 1}'
