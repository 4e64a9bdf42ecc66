"""What is a message of the protocol, and what is answered to all else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mcp.types import JSONRPCRequest, jsonrpc_message_adapter
from pydantic import ValidationError

from litemem.mcp.messages import MAX_DEPTH, Refusal, read_message

PING = {"jsonrpc": "2.0", "id": 5, "method": "ping"}


def refused(text: str | bytes) -> Refusal:
    found = read_message(text if isinstance(text, bytes) else text.encode())
    assert isinstance(found, Refusal)
    return found


@pytest.mark.parametrize(
    ("change", "id_", "code"),
    [
        ({"jsonrpc": "1.0"}, 5, -32600),
        ({"jsonrpc": None, "id": "six"}, "six", -32600),
        ({"id": None}, None, -32600),
        ({"id": {}}, None, -32600),
        ({"id": 1.5}, None, -32600),
        ({"id": True}, None, -32600),
        ({"method": 7}, 5, -32600),
        ({"result": {}}, 5, -32600),
        ({"params": []}, 5, -32602),
        ({"params": "x"}, 5, -32602),
    ],
)
def test_a_wrong_request_is_refused_with_its_id(
    change: dict[str, object], id_: object, code: int
) -> None:
    found = refused(json.dumps({**PING, **change}))

    assert (found.id, found.code, found.is_answer) == (id_, code, False)
    assert json.loads(str(found))["error"] == {"code": code, "message": found.why}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"id": 6, "method": "ping"}', -32600),
        ('{"jsonrpc": "2.0", "id": 6}', -32600),
        ('{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}', -32600),
        ('{"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"a": 1, "a": 2}}', -32600),
        ("[]", -32600),
        ("{}", -32600),
        (json.dumps(PING).encode("utf-16"), -32700),
        (b"\xef\xbb\xbf{}", -32700),
        ("9" * 5_000, -32700),
        ("1e999", -32700),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), -32700),
    ],
)
def test_what_is_no_message_has_one_short_line(text: str | bytes, code: int) -> None:
    found = refused(text)

    assert found.code == code
    assert len(found.why) < 100
    assert "\n" not in str(found)


@pytest.mark.parametrize(
    "answer",
    [
        {"id": 1, "result": 7},
        {"id": None, "result": {}},
        {"result": {}},
        {"id": 1, "error": {"code": "x", "message": "m"}},
        {"error": {"code": 1, "message": "m"}},
        {"id": 1, "error": {"code": 1, "message": "m"}, "result": {}},
    ],
)
def test_a_wrong_answer_is_known_as_one(answer: dict[str, object]) -> None:
    assert refused(json.dumps({"jsonrpc": "2.0", **answer})).is_answer
    assert refused(json.dumps({**answer, "jsonrpc": "1.0"})).is_answer


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)
envelopes = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | values,
        "id": st.integers() | st.text() | values,
        "method": st.text() | values,
        "params": st.dictionaries(st.text(), values, max_size=2) | values,
        "result": st.dictionaries(st.text(), values, max_size=2) | values,
        "error": st.fixed_dictionaries({"code": st.integers(), "message": st.text()}) | values,
    },
)


@given(envelopes.map(json.dumps) | st.text())
@example(json.dumps(PING))
@example(json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "m"}}))
@example("[" * 99 + "]" * 99)
def test_the_sdk_takes_whatever_isnt_refused_for_the_same_message(text: str) -> None:
    found = read_message(text.encode("utf-8", "surrogatepass"))
    if isinstance(found, Refusal):
        return
    taken: Any = jsonrpc_message_adapter.validate_json(text, by_name=False)  # Any: a union

    assert isinstance(taken, JSONRPCRequest) == ("id" in found and "method" in found)
    assert taken.model_dump(mode="json", exclude_unset=True).items() <= found.items()


@given(envelopes)
def test_what_the_sdk_cant_take_is_refused(message: dict[str, object]) -> None:
    text = json.dumps(message)
    try:
        jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError:
        assert isinstance(read_message(text.encode()), Refusal)
