"""Which values pass a filter of LangGraph, and which namespaces match a pattern."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from litemem.errors import InvalidValue

_ORDERS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def fits(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:  # Any: a caller's JSON
    """
    Say whether a value has all that a filter names.

    A plain value must be equal, a list equal item by item, an object in the keys it names. One with
    `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte` compares; the last four as numbers, and what is no
    number passes none of them. Raises InvalidValue for another operator.
    """
    return all(_fits(value.get(key), one) for key, one in wanted.items())


def lies_at(namespace: Sequence[str], where: str, path: Sequence[str]) -> bool:
    """
    Say whether a namespace begins (`prefix`) or ends (`suffix`) with a path; `*` is any label.

    Raises InvalidValue for another place.
    """
    if where not in ("prefix", "suffix"):
        raise InvalidValue(f"match type {where!r} is unknown; give prefix or suffix")
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if where == "prefix" else namespace[len(namespace) - len(path) :]
    return all(step in ("*", label) for step, label in zip(path, part, strict=True))


def _fits(value: object, wanted: object) -> bool:
    if isinstance(wanted, Mapping):
        if any(str(key).startswith("$") for key in wanted):
            return all(_compares(value, str(name), one) for name, one in wanted.items())
        return isinstance(value, Mapping) and fits(value, wanted)
    if isinstance(wanted, list | tuple):
        if not isinstance(value, list) or len(value) != len(wanted):
            return False
        return all(map(_fits, value, wanted))
    return value == wanted


def _compares(value: object, name: str, wanted: object) -> bool:
    if name == "$eq":
        return value == wanted
    if name == "$ne":
        return value != wanted
    if name not in _ORDERS:
        known = ", ".join(("$eq", "$ne", *_ORDERS))
        raise InvalidValue(f"filter operator {name!r} is unknown; it is one of {known}")
    numbers = _number(value), _number(wanted)
    return None not in numbers and _ORDERS[name](*numbers)  # type: ignore[arg-type]  # none is None


def _number(value: object) -> float | None:
    try:
        return float(value)  # type: ignore[arg-type]  # that is the question
    except (TypeError, ValueError, OverflowError):
        return None
