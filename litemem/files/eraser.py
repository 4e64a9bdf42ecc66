"""Cut texts out of a string, in plain and in every escaped form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from litemem.errors import InvalidValue
from litemem.files.jsontext import map_strings
from litemem.files.read import visible

# JSON in a string of JSON doubles its backslashes at each level, so any number of them counts.
_ESCAPE: Final = re.compile(
    r"\\+(?:u([dD][89abAB][\da-fA-F]{2})\\+u([dD][c-fC-F][\da-fA-F]{2})"
    r'|u([\da-fA-F]{4})|(["/bfnrt]))?'
)
_SHORT: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

_Span = tuple[int, int]


class Eraser:
    """Replaces some texts by a marker, longest first, until none of them is left."""

    def __init__(self, texts: Sequence[str], marker: str) -> None:
        if "" in texts:
            msg = "an empty text can't be erased; leave it out"
            raise InvalidValue(msg)
        # A text learnt from a file with bad bytes has U+FFFD where the file has the bytes.
        self._texts = tuple(dict.fromkeys(visible(text) for text in texts))
        self._plain = tuple(dict.fromkeys(_ESCAPE.sub(_meaning, text) for text in self._texts))
        self._marker = marker

    def finds(self, value: str) -> bool:
        """Say whether a text stands in the value as it is, without any escape."""
        shown = visible(value)
        return any(text in shown for text in self._texts)

    def erased(self, value: str) -> str:
        """Return the value without the texts; the very same one where none is in it."""
        filler = self._marker
        while spans := self._spans(value):
            value = _cut(value, spans, filler)
            filler = ""  # a marker that makes up a text anew would never end
        if "\\" in value and '"' in value:
            return map_strings(value, lambda _path, inner: self.erased(inner))
        return value

    def _spans(self, value: str) -> list[_Span]:
        shown = visible(value)
        found = [span for text in self._texts for span in _occurrences(text, shown)]
        if "\\" in shown:
            if not any(text in _ESCAPE.sub(_meaning, shown) for text in self._plain):
                return found  # quick, and a 50 MB image costs no list of positions
            plain, starts = _unescaped(shown)
            found += [
                (starts[start], starts[end])
                for text in self._plain
                for start, end in _occurrences(text, plain)
            ]
        return found


def _occurrences(text: str, value: str) -> Iterator[_Span]:
    start = value.find(text)
    while start >= 0:
        yield start, start + len(text)
        start = value.find(text, start + 1)


def _cut(value: str, spans: Sequence[_Span], filler: str) -> str:
    """Put the filler in the place of each span; spans that overlap become one."""
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if start >= done:
            parts += (value[done:start], filler)
        done = max(done, end)
    return "".join((*parts, value[done:]))


def _unescaped(value: str) -> tuple[str, list[int]]:
    """Undo all escapes; also return where each character of the result, and its end, stood."""
    parts: list[str] = []
    starts: list[int] = []
    done = 0
    for match in _ESCAPE.finditer(value):
        parts += (value[done : match.start()], _meaning(match))
        starts += (*range(done, match.start()), match.start())
        done = match.end()
    starts += range(done, len(value) + 1)
    return "".join((*parts, value[done:])), starts


def _meaning(match: re.Match[str]) -> str:
    high, low, code, short = match.groups()
    if high:
        return (bytes.fromhex(high) + bytes.fromhex(low)).decode("utf-16-be")
    if code:
        return visible(chr(int(code, 16)))
    return _SHORT.get(short, short) if short else "\\"
