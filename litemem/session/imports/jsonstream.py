"""A huge JSON file in pieces: one element of its array, or one line, at a time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final

from litemem.text import jsjson

_BLOCK: Final = 1 << 20
# A string that isn't closed reaches to the end of what was read: it's scanned again with more.
_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+("?)|[{}\[\]]', re.DOTALL)
BOM: Final = b"\xef\xbb\xbf"


def array_items(stream: BinaryIO, *, block: int = _BLOCK) -> Iterator[bytes]:
    """
    Yield the objects and arrays of a JSON array as bytes; of another document, itself.

    Only brackets and strings are looked at, so a broken element costs itself alone, and memory is
    that of the largest element, read in ever larger blocks. Elements that are bare values (numbers,
    strings) are left out.

    Raises:
        ValueError: the file ends inside the array, or closes what it never opened.
    """
    scan = _Scan()
    while data := stream.read(max(block, len(scan.rest))):
        yield from scan.feed(data)
    if scan.depth:
        raise ValueError("the file ends in the middle of its JSON")


class _Scan:
    """Where a scan is: `rest` starts with the element that isn't whole yet."""

    def __init__(self) -> None:
        self.rest = b""
        self.depth = 0
        self._at = 0  # scanned so far, an offset into `rest`
        self._outer = 0  # depth at which elements stand: 1 inside of an array
        self._is_first = True

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take more bytes, and yield the elements that are whole with them."""
        self.rest += data
        start = 0 if self.depth > self._outer else None
        done = len(self.rest)
        for token in _TOKEN.finditer(self.rest, self._at):
            sign = self.rest[token.start()]
            if sign == 0x22:  # a quotation mark
                if not token[1]:
                    done = token.start()
                    break
            elif sign in b"{[":
                start = token.start() if self._opens(sign) else start
            elif self._closes():
                yield self.rest[start : token.end()]
                start = None
        keep = done if start is None else start
        self.rest, self._at = self.rest[keep:], done - keep

    def _opens(self, sign: int) -> bool:
        """Go down a level, and say whether an element starts here."""
        if self._is_first:
            self._outer = 1 if sign == 0x5B else 0
            self._is_first = False
            self.depth = 1
            return self._outer == 0
        self.depth += 1
        return self.depth == self._outer + 1

    def _closes(self) -> bool:
        """Go up a level, and say whether an element ends here."""
        if not self.depth:
            raise ValueError("a bracket is closed that was never opened")
        self.depth -= 1
        return self.depth == self._outer


def parsed(items: Iterable[bytes], tally: Counter[str], what: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects among pieces of JSON; count the others as skipped."""
    for item in items:
        if not item.strip():
            continue
        try:
            value = jsjson.loads(item.removeprefix(BOM).decode("utf-8", "replace"))
        except ValueError:
            tally[f"{what} that isn't JSON"] += 1
            continue
        if isinstance(value, dict):
            yield value
        else:
            tally[f"{what} that is no object"] += 1
