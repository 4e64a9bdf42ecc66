"""Long texts as overlapping chunks of about equal size, each with its true place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

# Scripts without blanks: two characters make about one word; Thai, Lao, Khmer and Burmese too.
_DENSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
# A run of 40 characters without a blank (a URL, a hash) counts as a word and may be cut there.
_PIECE = re.compile(rf"[{_DENSE}]{{1,2}}|[^\s{_DENSE}]{{1,40}}")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A stretch of a text; `text[start:end]` of the whole is its text."""

    text: str
    start: int
    end: int
    first_line: int  # from 1
    last_line: int  # inclusive


def chunks(
    text: str,
    *,
    words: int = 120,
    overlap: int = 20,
    max_tokens: int | None = None,
    count_tokens: Callable[[str], int] | None = None,
) -> list[Chunk]:
    """
    Cut a text into chunks that together cover every character but blanks.

    Args:
        text: any text; one without visible characters has no chunks.
        words: how many words a chunk holds at most; two characters count as a word in scripts
            without blanks.
        overlap: how many words a chunk repeats of the one before; fewer where that was cut short.
        max_tokens: how many tokens a chunk holds at most; a single character may have more.
        count_tokens: the model's counter; without it `max_tokens` isn't looked at.

    Raises:
        ValueError: words < 1, overlap not in 0..words-1, or max_tokens < 1.
    """
    if words < 1 or not 0 <= overlap < words or (max_tokens is not None and max_tokens < 1):
        raise ValueError(
            f"chunks need words >= 1, 0 <= overlap < words and max_tokens >= 1, not {words},"
            f" {overlap} and {max_tokens}"
        )
    fits = _fits(text, max_tokens, count_tokens)
    pieces = [found.span() for found in _PIECE.finditer(text)]
    line_ends = [found.start() for found in re.finditer("\n", text)]
    made = []
    first = stop = 0
    while stop < len(pieces):
        first, stop = _next(pieces, first, stop, words, fits)
        start, end = pieces[first][0], pieces[stop - 1][1]
        made.append(
            Chunk(
                text=text[start:end],
                start=start,
                end=end,
                first_line=bisect_left(line_ends, start) + 1,
                last_line=bisect_left(line_ends, end) + 1,
            )
        )
        # In proportion, so that a chunk that its tokens cut short isn't mostly repeated.
        first = stop - overlap * (stop - first) // words
    return made


def _fits(
    text: str, max_tokens: int | None, count_tokens: Callable[[str], int] | None
) -> Callable[[int, int], float]:
    """Give a function from a span to the share of it that fits, 1.0 for all."""
    if max_tokens is None or count_tokens is None:
        return lambda _start, _end: 1.0
    limit, count = max_tokens, count_tokens

    def share(start: int, end: int) -> float:
        return min(1.0, limit / max(1, count(text[start:end])))

    return share


def _next(
    pieces: list[Span], first: int, covered: int, words: int, fits: Callable[[int, int], float]
) -> tuple[int, int]:
    """
    Find the first and the end piece of a chunk that goes beyond the pieces covered so far.

    Where it doesn't fit it repeats less; a piece that is too long by itself is cut in two.
    """
    stop = min(first + words, len(pieces))
    while (share := fits(pieces[first][0], pieces[stop - 1][1])) < 1.0:
        start, end = pieces[first]
        if stop > covered + 1 and stop > first + 1:
            least = max(first, covered) + 1
            stop = max(least, min(stop - 1, first + int((stop - first) * share)))
        elif first < covered:
            first = (first + covered + 1) // 2
            stop = min(first + words, len(pieces))
        elif end - start > 1:
            middle = (start + end) // 2
            pieces[first : first + 1] = [(start, middle), (middle, end)]
        else:
            break
    return first, stop
