"""
Which lines of a markdown file are list items and headings.

Front matter, code fences and HTML comments over several lines hide what is in them. One that is
never closed hides nothing, so that a slip of the hand costs no memories. No line that we append can
close one: our items are indented below their bullet, and an item's own comment closes no other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from litemem.text.comment import END
from litemem.text.factline import BULLET, has_comment

_NUMBER = re.compile(r" {0,3}[0-9]{1,9}[.)](?:[ \t]|$)")
_THEMATIC = re.compile(r" {0,3}([-*])(?:[ \t]*\1){2,}\s*")
_OPENER = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_CLOSER = re.compile(r" {0,3}(`{3,}|~{3,})\s*")
_COMMENT = re.compile(r" {0,3}<!--")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines start (from 0) to end (exclusive) of a file: a list item, a line, or what is hidden."""

    kind: Literal["item", "line", "hidden"]
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A file's blocks, without blank lines, and what is never closed."""

    blocks: tuple[Block, ...]
    problems: tuple[tuple[int, str], ...]  # line from 1


def outline(lines: Sequence[str]) -> Outline:
    """
    Split a file's lines into list items, other lines and hidden ones.

    Args:
        lines: the file without BOM, split at LF; lines may end in CR.
    """
    blocks = split_blocks(lines)
    closers = _Closers(lines, blocks)
    seen = []
    problems = []
    at = closers.front_matter()
    if at:
        seen.append(Block(kind="hidden", start=0, end=blocks[at - 1].end))
    while at < len(blocks):
        block = blocks[at]
        at += 1
        if block.kind == "line" and (what := _opens(lines[block.start])):
            end = closers.after(what, at)
            if end is not None:
                at = end + 1
                seen.append(Block(kind="hidden", start=block.start, end=blocks[end].end))
                continue
            name = "comment" if what == END else "code fence"
            problems.append((block.start + 1, f"this {name} is never closed; it hides nothing"))
        seen.append(block)
    return Outline(blocks=tuple(seen), problems=tuple(problems))


def split_blocks(lines: Sequence[str]) -> list[Block]:
    """Split a file's lines into list items and other lines, as if nothing hid any."""
    blocks = []
    at = 0
    while at < len(lines):
        line = lines[at]
        end = at + 1
        if BULLET.match(line):
            end = _item_end(lines, at)
            thematic = end == at + 1 and _THEMATIC.fullmatch(line)
            blocks.append(Block(kind="line" if thematic else "item", start=at, end=end))
        elif _NUMBER.match(line):  # what is indented below it is part of it
            end = _item_end(lines, at)
            blocks.append(Block(kind="line", start=at, end=end))
        elif line and not line.isspace():
            blocks.append(Block(kind="line", start=at, end=end))
        at = end
    return blocks


def _item_end(lines: Sequence[str], start: int) -> int:
    end = at = start + 1
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line or line.isspace():
            continue
        if not line.startswith(("  ", "\t", " \t")):
            break
        end = at
    return end


def _opens(line: str) -> str:
    """Give the fence, or the end of the comment, that a line waits for; else ''."""
    if "`" not in line and "~" not in line and "<" not in line:
        return ""
    if fence := _OPENER.match(line):
        return fence[1]
    comment = _COMMENT.match(line)
    return END if comment and END not in line[comment.end() :] else ""


class _Closers:
    """Finds the block that closes a fence or a comment; linear over a whole file."""

    def __init__(self, lines: Sequence[str], blocks: Sequence[Block]) -> None:
        self._lines, self._blocks = lines, blocks
        self._longest: dict[str, list[int]] = {}  # fence sign -> longest closer from a block on

    def front_matter(self) -> int:
        """Give the first block behind the front matter, 0 where there is none."""
        if self._lines and self._lines[0].rstrip() == "---":
            for at, block in enumerate(self._blocks[1:], 1):
                if self._lines[block.start].rstrip() in {"---", "..."}:
                    return at + 1
        return 0

    def after(self, what: str, start: int) -> int | None:
        """Give the index of the block that closes `what`, from block `start` on."""
        sign = what[0]
        if sign not in self._longest:
            self._longest[sign] = self._suffix_maxima(sign)
        longest = self._longest[sign]
        if longest[start] < len(what):
            return None
        while self._length(sign, self._blocks[start]) < len(what):
            start += 1
        return start

    def _suffix_maxima(self, sign: str) -> list[int]:
        longest = [0]
        for block in reversed(self._blocks):
            longest.append(max(longest[-1], self._length(sign, block)))
        longest.reverse()
        return longest

    def _length(self, sign: str, block: Block) -> int:
        """Say how long a fence the block closes; for a comment 0 or the length of its end."""
        if sign == END[0]:
            raw = "\n".join(self._lines[block.start : block.end])
            closes = END in raw and not (block.kind == "item" and has_comment(raw))
            return len(END) if closes else 0
        if block.kind == "item":
            return 0
        closer = _CLOSER.fullmatch(self._lines[block.start])
        return len(closer[1]) if closer and closer[1][0] == sign else 0
