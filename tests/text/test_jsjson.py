import enum
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import InvalidValue
from litemem.text import jsjson

Json: TypeAlias = Any  # any JSON value at all
CASES = json.loads((Path(__file__).parents[1] / "data" / "runtime-vectors.json").read_bytes())

plain_text = st.text(st.characters(exclude_categories=["Cs"]))
exact = st.integers(-(2**53), 2**53)
values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | exact | st.floats() | plain_text,
    lambda inner: st.lists(inner) | st.dictionaries(plain_text, inner),
)


@pytest.mark.parametrize("case", CASES["canonical_json"], ids=lambda case: case["id"])
def test_bytes_are_those_of_node(case: dict[str, str]) -> None:
    value = jsjson.loads(case["text"])

    assert jsjson.dumps(value) == case["expected"]
    assert jsjson.encode(value) == case["expected"].encode("utf-8", "surrogatepass")


def same(ours: Json, read: Json) -> bool:
    """Compare as JavaScript would: NaN and infinities became null, 1.0 became 1."""
    if isinstance(ours, float):
        return float(read) == ours if math.isfinite(ours) else read is None
    if isinstance(ours, list):
        return len(ours) == len(read) and all(map(same, ours, read))
    if isinstance(ours, dict):
        return ours.keys() == read.keys() and all(same(ours[key], read[key]) for key in ours)
    return bool(ours == read)


@given(values)
def test_what_is_written_reads_back(value: Json) -> None:
    assert same(value, jsjson.loads(jsjson.dumps(value)))


@given(values)
def test_bytes_are_the_text_in_utf8(value: Json) -> None:
    assert jsjson.encode(value) == jsjson.dumps(value).encode()


@given(st.text(st.characters(min_codepoint=0xD700, max_codepoint=0xE0FF), max_size=6))
def test_surrogates_are_joined_where_adjacent_and_escaped_where_alone(text: str) -> None:
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")

    assert jsjson.loads(jsjson.dumps(text)) == joined
    assert jsjson.encode({text: [text]}).decode() == jsjson.dumps({text: [text]})


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_has_no_python_spelling(number: float) -> None:
    text = jsjson.dumps(number)

    assert float(text) == number
    assert ".0" not in text.partition(".")[0] + text[-2:]
    assert "e" not in text if 1e-6 <= abs(number) < 1e21 else True


@given(st.lists(st.integers(0, 2**33).map(str) | plain_text, unique=True))
def test_array_indices_come_first_and_the_rest_keeps_its_order(keys: list[str]) -> None:
    def is_index(key: str) -> bool:
        ascii_digits = key.isascii() and key.isdecimal()
        return ascii_digits and str(int(key)) == key and int(key) < 2**32 - 1

    written = list(json.loads(jsjson.dumps(dict.fromkeys(keys))))

    assert written[: len(keys)] == [
        *sorted(filter(is_index, keys), key=int),
        *(key for key in keys if not is_index(key)),
    ]


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a":-Infinity}', "", "{", "1 2", "\0"])
def test_what_javascript_refuses_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        jsjson.loads(text)


def test_nesting_beyond_the_reader_is_an_error_and_no_crash() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        jsjson.loads("[" * 100_000 + "]" * 100_000)


@pytest.mark.parametrize("wrap", [lambda value: {"inner": value}, lambda value: [value]])
def test_nesting_is_written_up_to_the_limit(wrap: Callable[[Json], Json]) -> None:
    value: Json = "core"
    for _ in range(jsjson.MAX_DEPTH):
        value = wrap(value)

    assert jsjson.loads(jsjson.dumps(value)) == value
    with pytest.raises(InvalidValue, match="nested deeper than 200"):
        jsjson.dumps([value])


def test_a_value_holding_itself_is_an_error() -> None:
    loop: list[Json] = []
    loop.append(loop)

    with pytest.raises(InvalidValue, match="holds itself"):
        jsjson.dumps(loop)


def test_a_full_stack_is_an_error_and_no_crash() -> None:
    value: Json = []
    for _ in range(150):
        value = [value]

    def at_depth(frames: int) -> str:
        return at_depth(frames - 1) if frames else jsjson.dumps(value)

    with pytest.raises((InvalidValue, RecursionError)):
        at_depth(800)


class Colour(enum.IntEnum):
    RED = 3


class Name(str):
    __slots__ = ()


def test_subclasses_are_written_as_their_base() -> None:
    assert jsjson.dumps([Colour.RED, Name("x"), (1.5, True)]) == '[3,"x",[1.5,true]]'


def test_an_integer_too_large_for_a_double_is_null() -> None:
    assert jsjson.dumps(10**400) == "null"


@pytest.mark.parametrize("value", [b"x", object(), {1: 2}, {"a": {3}}])
def test_what_is_not_json_is_named(value: object) -> None:
    with pytest.raises(InvalidValue, match=r"bytes|object|int|set"):
        jsjson.dumps(value)
