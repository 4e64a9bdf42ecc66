"""Numbers into vectors, and vectors compared, without numpy."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterable
from operator import mul
from typing import Final

from litemem.errors import InvalidVector
from litemem.types import Vector

_UNIT_SLACK: Final = 1e-6
"""A unit vector rounded to float32 is off by 1e-7 at most; one this near stays as it is."""


def check_vector(values: Iterable[float] | bytes, dimension: int) -> Vector:
    """
    Make a vector of a caller's numbers: checked, and scaled to unit length.

    Args:
        values: `dimension` finite numbers, not all zero; or their bytes as little-endian float32.
        dimension: how many numbers the index's vectors have.

    Raises:
        InvalidVector: wrong length, not finite, all zero, or no numbers at all.
    """
    numbers = _numbers(values, dimension)
    if len(numbers) != dimension:
        raise InvalidVector(f"the vector has {len(numbers)} numbers; the index needs {dimension}")
    if not all(map(math.isfinite, numbers)):
        raise InvalidVector("the vector holds a number that isn't finite; embed the text again")
    largest = max(map(abs, numbers))
    if largest == 0.0:
        raise InvalidVector("the vector is all zeros; leave it out to have the text embedded")
    if abs(math.hypot(*numbers) - 1.0) <= _UNIT_SLACK:
        return pack(numbers)
    scaled = [number / largest for number in numbers]  # so that neither 1e308 nor 1e-310 is lost
    norm = math.hypot(*scaled)
    return pack(number / norm for number in scaled)


def pack(numbers: Iterable[float]) -> Vector:
    """Return numbers as little-endian float32, as they are; the inverse of `unpack`."""
    values = array("f", numbers)
    if sys.byteorder == "big":  # pragma: no cover  # no such machine runs the tests
        values.byteswap()
    return Vector(values.tobytes())


def unpack(vector: bytes) -> array[float]:
    """Return a vector's numbers. Raises InvalidVector: not a whole number of float32."""
    values = array("f")
    try:
        values.frombytes(vector)
    except ValueError as error:
        raise InvalidVector(f"{len(vector)} bytes are no float32 vector") from error
    if sys.byteorder == "big":  # pragma: no cover  # as above
        values.byteswap()
    return values


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors of unit length. Raises InvalidVector: unequal lengths."""
    if len(one) != len(other):
        raise InvalidVector(f"vectors of {len(one)} and {len(other)} bytes can't be compared")
    return float(sum(map(mul, unpack(one), unpack(other))))


def _numbers(values: Iterable[float] | bytes, dimension: int) -> array[float]:
    if isinstance(values, bytes | bytearray | memoryview):
        if len(values) != 4 * dimension:
            msg = f"the vector has {len(values)} bytes; the index needs {4 * dimension}"
            raise InvalidVector(msg)
        return unpack(bytes(values))
    try:
        return array("d", values)
    except (TypeError, OverflowError) as error:
        raise InvalidVector(f"a vector is a list of numbers: {error}") from error
