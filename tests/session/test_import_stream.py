"""Huge JSON in pieces: the same elements as `json.loads`, however the bytes are cut."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.session.imports.detect import detect
from litemem.session.imports.jsonstream import array_items, parsed
from tests.session import samples

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='ab"\\[]{}, é🎉'),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


class Trickle(io.BytesIO):
    """A stream that gives a few bytes at a time, as pipes and archives do."""

    def __init__(self, data: bytes, step: int) -> None:
        super().__init__(data)
        self._step = step

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self._step)


def items(data: bytes, step: int = 1 << 20) -> list[Any]:
    return [json.loads(item) for item in array_items(Trickle(data, step), block=1)]


@given(
    st.lists(values),
    st.integers(1, 9),
    st.sampled_from(["ascii", "utf-8"]),
    st.sampled_from([None, 2]),
)
def test_an_array_gives_its_containers_in_order(
    array: list[object], step: int, form: str, indent: int | None
) -> None:
    data = json.dumps(array, ensure_ascii=form == "ascii", indent=indent).encode()

    assert items(data, step) == [one for one in array if isinstance(one, dict | list)]


@given(st.dictionaries(st.text(), values), st.integers(1, 9))
def test_an_object_gives_itself(value: dict[str, object], step: int) -> None:
    assert items(json.dumps(value).encode(), step) == [value]


@given(st.lists(st.dictionaries(st.text(), values), min_size=1), st.data())
def test_a_torn_array_gives_what_is_whole_and_says_so(
    array: list[dict[str, object]], data: st.DataObject
) -> None:
    whole = json.dumps(array).encode()
    torn = whole[: data.draw(st.integers(1, len(whole) - 1))]
    found = []

    with pytest.raises(ValueError, match="middle of its JSON"):
        found += list(array_items(io.BytesIO(torn)))
    stream = array_items(io.BytesIO(torn), block=1)
    for expected, got in zip(array, _until_error(stream), strict=False):
        assert got == expected


def _until_error(stream: Iterator[bytes]) -> list[object]:
    found: list[object] = []
    with suppress(ValueError):
        found.extend(json.loads(item) for item in stream)
    return found


@given(st.binary(max_size=40) | st.text(alphabet='[]{}",\\ab').map(str.encode), st.integers(1, 5))
def test_garbage_ends_or_raises(data: bytes, step: int) -> None:
    with suppress(ValueError):
        assert sum(map(len, array_items(Trickle(data, step)))) <= len(data)


def test_a_bracket_too_many_is_an_error() -> None:
    with pytest.raises(ValueError, match="never opened"):
        list(array_items(io.BytesIO(b"[]]")))


def test_a_broken_element_costs_itself_alone() -> None:
    tally: Counter[str] = Counter()
    stream = io.BytesIO(b'\xef\xbb\xbf[{"a":1},{"b":NaN},["c"],{"d":"\xff"},{"e" 1}]')

    found = list(parsed(array_items(stream), tally, "conversation"))

    assert found == [{"a": 1}, {"d": "\ufffd"}]
    assert tally == {"conversation that isn't JSON": 2, "conversation that is no object": 1}


def test_an_element_that_is_nested_too_deeply_costs_itself_alone() -> None:
    tally: Counter[str] = Counter()
    deep = b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}"

    found = list(parsed(array_items(io.BytesIO(b"[" + deep + b',{"b":2}]')), tally, "x"))

    assert found == [{"b": 2}]


def test_a_long_string_is_read_in_linear_time() -> None:
    long = b'["' + b"x" * 5_000_000 + b'",{"a":1}]'

    assert list(array_items(io.BytesIO(long), block=1)) == [b'{"a":1}']


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ([samples.chatgpt()], "chatgpt"),
        ([samples.claude_ai()], "claude-ai"),
        (samples.chatgpt(), "chatgpt"),
        (samples.claude_ai(), "claude-ai"),
        (samples.claude_code()[1], "claude-code"),
        (samples.claude_code()[0], "claude-code"),
        (samples.codex()[0], "codex"),
        (samples.codex_older()[0], "codex"),
        (samples.codex_older()[2], "codex"),
        (samples.pi()[0], "pi"),
        ({"type": "node", "node": {}}, "own"),
        ({"ts": "x", "role": "user", "content": ""}, "own"),
        ({"type": "message"}, None),
        ({"payload": {}}, None),
        ([1, 2], None),
        ({}, None),
        (1, None),
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_the_format_is_seen_at_the_start(
    head: object, name: str | None, indent: int | None
) -> None:
    written = json.dumps(head, indent=indent).encode()
    is_log = name not in ("chatgpt", "claude-ai", None)

    if not (is_log and indent):
        assert detect(b"\xef\xbb\xbf" + written) == name


def test_an_export_is_told_by_its_keys_when_its_first_conversation_is_huge() -> None:
    assert detect(b'[{"uuid": "x", "chat_messages": [{"text": "\\"mapping\\" xxx') == "claude-ai"
    assert detect(b'{"title": "x", "mapping": {"a": {"chat_messages"') == "chatgpt"


def test_lines_that_are_no_records_are_passed_over() -> None:
    assert detect(b'garbage\n42\n{"type":"session","id":"x"}\n') == "pi"


@given(st.binary(max_size=200))
def test_any_bytes_have_a_format_or_none(data: bytes) -> None:
    detect(data)
