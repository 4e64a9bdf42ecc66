"""The keys of a list item's comment, as fields of a fact."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from litemem.types import Origin, Seen

FACT_ID = re.compile(r"[^\s<>\x00-\x1f\x7f-\x9f]{1,64}")


def fact_fields(comment: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Turn a comment into keyword arguments of Fact (and `text`), and name what was wrong."""
    fields: dict[str, Any] = {}
    problems = []
    for key, value in comment.items():
        reader = _READERS.get(key)
        if reader is None:
            continue
        name, read = reader
        try:
            fields[name] = read(value)
        except (TypeError, ValueError, KeyError, OverflowError):
            problems.append(f"the comment's {key} can't be read; it was ignored")
    if "replaces" in fields:
        fields["replaces"], *merges = fields["replaces"]
        fields |= {"merges": tuple(merges)} if merges else {}
    return fields, problems


def unknown_fields(comment: Mapping[str, Any]) -> dict[str, Any]:
    """Give the keys of a comment that aren't ours."""
    return {key: value for key, value in comment.items() if key not in _READERS}


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _string_or_none(value: object) -> str | None:
    return None if value is None else _string(value)


def _fact_id(value: object) -> str:
    if not FACT_ID.fullmatch(_string(value)):
        raise ValueError(value)
    return _string(value)


def _fact_ids(value: object) -> tuple[str, ...]:
    """Read one id, or a list of them in which each counts once."""
    if not isinstance(value, list):
        return (_fact_id(value),)
    if not value:
        raise ValueError(value)
    return tuple(dict.fromkeys(_fact_id(part) for part in value))


def _integer(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(value)
    return value


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(value)
    return float(value)


def _instant(value: object) -> datetime:
    at = datetime.fromisoformat(_string(value))
    if at.tzinfo is None:
        raise ValueError(value)
    return at.astimezone(UTC)


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(value)
    return tuple(_string(part) for part in value)


def _mapping(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(value)
    return value


def _origin(value: object) -> Origin:
    fields = _mapping(value)
    line, at = fields.get("line"), fields.get("at")
    return Origin(
        session=_string(fields["session"]),
        line=None if line is None else _integer(line),
        at=None if at is None else _instant(at),
    )


def _seen(value: object) -> Seen:
    fields = _mapping(value)
    n = _integer(fields["n"])
    if n < 1:
        raise ValueError(n)
    return Seen(n=n, last=_instant(fields["last"]))


_READERS: Mapping[str, tuple[str, Callable[[object], Any]]] = {
    "id": ("id", _fact_id),
    "at": ("created_at", _instant),
    "importance": ("importance", _share),
    "category": ("category", _string),
    "tags": ("tags", _strings),
    "speaker": ("speaker", _string_or_none),
    "chat": ("chat_id", _string_or_none),
    "metadata": ("metadata", _mapping),
    "replaces": ("replaces", _fact_ids),
    "source": ("source", _origin),
    "seen": ("seen", _seen),
    "text": ("text", _string),
}
