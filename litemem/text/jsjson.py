"""JSON with JavaScript's bytes: what `JSON.stringify` writes and `JSON.parse` accepts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from json.encoder import encode_basestring as _quote  # in C; leaves non-ASCII and `/` as they are
from json.scanner import make_scanner
from typing import Any, Final, NoReturn

from litemem.errors import InvalidValue

MAX_DEPTH: Final = 200
"""Containers inside each other that `dumps` writes; Python's reader fails near 990."""

_MAX_EXACT: Final = 2**53  # beyond it JavaScript's only number, a double, skips integers
_MAX_INDEX: Final = 4294967294  # 2**32 - 2, the last array index of ECMA-262
_DIGITS: Final = frozenset("0123456789")
_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,9}")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def dumps(value: object) -> str:
    r"""
    Write a JSON value as `JSON.stringify` does, to the character.

    Keys that are array indices ("0".."4294967294") come first, ascending; integers beyond 2**53
    go through a double; NaN and infinities are `null`; lone surrogates are `\udxxx`.

    Raises:
        InvalidValue: not JSON (a date, bytes, a key that isn't text), or nested deeper than
            MAX_DEPTH, or holding itself.
    """
    text = _json(value)
    return text if text.isascii() else escape_surrogates(text)


def encode(value: object) -> bytes:
    """Write a JSON value as `dumps` does, in UTF-8."""
    text = _json(value)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return escape_surrogates(text).encode()


def loads(text: str) -> Any:  # noqa: ANN401 - whatever JSON the caller has
    """
    Read one JSON value as `JSON.parse` does: unlike `json.loads`, NaN and Infinity are errors.

    Raises:
        ValueError: not JSON, or nested deeper than Python reads; the message says where.
    """
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise ValueError(_UNREADABLE) from None


def scan(text: str, start: int) -> tuple[Any, int]:  # Any: whatever JSON the caller has
    """
    Read the JSON value that starts right at an offset; return it and the offset of its end.

    Raises:
        ValueError: as `loads`; what follows the value doesn't matter.
    """
    try:
        return _SCAN(text, start)  # raw_decode without its frame: a log has 10,000s of lines
    except StopIteration:
        raise ValueError(f"no JSON at character {start}") from None
    except RecursionError:
        raise ValueError(_UNREADABLE) from None


def escape_surrogates(text: str) -> str:
    r"""Join surrogate pairs to their character, and write lone ones as `\udxxx`."""
    if not _SURROGATE.search(text):
        return text
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _SURROGATE.sub(lambda lone: f"\\u{ord(lone[0]):04x}", joined)


_UNREADABLE: Final = "nested too deeply to be read"


def _reject(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_DECODER: Final = json.JSONDecoder(parse_constant=_reject)
_SCAN: Final[Callable[[str, int], tuple[Any, int]]] = make_scanner(
    _DECODER  # type: ignore[arg-type]  # typeshed has the class of the C code alone
)


def _json(value: object) -> str:
    try:
        return _write(value, 0)
    except (_TooDeepError, RecursionError):  # raised anew: without 400 frames in its traceback
        msg = f"the value holds itself, or is nested deeper than {MAX_DEPTH} levels"
        raise InvalidValue(msg) from None


class _TooDeepError(Exception):
    pass


def _write(value: object, depth: int) -> str:
    if type(value) is str:
        return _quote(value)
    if value is None:
        return "null"
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is int:
        return _integer(value)
    if type(value) is float:
        return _double(value)
    if depth >= MAX_DEPTH:
        raise _TooDeepError
    return _container(value, depth + 1)


def _container(value: object, depth: int) -> str:
    if isinstance(value, dict):
        parts = []
        for key, inner in _ordered(value).items():
            text = _quote(inner) if type(inner) is str else _write(inner, depth)
            parts.append(f"{_quote(key)}:{text}")
        return "{" + ",".join(parts) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join([_write(inner, depth) for inner in value]) + "]"
    return _subclass(value, depth)


def _subclass(value: object, depth: int) -> str:
    """Write an instance of a subclass (an IntEnum, a StrEnum) as its JSON base."""
    for base in (str, int, float):
        if isinstance(value, base):
            return _write(base(value), depth)
    raise InvalidValue(f"a {type(value).__name__} is not JSON; turn it into text or a number first")


def _ordered(value: dict[str, object]) -> dict[str, object]:
    """Put keys that are array indices first, ascending, as JavaScript's objects do."""
    found = False
    for key in value:
        if not isinstance(key, str):
            raise InvalidValue(f"a JSON key is text, not {type(key).__name__}")
        if key[:1] in _DIGITS:
            found = True
    if not found:
        return value
    indices = sorted((key for key in value if _is_index(key)), key=int)
    return {**{key: value[key] for key in indices}, **value}


def _is_index(key: str) -> bool:
    return _INDEX.fullmatch(key) is not None and int(key) <= _MAX_INDEX


def _integer(value: int) -> str:
    if -_MAX_EXACT <= value <= _MAX_EXACT:
        return str(value)
    try:
        return _double(float(value))
    except OverflowError:
        return "null"  # JavaScript reads it as Infinity


def _double(value: float) -> str:
    """Write a double as ECMA-262 `Number::toString`: Python's shortest digits, laid out anew."""
    if value - value != 0:  # NaN, Infinity
        return "null"
    if value.is_integer() and abs(value) <= _MAX_EXACT:
        return str(int(value))
    mantissa, _, power = repr(value).partition("e")
    if not power:
        return mantissa.removesuffix(".0")
    exponent = int(power)
    sign, digits = ("-", mantissa[1:]) if mantissa[0] == "-" else ("", mantissa)
    digits = digits.replace(".", "")
    if 0 < exponent < 21:
        return f"{sign}{digits.ljust(exponent + 1, '0')}"
    if -7 < exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    return f"{mantissa.removesuffix('.0')}e{exponent:+d}"
