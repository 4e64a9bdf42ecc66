"""The comment at a list item's end: a fact's fields as JSON, where the text can't carry them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from litemem.errors import InvalidFact
from litemem.text.fields import FACT_ID
from litemem.types import DEFAULT_IMPORTANCE, Fact, Origin

START = "<!-- {"
END = "-->"

_SURROGATE = re.compile("[\ud800-\udfff]")
_CLOSING = re.compile(rf"[ \t]*{END}")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
# `<` and `>` would end or begin a comment, the others break lines or terminals.
_UNSAFE = re.compile("[<>\x7f-\x9f\u2028\u2029\ufeff]")


def clean(text: str) -> str:
    """Replace lone surrogates (bytes that weren't UTF-8) by U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)


def is_dirty(text: str) -> bool:
    """Say whether a text has lone surrogates."""
    return _SURROGATE.search(text) is not None


def iso(at: datetime) -> str:
    """Write an instant as UTC, with a fraction only where it has one."""
    if at.tzinfo is None:
        raise InvalidFact(f"the date {at.isoformat()} has no time zone")
    try:
        return at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"
    except OverflowError as error:
        raise InvalidFact(f"the date {at.isoformat()} is outside the years 1 to 9999") from error


def fields_of(fact: Fact, *, heading_chat: str | None) -> dict[str, Any]:
    """Give what the comment says of a fact besides category, tags and text."""
    _check(fact)
    fields: dict[str, Any] = {"id": fact.id, "at": iso(fact.created_at)}
    if fact.importance != DEFAULT_IMPORTANCE:
        fields["importance"] = fact.importance
    if fact.speaker is not None:
        fields["speaker"] = fact.speaker
    if fact.chat_id != heading_chat:
        fields["chat"] = fact.chat_id
    if fact.metadata:
        fields["metadata"] = dict(fact.metadata)
    if fact.replaces is not None:
        fields["replaces"] = [*fact.parents] if fact.merges else fact.replaces
    if fact.source is not None:
        fields["source"] = _origin_fields(fact.source)
    if fact.seen is not None:
        fields["seen"] = {"n": fact.seen.n, "last": iso(fact.seen.last)}
    return fields


def write_comment(fields: Mapping[str, Any]) -> str:
    """
    Write the comment.

    Raises:
        InvalidFact: a value isn't JSON: NaN, an object, a lone surrogate, too deep.
    """
    try:
        text = json.dumps(fields, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode()  # refuses lone surrogates
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidFact(f"the metadata can't be written as JSON: {error}") from error
    return f"<!-- {_UNSAFE.sub(_escape, text)} -->"


def read_comment(raw: str, start: int) -> tuple[dict[str, Any], int] | None:
    """Read the comment whose START is at `start`: its JSON and its end; None where it's broken."""
    try:
        fields, end = _DECODER.raw_decode(raw, start + len(START) - 1)
    except (ValueError, RecursionError):
        return None
    closing = _CLOSING.match(raw, end)
    if closing is None:
        return None
    if _ESCAPED_SURROGATE.search(raw, start, end):
        fields = _cleaned(fields)
    return fields, closing.end()


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _check(fact: Fact) -> None:
    parents = fact.parents
    for what, fact_id in (("id", fact.id), *(("replaced id", parent) for parent in parents)):
        if not FACT_ID.fullmatch(fact_id):
            raise InvalidFact(f"{fact_id!r} can't be a fact's {what}: 1 to 64 visible characters")
    if len(set(parents)) != len(parents) or (fact.merges and not parents):
        raise InvalidFact(f"{fact.id} merges {fact.merges}: name each fact once, a first one too")
    if not fact.content:
        raise InvalidFact("a fact needs a text")
    if not 0 <= fact.importance <= 1:  # also refuses NaN
        raise InvalidFact(f"the importance {fact.importance} isn't between 0 and 1")
    if fact.seen is not None and fact.seen.n < 1:
        raise InvalidFact(f"a fact can't be seen {fact.seen.n} times")


def _origin_fields(origin: Origin) -> dict[str, Any]:
    fields: dict[str, Any] = {"session": origin.session}
    if origin.line is not None:
        fields["line"] = origin.line
    if origin.at is not None:
        fields["at"] = iso(origin.at)
    return fields


def _cleaned(value: object) -> object:
    match value:
        case str():
            return clean(value)
        case list():
            return [_cleaned(part) for part in value]
        case dict():
            return {clean(key): _cleaned(part) for key, part in value.items()}
    return value


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_finite)
