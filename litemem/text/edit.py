"""Take facts out of a markdown file or rewrite their comments; all else stays byte for byte."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from litemem.text.comment import clean
from litemem.text.factline import format_fact, read_item, rewrite
from litemem.text.headings import Heading, read_heading
from litemem.text.older import read_older
from litemem.text.outline import Block, outline
from litemem.types import Fact


class Removal(NamedTuple):
    """A text without some of its lines."""

    text: str
    gone: tuple[int, ...]  # the numbers of those lines, from 1


def remove_items(text: str, lines: Collection[int]) -> Removal:
    """
    Remove list items, and headings of ours that then stand over nothing.

    Args:
        text: the whole file.
        lines: the items' first lines, from 1, as `parse_log` gives them.

    Raises:
        ValueError: no list item begins on a line.
    """
    bom = text[: text.startswith("\ufeff")]
    wanted = set(lines)
    rows = text[len(bom) :].split("\n")
    blocks = outline(rows).blocks
    _check(blocks, wanted)
    gone = {
        at for block in blocks if block.start + 1 in wanted for at in range(block.start, block.end)
    }
    for heading, below in _sections(rows, blocks):
        if below and all(block.start + 1 in wanted for block in below):
            gone.update(range(heading.start, below[-1].end))
    ended = [*(row + "\n" for row in rows[:-1]), rows[-1]]
    kept = "".join(row for at, row in enumerate(ended) if at not in gone)
    if 0 in gone and kept.partition("\n")[0].rstrip() == "---":
        kept = "\n" + kept  # in the first line it would begin front matter
        gone.remove(0)
    return Removal(bom + kept, tuple(at + 1 for at in sorted(gone)))


def rewrite_items(text: str, facts: Mapping[int, Fact]) -> str:
    """
    Write facts' comments, categories and tags anew where they stand; their texts stay as they are.

    Args:
        text: the whole file.
        facts: by the item's first line, from 1, as `parse_log` gives it. Their contents aren't
            looked at; their ids are in the file then.

    Raises:
        ValueError: no list item begins on a line.
        InvalidFact: as `format_fact`.
    """
    bom = text[: text.startswith("\ufeff")]
    rows = text[len(bom) :].split("\n")
    blocks = outline(rows).blocks
    _check(blocks, set(facts))
    heading = Heading(kind="other")
    new, done = [], 0
    for block in blocks:
        if block.kind == "line":
            heading = read_heading(rows[block.start]) or heading
        elif block.start + 1 in facts:
            raw = "\n".join(rows[block.start : block.end])
            new += rows[done : block.start]
            new.append(_rewritten(raw, facts[block.start + 1], heading))
            done = block.end
    return bom + "\n".join([*new, *rows[done:]])


def _check(blocks: Iterable[Block], wanted: set[int]) -> None:
    unknown = wanted - {block.start + 1 for block in blocks if block.kind == "item"}
    if unknown:
        raise ValueError(f"no list item begins on line {min(unknown)}")


def _sections(rows: Sequence[str], blocks: Sequence[Block]) -> Iterator[tuple[Block, list[Block]]]:
    """Give each heading of ours with the blocks below it."""
    current: tuple[Block, list[Block]] | None = None
    for block in blocks:
        heading = read_heading(rows[block.start]) if block.kind == "line" else None
        if heading is None:
            if current:
                current[1].append(block)
            continue
        if current:
            yield current
        current = (block, []) if heading.kind == "ours" else None
    if current:
        yield current


def _rewritten(raw: str, fact: Fact, heading: Heading) -> str:
    reading = read_item(clean(raw))
    if heading.kind == "older" and reading.comment is None:
        older = read_older(reading)
        if older != reading:  # tags in the text would be text once a comment of ours is there
            ours = format_fact(replace(fact, content=older.content), heading_chat=heading.chat)
            return ours + raw[len(raw.rstrip()) :]
    return rewrite(raw, fact, heading_chat=heading.chat)
