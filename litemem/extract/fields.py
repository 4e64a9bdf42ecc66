"""The fields of a fact as a model gave them: valid, or a default and what was wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from litemem.extract.fact import CATEGORIES
from litemem.types import DEFAULT_CATEGORY, DEFAULT_IMPORTANCE

CONTENT_KEYS: Final = ("content", "fact", "memory", "text")
MAX_CONTENT: Final = 1_000  # characters; a fact is a sentence, not a document
_MAX_TAG: Final = 40
_MAX_TAGS: Final = 10

_HIDDEN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_NUMBER: Final = re.compile(r"\s*(?:0?\.\d{1,6}|[01](?:\.\d{0,6})?)\s*")
_TAG_GAP: Final = re.compile(r"[\s,;，、#]+")


def content_of(entry: Mapping[str, Any]) -> str | ValueError:
    """Return the text on one line, or an error that says what is wrong with it."""
    given = next((entry[key] for key in CONTENT_KEYS if entry.get(key) is not None), None)
    if not isinstance(given, str):
        return ValueError("it has no content" if given is None else "its content isn't text")
    if len(given) > 2 * MAX_CONTENT:
        return ValueError(f"its content has more than {MAX_CONTENT} characters")
    text = " ".join(_HIDDEN.sub(" ", given).split())
    if not any(map(str.isalnum, text)):
        return ValueError("its content is empty")
    if len(text) > MAX_CONTENT:
        return ValueError(f"its content has more than {MAX_CONTENT} characters")
    return text


def category_of(entry: Mapping[str, Any]) -> tuple[str, str]:
    """Return a category of ours, and what was wrong with the one given, or ''."""
    given = entry.get("category")
    if given is None:
        return DEFAULT_CATEGORY, ""
    category = given.strip().casefold() if isinstance(given, str) else ""
    if category in CATEGORIES or category == DEFAULT_CATEGORY:
        return category, ""
    return DEFAULT_CATEGORY, "its category is none of ours; taken as general"


def importance_of(entry: Mapping[str, Any]) -> tuple[float, str]:
    """Return an importance from 0 to 1, and what was wrong with the one given, or ''."""
    given = entry.get("importance")
    if given is None:
        return DEFAULT_IMPORTANCE, ""
    if isinstance(given, str) and _NUMBER.fullmatch(given):
        given = float(given)
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if is_number and 0 <= given <= 1:
        return float(given), ""
    wrong = f"its importance isn't a number from 0 to 1; taken as {DEFAULT_IMPORTANCE}"
    return DEFAULT_IMPORTANCE, wrong


def tags_of(entry: Mapping[str, Any]) -> tuple[tuple[str, ...], str]:
    """Return single words, each once, and what was wrong with the tags given, or ''."""
    given = entry.get("tags")
    if given is None:
        return (), ""
    if isinstance(given, str):
        given = _TAG_GAP.split(given[: _MAX_TAG * _MAX_TAGS])
    if not isinstance(given, list):
        return (), "its tags are no list"
    tidy = [_tag(one) for one in given]
    tags = tuple(dict.fromkeys(tag for tag in tidy if tag))[:_MAX_TAGS]
    return tags, "" if None not in tidy else "a tag isn't a short text; left out"


def _tag(given: object) -> str | None:
    """Return a tag as one word, '' for an empty one, None for what is none."""
    if not isinstance(given, str) or len(given) > _MAX_TAG:
        return None
    return _TAG_GAP.sub("-", _HIDDEN.sub(" ", given).strip(" \t#,")).strip("-")
