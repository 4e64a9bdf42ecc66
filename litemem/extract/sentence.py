"""What the user says, cut into sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

LONGEST: Final = 600  # characters of a sentence that are looked at; bounds the time

_SPACES: Final = re.compile(r"\s")
_WORD: Final = re.compile(r"\w")
_END: Final = re.compile(
    r"""(?<![.!?…])[.!?…]++["'”’»)\]]*+(?=\s|\Z)|[。！？；]++[”’」』）】]*+|\n"""
)
_NO_END: Final = re.compile(
    r"(?:(?:^|[\s(])(?:[a-z]|dr|mr|mrs|ms|prof|st|vs|e\.g|i\.e|cf|no|fig|approx)|(?:^"
    r"|\n) *\d{1,3})\.$"
)
_BULLET: Final = re.compile(r"\s*(?:[-*•+]\s+|\d{1,2}[.)]\s+)?(?:\[[ x]\]\s+)?\(?")
_WRAP: Final = 50  # a shorter line isn't one that an editor has wrapped


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence: `text` is lower case with plain apostrophes and blanks; it begins at `start`."""

    start: int
    text: str

    @property
    def asks(self) -> bool:
        """Say whether it ends as a question."""
        return "?" in self.text[-6:] or "？" in self.text[-6:]


def sentences(words: str) -> Iterator[Sentence]:
    """Yield the sentences of what `spoken` gave, in order, none of them blank."""
    plain = plainly(_unwrapped(words))
    start = 0
    for end in [*_ends(plain), len(plain)]:
        mark = _BULLET.match(plain, start, end)
        begin = mark.end() if mark else start
        if end - begin > 2 and _WORD.search(plain, begin, end):
            yield Sentence(start=begin, text=_SPACES.sub(" ", plain[begin:end].rstrip()))
        start = end


def plainly(text: str) -> str:
    """Lower the case, character by character; apostrophes are made straight."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
    return low.replace("’", "'").replace("‘", "'")


def _ends(plain: str) -> Iterator[int]:
    for end in _END.finditer(plain):
        if end[0] != "." or not _NO_END.search(plain, max(0, end.start() - 12), end.end()):
            yield end.end()


def _unwrapped(words: str) -> str:
    """Make blanks of the line breaks that an editor put inside a sentence."""
    lines = words.split("\n")
    joined = [lines[0]]
    for before, line in pairwise(lines):
        goes_on = len(before) >= _WRAP and before[-1].isalnum() and line[:1].islower()
        joined += [" " if goes_on else "\n", line]
    return "".join(joined)
