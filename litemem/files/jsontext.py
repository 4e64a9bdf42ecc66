"""Change single strings of JSON text, and leave every other byte as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final, TypeAlias

Step: TypeAlias = str | int | None
"""A key; ITEM for any place in an array; None, at the end of a path, where the string is a key."""

ITEM: Final = 0

# A string without its end reaches to the end of the text, else a torn line costs quadratic time.
_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\Z)|[{}\[\],]', re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def map_strings(text: str, change: Callable[[tuple[Step, ...], str], str]) -> str:
    """
    Return JSON text with its strings and keys changed.

    Parsing by tokens keeps numbers, spaces, key order and repeated keys, knows no depth limit, and
    copes with torn text: what can't be decoded stays.

    Args:
        text: JSON, or a piece of it.
        change: gets where a string stands, such as `("node", "turn", "blocks", ITEM, "text")`, and
            its decoded value, and returns the new value.
    """
    parts: list[str] = []
    done = 0
    stack: list[Step] = []
    for match in _TOKEN.finditer(text):
        found = match[0]
        if found[0] != '"':
            _follow(found, stack)
            continue
        old = _decoded(found)
        new = None if old is None else change(tuple(stack), old)
        if stack and stack[-1] is None:
            stack[-1] = old or ""
        if new is not None and new != old:
            parts += (text[done : match.start()], _encoded(new, ascii_only=found.isascii()))
            done = match.end()
    return "".join((*parts, text[done:]))


def _follow(sign: str, stack: list[Step]) -> None:
    if sign == "{":
        stack.append(None)
    elif sign == "[":
        stack.append(ITEM)
    elif sign == ",":
        if stack and stack[-1] != ITEM:
            stack[-1] = None
    elif stack:
        stack.pop()


def _decoded(token: str) -> str | None:
    if len(token) < 2 or token[-1] != '"':
        return None
    if "\\" not in token:
        return token[1:-1]
    try:
        return str(json.loads(token, strict=False))
    except ValueError:  # an unknown escape, or an end that is an escaped quote
        return None


def _encoded(value: str, *, ascii_only: bool) -> str:
    written = json.dumps(value, ensure_ascii=ascii_only)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
