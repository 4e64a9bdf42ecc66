"""The facts in a model's answer, wherever in it they stand; nothing of them is checked here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from litemem.extract.fields import CONTENT_KEYS

MAX_ANSWER: Final = 100_000  # characters; what follows isn't read
_TRIES: Final = 100  # places where JSON may begin; prose has brackets too
_DEPTH: Final = 8
_LISTS: Final = ("facts", "memories")

_OPENING: Final = re.compile(r"[{\[]")


def found_entries(text: str) -> tuple[list[Mapping[str, Any]], list[str]]:
    """
    Return what looks like a fact in the JSON of an answer, in order, and what was wrong.

    A plain text in a list of facts is an entry with that content.
    """
    trouble: list[str] = []
    if len(text) > MAX_ANSWER:
        trouble.append(f"only the first {MAX_ANSWER} characters of the answer were read")
    values = list(_values(text[:MAX_ANSWER], trouble))
    entries = [entry for value in values for entry in _entries(value, _DEPTH, listed=True)]
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
        except ValueError:
            at = opening.end()
        else:
            yield value


def _object(pairs: list[tuple[str, Any]], trouble: list[str]) -> dict[str, Any]:
    found = dict(pairs)
    wrong = "a key is given twice in one object; the last was taken"
    if len(found) < len(pairs) and wrong not in trouble:
        trouble.append(wrong)
    return found


def _entries(value: object, depth: int, *, listed: bool) -> Iterator[Mapping[str, Any]]:
    """Yield the facts in a value; a plain text counts where facts are `listed`."""
    if depth == 0:
        return
    if isinstance(value, list):
        for part in value:
            if isinstance(part, str) and listed:
                yield {"content": part}
            else:
                yield from _entries(part, depth - 1, listed=False)
    elif isinstance(value, dict):
        if _is_fact(value):
            yield value
        else:
            for key, part in value.items():
                yield from _entries(part, depth - 1, listed=key in _LISTS)


def _is_fact(value: Mapping[str, Any]) -> bool:
    """Say whether an object means to be a fact: it has a plain content, or an action."""
    given = [value[key] for key in CONTENT_KEYS if key in value]
    nested = any(isinstance(one, dict | list) for one in given)
    return not nested and (bool(given) or "action" in value)


def _is_empty_answer(value: object) -> bool:
    return value == [] or (isinstance(value, dict) and any(value.get(key) == [] for key in _LISTS))
