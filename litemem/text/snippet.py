"""The stretch of a text that shows why it was found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

MAX_CHARS: Final = 200
MAX_SPOTS: Final = 1000  # of a long text; the first ones

_SPACE: Final = re.compile(r"\s+")
_GAP: Final = "…"
_LEAD: Final = 0.5  # of the room left over goes before the match
_ENDING: Final = 3  # letters by which two forms of a word may differ: "engineer", "engineering"
_STEM: Final = 4  # letters that they share at least
_SPACED: Final = "!", "\u2e7f"  # the letters of scripts that have spaces lie between, about


class _Spot(NamedTuple):
    start: int
    end: int
    term: int


def snippet(text: str, terms: Iterable[str] = (), *, max_chars: int = MAX_CHARS) -> str:
    """
    Return the stretch of a text in which most of the terms stand together, on one line.

    Cut between words and marked with `…` where text was left out; the marks come on top of
    `max_chars`. Without a term in the text it's the beginning.

    Args:
        text: white space counts as one space.
        terms: words, or pieces of Chinese and Japanese text; forms of a word are recognised.
        max_chars: at least 1.
    """
    line = _SPACE.sub(" ", text).strip()
    if len(line) <= max_chars:
        return line
    start, end = _window(_spots(line, terms), max_chars)
    room = max(0, max_chars - (end - start))
    start = max(0, start - int(room * _LEAD))
    end = min(len(line), start + max_chars)
    start = max(0, end - max_chars)
    start, end = _to_words(line, start, end)
    before = _GAP if start > 0 else ""
    after = _GAP if end < len(line) else ""
    return f"{before}{line[start:end].strip()}{after}"


def _spots(line: str, terms: Iterable[str]) -> list[_Spot]:
    """Find where the terms stand, in order."""
    pattern = _pattern(tuple(dict.fromkeys(term.casefold() for term in terms if term)))
    if pattern is None:
        return []
    found = islice(pattern.finditer(line), MAX_SPOTS)
    return [_Spot(match.start(), match.end(), match.lastindex or 0) for match in found]


@lru_cache(maxsize=4)
def _pattern(terms: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return what finds any of the terms, each in a group of its own."""
    if not terms:
        return None
    spaced = [term for term in terms if _is_spaced(term)]
    forms = [f"({re.escape(term)})" for term in terms if term not in spaced]
    if spaced:
        # Most places are passed over by the boundary and the first letter alone: 4 times faster.
        first = re.escape("".join(sorted({term[0] for term in spaced})))
        forms.insert(0, rf"\b(?=[{first}])(?:{'|'.join(f'({_form(term)})' for term in spaced)})")
    return re.compile("|".join(forms), re.IGNORECASE)


def _is_spaced(term: str) -> bool:
    return term.isascii() or any(_SPACED[0] <= letter <= _SPACED[1] for letter in term)


def _form(term: str) -> str:
    if len(term) <= _STEM:
        return rf"{re.escape(term)}\b"
    return rf"{re.escape(term[: max(_STEM, len(term) - _ENDING)])}\w{{0,{2 * _ENDING}}}\b"


def _window(spots: Sequence[_Spot], max_chars: int) -> tuple[int, int]:
    """Return the stretch that holds most of the terms, then most spots, then stands first."""
    best, bounds = (0, 0), (0, 0)
    held: Counter[int] = Counter()
    left = 0
    for right, spot in enumerate(spots):
        held[spot.term] += 1
        while left < right and spot.end - spots[left].start > max_chars:
            held[spots[left].term] -= 1
            if not held[spots[left].term]:
                del held[spots[left].term]
            left += 1
        worth = len(held), right + 1 - left
        if worth > best:
            best, bounds = worth, (spots[left].start, spot.end)
    return bounds[0], min(bounds[1], bounds[0] + max_chars)


def _to_words(line: str, start: int, end: int) -> tuple[int, int]:
    """Move the ends inwards to spaces, where there is one near."""
    if start > 0:
        space = line.find(" ", start - 1, start + 30)
        start = space + 1 if 0 <= space < end else start
    if end < len(line):
        space = line.rfind(" ", max(start + 1, end - 30), end + 1)
        end = space if space > start else end
    return start, end
