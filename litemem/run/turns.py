"""Wire turns as plain dicts with camelCase keys, and what their blocks hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from litemem.text.jsjson import dumps
from litemem.types import JsonObject

Turn: TypeAlias = JsonObject
"""`{"role": "user"|"assistant"|"tool", "blocks": [...]}`, kept as it came."""

SUMMARY_HEADING: Final = "[condensed earlier context]"
"""How the text of a summary turn begins; spec section "summarize"."""
TOOL_KINDS: Final = frozenset({"tool_call", "tool_result"})


def text_turn(role: str, text: str) -> Turn:
    """Make a turn of one text block."""
    return {"role": role, "blocks": [{"kind": "text", "text": text}]}


def blocks_of(turn: Turn) -> Iterator[JsonObject]:
    """Yield a turn's blocks in order; what isn't a block (no list, no object) is passed over."""
    blocks = turn.get("blocks")
    if isinstance(blocks, list | tuple):
        yield from (block for block in blocks if isinstance(block, dict))


def holds(turn: Turn, kind: str) -> bool:
    """Whether a turn has a block of this kind, whatever the turn's role."""
    return any(block.get("kind") == kind for block in blocks_of(turn))


def field(block: JsonObject, key: str) -> str:
    """Return a block's text field, or '' where it has none."""
    value = block.get(key)
    return value if isinstance(value, str) else ""


def serialized(value: object) -> str:
    """Write a tool's input or output as text: a string is itself, anything else compact JSON."""
    return value if isinstance(value, str) else dumps(value)


def is_summary(turn: Turn) -> bool:
    """Whether a turn is what `summarize` made of earlier ones."""
    blocks = list(blocks_of(turn))
    return (
        turn.get("role") == "user"
        and len(blocks) == 1
        and blocks[0].get("kind") == "text"
        and field(blocks[0], "text").startswith(SUMMARY_HEADING)
    )


def is_user_turn(turn: Turn) -> bool:
    """Whether the user says something in a turn: a summary, or tool blocks alone, don't count."""
    return (
        turn.get("role") == "user"
        and not is_summary(turn)
        and any(block.get("kind") not in TOOL_KINDS for block in blocks_of(turn))
    )


def without_tools(turn: Turn) -> Turn:
    """Take a turn's tool calls and results out; the same turn where there are none."""
    kept = [block for block in blocks_of(turn) if block.get("kind") not in TOOL_KINDS]
    return turn if len(kept) == len(list(blocks_of(turn))) else {**turn, "blocks": kept}
