"""Take facts out of a markdown file or rewrite their comments; all else stays byte for byte."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from litemem.text.comment import clean
from litemem.text.factline import format_fact, read_item, rewrite
from litemem.text.headings import Heading, read_heading
from litemem.text.older import read_older
from litemem.text.outline import Block, outline
from litemem.types import Fact


def remove_items(text: str, lines: Collection[int]) -> str:
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
    unknown = wanted - {block.start + 1 for block in blocks if block.kind == "item"}
    if unknown:
        raise ValueError(f"no list item begins on line {min(unknown)}")
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
    return bom + kept


def rewrite_item(text: str, line: int, fact: Fact) -> str:
    """
    Write a fact's comment, category and tags anew where it stands; its text stays as it is.

    Args:
        text: the whole file.
        line: the item's first line, from 1, as `parse_log` gives it.
        fact: its content isn't looked at; its id is in the file then.

    Raises:
        ValueError: no list item begins on that line.
        InvalidFact: as `format_fact`.
    """
    bom = text[: text.startswith("\ufeff")]
    rows = text[len(bom) :].split("\n")
    heading = Heading(kind="other")
    for block in outline(rows).blocks:
        if block.kind == "item" and block.start + 1 == line:
            break
        if block.kind == "line":
            heading = read_heading(rows[block.start]) or heading
    else:
        raise ValueError(f"no list item begins on line {line}")
    raw = "\n".join(rows[block.start : block.end])
    new = _rewritten(raw, fact, heading)
    return bom + "\n".join([*rows[: block.start], new, *rows[block.end :]])


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
