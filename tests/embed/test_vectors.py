"""A caller's numbers become a unit vector, or an error that says what is wrong."""

import math
import struct

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from litemem.embed.vectors import check_vector, cosine, pack, unpack
from litemem.errors import InvalidVector

numbers = st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=40)
singles = st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), max_size=40)


@given(numbers)
def test_any_finite_numbers_but_zeros_become_a_unit_vector(values: list[float]) -> None:
    assume(any(values))

    got = unpack(check_vector(values, len(values)))

    assert math.hypot(*got) == pytest.approx(1.0, abs=1e-6)
    assert all(x * y >= 0 for x, y in zip(got, values, strict=True))


@given(numbers)
def test_the_direction_stays(values: list[float]) -> None:
    largest = max(map(abs, values))
    assume(largest > 0)
    scaled = [value / largest for value in values]
    norm = math.hypot(*scaled)

    got = unpack(check_vector(values, len(values)))

    assert list(got) == pytest.approx([value / norm for value in scaled], abs=1e-6)


@given(numbers)
def test_a_checked_vector_stays_as_it_is(values: list[float]) -> None:
    assume(any(values))
    once = check_vector(values, len(values))

    assert check_vector(once, len(values)) == once
    assert check_vector(unpack(once), len(values)) == once


@given(singles)
def test_packed_numbers_come_back(values: list[float]) -> None:
    assert list(unpack(pack(values))) == values
    assert pack(values) == struct.pack(f"<{len(values)}f", *values)


@given(numbers, numbers)
def test_a_cosine_is_within_one_and_one_with_itself(one: list[float], two: list[float]) -> None:
    size = min(len(one), len(two))
    assume(any(one[:size]))
    assume(any(two[:size]))
    first, second = check_vector(one[:size], size), check_vector(two[:size], size)

    assert abs(cosine(first, second)) <= 1.0 + 1e-6
    assert cosine(first, second) == cosine(second, first)
    assert cosine(first, first) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([], "has 0 numbers; the index needs 3"),
        ([1.0, 2.0], "has 2 numbers; the index needs 3"),
        ([0.0, 0.0, -0.0], "all zeros"),
        ([1.0, math.nan, 0.0], "isn't finite"),
        ([1.0, math.inf, 0.0], "isn't finite"),
        (["1", "2", "3"], "a list of numbers"),
        ([10**400, 1, 1], "a list of numbers"),
        (7, "a list of numbers"),
        ("abc", "a list of numbers"),
        (b"12345", "has 5 bytes; the index needs 12"),
        (bytes(12), "all zeros"),
        (struct.pack("<3f", 1.0, math.nan, 1.0), "isn't finite"),
    ],
)
def test_a_vector_that_is_none_is_refused(values: object, says: str) -> None:
    with pytest.raises(InvalidVector, match=says):
        check_vector(values, 3)  # type: ignore[arg-type]  # callers aren't type-checked


def test_bytes_and_numbers_are_one_vector() -> None:
    assert check_vector(struct.pack("<2f", 3.0, 4.0), 2) == check_vector([3, 4], 2)
    assert list(unpack(check_vector(bytearray(pack([0.0, 2.0])), 2))) == [0.0, 1.0]


def test_vectors_of_unequal_length_arent_compared() -> None:
    with pytest.raises(InvalidVector, match="8 and 4 bytes"):
        cosine(pack([1.0, 0.0]), pack([1.0]))
    with pytest.raises(InvalidVector, match="3 bytes are no float32 vector"):
        unpack(b"abc")
