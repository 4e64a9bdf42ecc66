"""Bodies and parameters: what is read, and what is refused."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.server.body import MAX_DEPTH, read_json
from litemem.server.errors import Refused
from litemem.server.schema import (
    Schema,
    from_text,
    many,
    one_of,
    or_null,
    share,
    text,
    trouble,
    whole,
)

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(texts, values, max_size=5))
def test_every_object_of_sound_json_is_read_as_it_was_written(value: dict[str, Any]) -> None:
    for ascii_only in (True, False):
        assert read_json(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary(max_size=60))
def test_any_bytes_are_an_object_or_refused(data: bytes) -> None:
    with suppress(Refused):
        assert isinstance(read_json(data), dict)


def nested(levels: int) -> bytes:
    return b'{"a":' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[1]",
        b'"text"',
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b'{"a": 1e999}',
        b'{"a": [1e999]}',
        b'{"a": 1, "a": 2}',
        b'{"b": [{"a": 1, "a": 1}]}',
        b'{"a": "\\ud800"}',
        b'{"\\udc00": 1}',
        b'{"a": "\\u0000"}',
        b'{"a": "\xff"}',
        '{"a": 1}'.encode("utf-16"),
        b'\xef\xbb\xbf{"a": 1}',
        b'{"a": ' + b"9" * 5000 + b"}",
        nested(MAX_DEPTH + 1),
        nested(100_000),
    ],
    ids=range(19),
)
def test_what_is_no_sound_json_object_is_refused(data: bytes) -> None:
    with pytest.raises(Refused, match="the body"):
        read_json(data)


def test_the_deepest_body_that_is_taken() -> None:
    assert read_json(nested(MAX_DEPTH))


@given(st.integers(-(10**11), 10**11))
def test_whole_numbers_survive_a_url(number: int) -> None:
    assert from_text(str(number), whole(0, 1)) == number


@given(st.lists(st.sampled_from(["a", "b"]), min_size=1))
def test_lists_survive_a_url(words: list[str]) -> None:
    assert from_text(",".join(words), many(one_of("a", "b"), 9)) == words


@pytest.mark.parametrize(
    "given_text", ["", " 1", "1 ", "+1", "1_0", "٣", "0x1", "1e3", "nan", "1."]
)
def test_a_number_that_is_none_is_refused(given_text: str) -> None:
    for schema in (whole(0, 5), share()):
        with pytest.raises(ValueError, match="number"):
            from_text(given_text, schema)


@pytest.mark.parametrize(
    ("value", "schema", "said"),
    [
        (True, whole(0, 1), "must be a whole number"),
        (1.0, whole(0, 1), "must be a whole number"),
        (2, whole(0, 1), "must be 0 to 1"),
        (1, {"type": "boolean"}, "must be true or false"),
        (None, or_null(share()), None),
        ("x", or_null(share()), "must be a number or null"),
        ("", text(5, 1), "must not be empty"),
        ("abc", text(2), "has 3 characters; at most 2 are taken"),
        ("c", one_of("a", "b"), "must be one of a, b"),
        ([], many(text(5), 3, 1), "has 0 entries; 1 to 3 are taken"),
        (["a", 1], many(text(5), 3), "holds an entry that must be text"),
        ({}, {"type": "object"}, None),
        (["a"], many(text(5), 3), None),
    ],
)
def test_a_value_is_held_against_its_schema(
    value: object, schema: Schema, said: str | None
) -> None:
    assert trouble(value, schema) == said
