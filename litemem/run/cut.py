"""Where a history is cut for condensation, and what is spliced together afterwards."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from litemem.errors import InvalidValue
from litemem.run.turns import (
    TOOL_KINDS,
    Turn,
    blocks_of,
    holds,
    is_summary,
    is_user_turn,
    without_tools,
)
from litemem.types import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """`messages[:at]` is condensed; `pinned` is a turn before `at` that is kept all the same."""

    at: int
    pinned: int | None = None


def find_cut_point(messages: Sequence[Turn], keep_recent: float) -> int:
    """
    Return the index of the first turn to keep: 0 condenses nothing, `len(messages)` everything.

    The kept tail never starts with a tool result, so that in a well-formed history no result is
    parted from its call.

    Args:
        messages: wire turns.
        keep_recent: how many trailing turns to keep; rounded down, negative counts as 0.

    Raises:
        InvalidValue: `keep_recent` is NaN.
    """
    if math.isnan(keep_recent):
        raise InvalidValue("keep_recent is a number of turns, not NaN")
    if keep_recent >= len(messages):
        return 0
    cut = len(messages) - math.floor(max(0, keep_recent))
    while cut < len(messages) and holds(messages[cut], "tool_result"):
        cut += 1
    return cut


def find_cut(messages: Sequence[Turn], keep_recent: float) -> Cut | None:
    """
    Return where to cut, or None when there is nothing to condense.

    Unlike `find_cut_point` it also steps past a result whose call comes earlier than one turn
    before, and pins the last user turn when the cut would drop it.
    """
    at = _past_lone_results(messages, find_cut_point(messages, keep_recent))
    last = _last_user_turn(messages)
    pinned = last if last is not None and last < at else None
    condensed = (turn for i, turn in enumerate(messages[:at]) if i != pinned)
    if all(is_summary(turn) for turn in condensed):
        return None  # a summary of a summary says less, and costs a model call
    return Cut(at=at, pinned=pinned)


def splice(messages: Sequence[Turn], cut: Cut, summary: Turn) -> list[Turn]:
    """Put a history together again: the summary, the pinned turn, the tail."""
    pinned = [] if cut.pinned is None else [without_tools(messages[cut.pinned])]
    return [summary, *pinned, *messages[cut.at :]]


def dropped(messages: Sequence[Turn], cut: Cut) -> list[Turn]:
    """Return what `splice` leaves out: the turns before a cut, of the pinned one only its tools."""
    found = list(messages[: cut.at])
    if cut.pinned is not None:
        turn = found.pop(cut.pinned)
        if tools := _tools(turn):
            found.insert(cut.pinned, {**turn, "blocks": tools})
    return found


def _past_lone_results(messages: Sequence[Turn], cut: int) -> int:
    """Move a cut past every later result whose call isn't kept; 0 stays 0."""
    if cut == 0:
        return 0
    calls: set[str] = set()
    for i in range(cut, len(messages)):
        calls.update(_ids(messages[i], "tool_call", "id"))
        if not calls.issuperset(_ids(messages[i], "tool_result", "callId")):
            cut = i + 1
            calls.clear()
    return cut


def _last_user_turn(messages: Sequence[Turn]) -> int | None:
    return next((i for i in reversed(range(len(messages))) if is_user_turn(messages[i])), None)


def _tools(turn: Turn) -> list[JsonObject]:
    return [block for block in blocks_of(turn) if block.get("kind") in TOOL_KINDS]


def _ids(turn: Turn, kind: str, key: str) -> Iterator[str]:
    return (str(block.get(key)) for block in blocks_of(turn) if block.get("kind") == kind)
