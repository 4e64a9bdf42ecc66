"""The facts in a model's answer, wherever in it they stand; nothing of them is checked here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from litemem.extract.fields import CONTENT_KEYS

MAX_ANSWER: Final = 100_000  # characters; what follows isn't read
_TRIES: Final = 100  # places where JSON may begin; prose has brackets too
_DEPTH: Final = 8
_LISTS: Final = ("facts", "memories")

_OPENING: Final = re.compile(r"[{\[]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What stands where a fact should: its fields, None when it has none."""

    place: int  # from 1, in its list; outside of lists, among what stands outside
    fields: Mapping[str, Any] | None


def found_entries(text: str) -> tuple[list[Entry], list[str]]:
    """
    Return what stands for a fact in the JSON of an answer, in order, and what was wrong.

    A plain text in a list of facts is an entry with that content. A list is one of facts when it
    is called so, or has a fact.
    """
    trouble: list[str] = []
    if len(text) > MAX_ANSWER:
        trouble.append(f"only the first {MAX_ANSWER} characters of the answer were read")
    values = list(_values(text[:MAX_ANSWER], trouble))
    entries = list[Entry]()
    bare = 0
    for value in values:
        found = list(_entries(value, _DEPTH, place=bare + 1, listed=True))
        bare += isinstance(value, dict) and any(one.fields is value for one in found)
        entries += found
    if not values:
        trouble.append("the answer holds no JSON")
    elif not entries and not any(_is_empty_answer(value) for value in values):
        trouble.append("the answer's JSON holds no facts")
    return entries, trouble


def _values(text: str, trouble: list[str]) -> Iterator[Any]:  # Any: JSON from outside
    """Yield the outermost JSON objects and lists of a text; of torn ones, their whole parts."""
    decoder = json.JSONDecoder(object_pairs_hook=lambda pairs: _object(pairs, trouble))
    at = 0
    for _ in range(_TRIES):
        opening = _OPENING.search(text, at)
        if opening is None:
            return
        try:
            value, at = decoder.raw_decode(text, opening.start())
        except RecursionError:
            trouble.append("the answer's JSON is nested too deeply")
            return
        except ValueError as error:
            at = opening.end()
            if _breaks_off(text, error):
                _tell(trouble, "the answer's JSON breaks off; what is whole of it was read")
        else:
            yield value


def _object(pairs: list[tuple[str, Any]], trouble: list[str]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        _tell(trouble, "a key is given twice in one object; the last was taken")
    for key in _LISTS:
        if not isinstance(found.get(key), list | dict | None):
            _tell(trouble, f"the answer's '{key}' isn't a list of facts")
    return found


def _tell(trouble: list[str], wrong: str) -> None:
    if wrong not in trouble:
        trouble.append(wrong)


def _breaks_off(text: str, error: ValueError) -> bool:
    """Say whether JSON was expected to go on where the text ends."""
    if not isinstance(error, json.JSONDecodeError):
        return False  # a number of thousands of digits
    return error.msg.startswith("Unterminated") or not text[error.pos :].strip(" \n,:`")


def _entries(value: object, depth: int, *, place: int, listed: bool) -> Iterator[Entry]:
    """Yield the facts in a value, which stands at `place`; a list is one of facts if `listed`."""
    if depth == 0:
        return
    if isinstance(value, list):
        yield from _listed(value, depth, texts=listed)
    elif isinstance(value, dict):
        inner = [] if _is_fact(value) else list(_inside(value, depth, place))
        if inner or not (_is_fact(value) or _has_content(value)):
            yield from inner
        else:
            yield Entry(place=place, fields=value)


def _inside(value: Mapping[str, Any], depth: int, place: int) -> Iterator[Entry]:
    for key, part in value.items():
        if key in _LISTS and isinstance(part, list):
            found = list(_listed(part, depth - 1, texts=True))
            yield from found or map(_wrong, enumerate(part, start=1))
        else:
            yield from _entries(part, depth - 1, place=place, listed=key in _LISTS)


def _listed(parts: list[Any], depth: int, *, texts: bool) -> Iterator[Entry]:
    """Yield the facts of a list; when it has one, what is none stands at its place too."""
    found = [
        [Entry(place=place, fields={"content": part})]
        if isinstance(part, str) and texts
        else list(_entries(part, depth - 1, place=place, listed=False))
        for place, part in enumerate(parts, start=1)
    ]
    if any(found):
        for given, inner in zip(enumerate(parts, start=1), found, strict=True):
            yield from inner or [_wrong(given)]


def _wrong(given: tuple[int, Any]) -> Entry:
    place, part = given
    return Entry(place=place, fields=part if isinstance(part, dict) else None)


def _is_fact(value: Mapping[str, Any]) -> bool:
    """Say whether an object means to be a fact: it has a plain content, or an action."""
    given = [value[key] for key in CONTENT_KEYS if key in value]
    nested = any(isinstance(one, dict | list) for one in given)
    return not nested and (bool(given) or "action" in value)


def _has_content(value: Mapping[str, Any]) -> bool:
    return any(key in value for key in CONTENT_KEYS) and not any(key in value for key in _LISTS)


def _is_empty_answer(value: object) -> bool:
    return value == [] or (isinstance(value, dict) and any(value.get(key) == [] for key in _LISTS))
