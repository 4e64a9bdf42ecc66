"""List items in the older bullet forms, below headings in the older forms; only ever read."""

from __future__ import annotations

import re
from dataclasses import replace

from litemem.text.factline import Reading

_BOLD = re.compile(r"\*\*\[([^\]\n]{1,60})\]\*\*[ \t]*(?=\S)")
_IMPORTANCE = re.compile(r"\(importance:[ \t]*([0-9]{1,2}(?:\.[0-9]{1,18})?)\)\Z")
_TAGS_LINE = re.compile(r"[ \t]*[-*+][ \t]+Tags:(.*)")


def read_older(reading: Reading) -> Reading:
    """Take an item's category, importance and tags from its text, as the older forms have them."""
    if bold := _BOLD.match(reading.visible):
        return _bold(reading, bold)
    text = reading.visible
    start = text.rfind("`", 0, len(text) - 1) if text.endswith("`") else -1
    names = text[start + 1 : -1].split() if start > 0 else []
    if not names or not text[:start].strip() or "\n" in text[start:]:
        return reading
    return _with(reading, text[:start], reading.category, (*reading.tags, *names))


def _bold(reading: Reading, bold: re.Match[str]) -> Reading:
    first, *rest = reading.visible[bold.end() :].split("\n")
    tags = list(reading.tags)
    kept = []
    for line in rest:
        if found := _TAGS_LINE.fullmatch(line):
            tags += [name.strip().removeprefix("#") for name in found[1].split(",") if name.strip()]
        else:
            kept.append(line)
    found = _IMPORTANCE.search(first)
    fields = dict(reading.fields)
    if found and float(found[1]) <= 1:
        fields["importance"] = float(found[1])
        first = first[: found.start()]
    changed = replace(reading, fields=fields)
    return _with(changed, "\n".join([first.rstrip(), *kept]), bold[1], tuple(tags))


def _with(reading: Reading, content: str, category: str, tags: tuple[str, ...]) -> Reading:
    return replace(reading, content=content.strip(), category=category, tags=tags)
