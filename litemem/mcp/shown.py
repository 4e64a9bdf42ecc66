"""What the tools say: memories as marked text, in which none can pose as an instruction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, tzinfo
from typing import Final

from litemem.mcp.shapes import cut
from litemem.memory.forget import Forgotten
from litemem.memory.remember import Remembered
from litemem.memory.search import Results
from litemem.text.prompt import MAX_BLOCK_CHARS, MAX_CHARS, marked_block, prompt_block
from litemem.types import Hit

NOTHING: Final = "Nothing found."


def found_text(results: Results, zone: tzinfo) -> str:
    """Return a line a match, with its id for `forget` and `remember`."""
    note = f" ({results.note})" if results.note else ""
    if not results:
        return f"{NOTHING}{note}"
    return f"{_counted(len(results))} found{note}:\n" + prompt_block(
        [f"[{'; '.join(_about(hit, zone))}] {_said(hit)}" for hit in results]
    )


def kept_text(done: Remembered) -> str:
    """Say what became of a text, and what nearly says the same."""
    what = "Remembered" if done.created else "Known already, and confirmed"
    parts = [f"{what} as {done.id}."]
    if done.warning:
        parts.append(f"Note: {done.warning}.")
    if done.similar_to:
        parts.append(
            "Nearly the same is known; if this takes its place, remember it again with replaces:\n"
            + prompt_block([f"[{one.id}] {cut(one.content)}" for one in done.similar_to])
        )
    return " ".join(parts)


def gone_text(done: Forgotten) -> str:
    """Say what was forgotten, and where the same words still stand."""
    count = len(done.ids)
    said = f"{count} version{'' if count == 1 else 's'} forgotten for good."
    if done.erased_turns:
        said += f" Blanked in {done.erased_turns} turns of conversations."
    if done.still_in:
        said += f" The same words still stand in {', '.join(done.still_in)}."
    return said


def blocks_text(blocks: Mapping[str, str]) -> str:
    """Return blocks one after the other, each between tags with its label."""
    return "\n".join(
        marked_block(label, text, max_chars=MAX_BLOCK_CHARS) or f"Block {label} is unset."
        for label, text in blocks.items()
    )


def log_text(day: date, text: str) -> str:
    """Return a day's log between tags; of a long one its end."""
    room = MAX_CHARS // 2  # markup is escaped, so it grows
    shown = text if len(text) <= room else text[-room:].partition("\n")[2] or text[-room:]
    left_out = len(text) - len(shown)
    note = f"({left_out} earlier characters left out)\n" if left_out else ""
    return note + (
        marked_block("daily_log", shown, max_chars=MAX_CHARS) or f"No log for {day.isoformat()}."
    )


def _about(hit: Hit, zone: tzinfo) -> Iterator[str]:
    origin = hit.source.origin
    yield hit.id
    if hit.created_at is not None:
        yield hit.created_at.astimezone(zone).date().isoformat()
    if hit.kind == "fact":
        yield hit.category
    elif origin is not None:
        yield f"session {origin.session}"
    if hit.speaker:
        yield hit.speaker
    yield "by keyword" if hit.similarity is None else f"relevance {hit.similarity:.2f}"
    yield from (f"#{tag}" for tag in hit.tags)


def _said(hit: Hit) -> str:
    return cut(hit.content if hit.kind == "fact" else hit.snippet)


def _counted(count: int) -> str:
    return "1 match" if count == 1 else f"{count} matches"
