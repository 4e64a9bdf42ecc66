"""A transcript cut into passages: sentences, or several short ones of one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from litemem.run.turns import SUMMARY_HEADING

PACKED_CHARS: Final = 150
"""
Short sentences of one line stay together up to this: alone they lose what they speak of. Of a
tenth of LoCoMo's text 19 % of the answering messages survive by half, with single sentences 12 %;
with 300 characters fewer of the answers' words do, 45 % for 48.
"""
_LONGEST: Final = 300  # a line without sentence ends, such as JSON, is cut at white space

_ROLE: Final = re.compile(r"(user|assistant|tool|system):")
_END: Final = re.compile(
    # A full stop counts before white space only: 0.6.2, app.py. A run is tried once, at its start.
    r"""(?<![.!?…])[.!?…]++["'”’»)\]]*+\s++"""
    r"|[。！？；]++[”’」』）】]*+\s*+"
)
_NO_END: Final = re.compile(
    r"(?:^|[\s(\"'“])(?:[A-Za-z]|\d{1,3}|Dr|Mr|Mrs|Ms|Prof|St|vs|etc|e\.g|i\.e|cf|No|Fig|z\.B|d\.h|bzw|ca)\.\s*$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of one line of a transcript, as it stands there."""

    text: str
    role: str  # '' before the first line that names one
    tool: bool = False  # of a tool's call or output


def passages(transcript: str) -> list[Passage]:
    """
    Return the passages of a transcript as `render_transcript` writes it, in order.

    Lines that name a role, the heading of an earlier summary, and lines without a letter or digit
    are no passages.
    """
    found: list[Passage] = []
    role = ""
    for line in transcript.split("\n"):
        if named := _ROLE.fullmatch(line):
            role = named[1]
        elif line.strip() != SUMMARY_HEADING:
            tool = role == "tool" or line.startswith("tool_call ")
            found.extend(Passage(text=text, role=role, tool=tool) for text in _packed(line))
    return found


def sentences(line: str) -> list[str]:
    """
    Split one line after each sentence; joined they are the line again.

    English and Chinese sentence ends; not after initials, list numbers and usual abbreviations,
    nor before a small letter.
    """
    found, start = list[str](), 0
    for end in _END.finditer(line):
        if _is_end(line, end.end()):
            found.append(line[start : end.end()])
            start = end.end()
    return [*found, line[start:]] if start < len(line) else found


def _is_end(line: str, at: int) -> bool:
    if line[at : at + 1].islower():
        return False
    return _NO_END.search(line[max(0, at - 12) : at]) is None


def _packed(line: str) -> Iterator[str]:
    """Yield a line's passages, without white space around them."""
    pack = ""
    for sentence in (piece for whole in sentences(line) for piece in _pieces(whole)):
        if pack and len(pack) + len(sentence.rstrip()) > PACKED_CHARS:
            yield from _worded(pack)
            pack = ""
        pack += sentence
    yield from _worded(pack)


def _pieces(sentence: str) -> Iterator[str]:
    """Yield a sentence, or its parts of at most `_LONGEST` characters; joined they are it."""
    start = 0
    while len(sentence) - start > _LONGEST:
        half, end = start + _LONGEST // 2, start + _LONGEST
        gap = max(sentence.rfind(mark, half, end) for mark in " \t,，、;")
        stop = gap + 1 if gap > 0 else end
        yield sentence[start:stop]
        start = stop
    yield sentence[start:]


def _worded(text: str) -> Iterator[str]:
    if any(map(str.isalnum, text)):
        yield text.strip()
