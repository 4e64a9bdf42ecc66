"""A daily log: the facts of one day, by time and chat, in a markdown file people may edit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo

from litemem.text.comment import clean, is_dirty
from litemem.text.edit import remove_items, rewrite_items
from litemem.text.factline import Reading, format_fact, has_comment, read_item
from litemem.text.headings import Heading, format_heading, read_heading
from litemem.text.ids import derived_id
from litemem.text.older import read_older
from litemem.text.outline import Block, outline, split_blocks
from litemem.types import Fact

__all__ = ["Item", "Log", "entry", "parse_log", "remove_items", "rewrite_items"]

_NOWHERE = Heading(kind="other")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A fact and where it stands."""

    fact: Fact
    line: int  # its first line, from 1
    end: int  # the line after its last one
    explicit: bool  # its id is in the file, not derived from its text


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """What a daily log holds."""

    items: tuple[Item, ...]
    problems: tuple[tuple[int, str], ...]  # line from 1, what was wrong; reading went on


def parse_log(text: str, *, day: date, key: str, zone: tzinfo) -> Log:
    """
    Read a daily log; any text is one.

    Args:
        text: the whole file, bytes that aren't UTF-8 as lone surrogates.
        day: the log's day, for facts without an instant of their own.
        key: the file below the home folder, for the ids of hand-written lines.
        zone: where the headings' clock times hold.
    """
    problems: list[tuple[int, str]] = []
    found = list(_readings(text, problems))
    taken = {reading.fields["id"] for _, reading, _ in found if "id" in reading.fields}
    occurrences: dict[str, int] = {}
    items = []
    for block, reading, heading in found:
        fields = reading.fields
        explicit = "id" in fields
        if not explicit:
            fields["id"] = _free_id(key, reading.content, occurrences, taken)
        if "created_at" not in fields:
            fields["created_at"] = _instant(day, heading.clock, zone)
        fields.setdefault("chat_id", heading.chat)
        fact = Fact(content=reading.content, category=reading.category, tags=reading.tags, **fields)
        items.append(Item(fact=fact, line=block.start + 1, end=block.end + 1, explicit=explicit))
    return Log(items=tuple(items), problems=tuple(sorted(problems)))


def entry(
    facts: Sequence[Fact],
    *,
    day: date,
    zone: tzinfo,
    tail: str | None,
    written: datetime | None = None,
) -> str:
    """
    Give the text to append to a daily log for these facts, in their order.

    Args:
        facts: in the order they are to be read back.
        day: the log's day, for the header of a new file.
        zone: where the headings' clock times hold.
        tail: the last few KB of the file; None when there is no file yet.
        written: when, for the headings; None: when the facts were said.

    Returns:
        '' for no facts; else text that ends with LF. It begins with LF where the file's last line
        lacks one.

    Raises:
        InvalidFact: as `format_fact`.
    """
    if not facts:
        return ""
    new = not (tail or "").removeprefix("\ufeff")
    parts = [f"# {day.isoformat()}\n"] if new else ["" if str(tail).endswith("\n") else "\n"]
    open_heading = _open_heading(tail or "")
    blank = not new and str(tail).endswith("\n\n")
    for fact in facts:
        clock = _clock(written or fact.created_at, zone)
        heading = format_heading(clock, fact.chat_id)
        shown = read_heading(heading) or _NOWHERE
        if heading != open_heading:
            parts.append(f"{heading}\n\n" if blank else f"\n{heading}\n\n")
        open_heading, blank = heading, False
        parts.append(format_fact(fact, heading_chat=shown.chat) + "\n")
    return "".join(parts)


def _readings(
    text: str, problems: list[tuple[int, str]]
) -> Iterator[tuple[Block, Reading, Heading]]:
    """Give where every fact stands, what it says, and its heading."""
    lines = clean(text.removeprefix("\ufeff")).split("\n")
    plan = outline(lines)
    problems += plan.problems
    if is_dirty(text):
        bad = [at for at, line in enumerate(text.split("\n"), 1) if is_dirty(line)]
        problems += [(at, "bytes that aren't UTF-8 were read as U+FFFD") for at in bad]
    heading = _NOWHERE
    for block in plan.blocks:
        if block.kind == "line" and (read := read_heading(lines[block.start])):
            heading = read
            if heading.problem:
                problems.append((block.start + 1, heading.problem))
        if block.kind == "item":
            reading = _reading("\n".join(lines[block.start : block.end]), heading)
            problems += [(block.start + 1, problem) for problem in reading.problems]
            if reading.content:
                yield block, reading, heading
            elif reading.comment is not None:
                problems.append((block.start + 1, "a line without text is no fact"))


def _reading(raw: str, heading: Heading) -> Reading:
    reading = read_item(raw)
    if heading.kind == "older" and reading.comment is None:
        reading = read_older(reading)
    return reading


def _free_id(key: str, content: str, occurrences: dict[str, int], taken: set[str]) -> str:
    occurrence = occurrences.get(content, 0)
    # A derived id that a line has taken over as its own isn't given to its equals.
    while (fact_id := derived_id(key, content, occurrence)) in taken:
        occurrence += 1
    occurrences[content] = occurrence + 1
    return fact_id


def _instant(day: date, clock: time | None, zone: tzinfo) -> datetime:
    local = datetime.combine(day, clock or time(), zone)
    try:
        return local.astimezone(UTC)
    except OverflowError:  # the first or last day that Python knows
        return local.replace(tzinfo=UTC)


def _clock(at: datetime, zone: tzinfo) -> time:
    try:
        return at.astimezone(zone).time()
    except OverflowError:
        return at.time()


def _open_heading(tail: str) -> str | None:
    """Give our heading that text appended to a file would stand under, if that is certain."""
    lines = tail.split("\n")[1:]  # the first may be the rest of a longer one, or have a BOM
    for at in range(len(lines) - 1, -1, -1):
        if lines[at].startswith("#"):
            heading = read_heading(lines[at])
            certain = heading and heading.kind == "ours" and _is_plain(lines[at + 1 :])
            return lines[at].rstrip() if certain else None
    return None


def _is_plain(lines: Sequence[str]) -> bool:
    """Say whether lines hold facts alone, and nothing that could close a fence or comment."""
    for block in split_blocks(lines):
        if block.kind == "line":
            return False
        raw = "\n".join(lines[block.start : block.end])
        if "-->" in raw and not has_comment(raw):
            return False
    return True
