"""A history as the plain text that a model condenses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from litemem.run.turns import Turn, blocks_of, field, serialized
from litemem.types import JsonObject

_HEAD_CHARS: Final = 3000  # of a tool's text: what it is
_TAIL_CHARS: Final = 1000  # and how it ended, which is where errors stand


def render_transcript(messages: Iterable[Turn]) -> str:
    """
    Write turns as text: `role:` and its blocks, one a line, turns parted by a blank line.

    A failed tool result is marked; a tool's input or output beyond 4,000 characters keeps its
    start and its end, with a note of how much was left out between.
    """
    return "\n\n".join(_turn(turn) for turn in messages)


def transcript_of(turns: Sequence[Turn]) -> str:
    """Return the transcript that a conversation holds: its one text, or else all its turns."""
    blocks = [block for turn in turns for block in blocks_of(turn)]
    if len(blocks) == 1 and blocks[0].get("kind") == "text":
        return field(blocks[0], "text")
    return render_transcript(turns)


def _turn(turn: Turn) -> str:
    parts = (_block(block) for block in blocks_of(turn))
    return f"{field(turn, 'role')}:\n" + "\n".join(part for part in parts if part)


def _block(block: JsonObject) -> str:
    match block.get("kind"):
        case "text" | "thinking":
            return field(block, "text")
        case "tool_call":
            return f"tool_call {field(block, 'name')}({clip(serialized(block.get('input')))})"
        case "tool_result":
            mark = " (failed)" if block.get("isError") is True else ""
            return f"tool_result{mark} -> {clip(serialized(block.get('output')))}"
        case "image":
            return f"[image {field(block, 'mediaType')}]"
        case _:
            return ""


def clip(text: str) -> str:
    """Keep the start and the end of a long text, and say how much is missing between."""
    left_out = len(text) - _HEAD_CHARS - _TAIL_CHARS
    if left_out <= 0:
        return text
    return f"{text[:_HEAD_CHARS]}\n[{left_out} characters left out]\n{text[-_TAIL_CHARS:]}"
