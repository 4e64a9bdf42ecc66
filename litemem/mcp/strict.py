"""JSON as its standard has it: no NaN, no key twice in one object, no half characters."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn


class NotJson(ValueError):
    """A text isn't JSON, or holds a number that none is."""


class Twice(ValueError):
    """A key stands twice in one object, so that one value would be lost."""

    def __str__(self) -> str:
        return f"the key {self.args[0]!r} stands twice in one object"


def read_strict(text: str) -> object:
    """Return the value of a JSON text. Raises json.JSONDecodeError, NotJson and Twice."""
    try:
        found: object = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError as error:
        raise NotJson("it is nested too deeply") from error
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:  # Any: JSON
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise Twice(next(key for key in found if counts[key] > 1))
    return found


def _no_number(name: str) -> NoReturn:
    raise NotJson(f"{name} is no JSON")
