"""A request's body as JSON: nothing double, nothing endless, nothing that isn't JSON or text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isfinite
from typing import Any, Final, NoReturn

from litemem.server.errors import Refused, invalid

JSON: Final = "application/json"
MAX_BYTES: Final = 1_000_000
MAX_DEPTH: Final = 32


def read_json(data: bytes) -> dict[str, Any]:  # Any: JSON
    """
    Read a JSON object.

    Raises Refused (400) for anything else: bytes that aren't UTF-8, a key twice in one object, NaN
    and numbers beyond a double, half a character, or more than MAX_DEPTH levels.
    """
    try:
        value = json.loads(data.decode(), parse_constant=_constant, object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise invalid("the body isn't UTF-8") from error
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError as error:
        raise invalid("the body isn't JSON") from error
    if not isinstance(value, dict):
        raise invalid("the body must be a JSON object")
    _check(value)
    return value


def _constant(name: str) -> NoReturn:
    raise invalid(f"the body holds {name}, which isn't JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:  # Any: JSON
    made = dict(pairs)
    if len(made) < len(pairs):
        raise invalid("the body has a key twice in one object")
    return made


def _check(value: object) -> None:
    """Look at all that is inside, level by level: a recursion would end at Python's own limit."""
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise _too_deep()
        level = [inner for one in level for inner in _inside(one)]


def _inside(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        yield from value
        yield from value.values()
    elif isinstance(value, list):
        yield from value
    elif isinstance(value, float) and not isfinite(value):
        raise invalid("the body holds a number that is too large")
    elif isinstance(value, str):
        check_text(value, "the body")


def check_text(value: str, what: str) -> None:
    """Refuse a text that no file could hold: half a character, or U+0000."""
    if "\0" in value:
        raise invalid(f"{what} holds a zero character")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise invalid(f"{what} holds half a character") from error


def _too_deep() -> Refused:
    return invalid(f"the body is nested deeper than {MAX_DEPTH} levels")
