"""Which of an agent's steps are condensed: all but the first, the last ones and the request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from litemem.run.turns import Turn, blocks_of, is_summary, is_user_turn

Unit: TypeAlias = Sequence[Turn]
"""What a step says: turns that are never parted from each other."""

_FEWEST_KEPT: Final = 5  # spec, as the quarter
_ROOM: Final = 3  # the first step, the summary, a pinned request


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """`units[head:start]` is condensed, but for the pinned one."""

    head: int
    start: int
    pinned: int | None = None

    def gone(self) -> list[int]:
        """Return the places of what is condensed."""
        return [i for i in range(self.head, self.start) if i != self.pinned]


def find_window(units: Sequence[Unit], *, max_steps: int) -> Window | None:
    """
    Return what to condense, or None when it isn't worth it.

    Kept are the first unit, the last max(5, a quarter), and before them the last request of the
    user, where it would go otherwise. The end kept starts earlier where it begins with a result
    whose call comes before it; it is shorter than a quarter where `max_steps` would be exceeded
    again at once. What answers a call of the first unit stays with it. What consists of earlier
    summaries alone isn't condensed again.
    """
    keep = max(_FEWEST_KEPT, min(len(units) // 4, max_steps - _ROOM))
    start, head = max(len(units) - keep, 0), 1
    pairs = _pairs(units)
    for call, result in reversed(pairs):
        if result >= start and head <= call < start:
            start = call
    for call, result in pairs:
        if call < head <= result < start:
            head = result + 1
    last = max((i for i, unit in enumerate(units) if any(map(is_user_turn, unit))), default=0)
    window = Window(head=head, start=start, pinned=last if head <= last < start else None)
    return None if all(map(is_summary, turns_at(units, window.gone()))) else window


def turns_at(units: Sequence[Unit], places: Iterable[int]) -> list[Turn]:
    """Return the turns of the units at these places."""
    return [turn for i in places for turn in units[i]]


def _pairs(units: Sequence[Unit]) -> list[tuple[int, int]]:
    """Return the places of each tool call and its result, in the order of the results."""
    called: dict[object, int] = {}
    pairs: list[tuple[int, int]] = []
    for i, unit in enumerate(units):
        for block in (block for turn in unit for block in blocks_of(turn)):
            if block.get("kind") == "tool_call":
                called[block.get("id")] = i
            elif block.get("kind") == "tool_result" and block.get("callId") in called:
                pairs.append((called[block.get("callId")], i))
    return pairs
