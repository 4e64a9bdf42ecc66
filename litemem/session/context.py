"""What a model gets to read of a path: all of it, or a summary and what was kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from litemem.errors import InvalidValue
from litemem.session.nodes import SessionNode, Turn
from litemem.session.records import Compaction

_TOOLS: Final = frozenset({"tool_call", "tool_result"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The turns of a path as a run resumes them: `[summary, pinned turns, kept tail]`, or all."""

    compaction: Compaction | None  # None: nothing was condensed, `tail` is the whole path
    pinned: tuple[SessionNode, ...]
    tail: tuple[SessionNode, ...]

    def turns(self) -> list[Turn]:
        """Return the turns in order, the summary first."""
        tail = [node.turn for node in self.tail]
        if self.compaction is None:
            return tail
        pinned = [without_tools(node.turn) for node in self.pinned]
        return [self.compaction.summary, *pinned, *tail]

    def cut(self, at: int, pin: int | None) -> tuple[tuple[str, ...], str | None]:
        """
        Return what a condensation keeps: ids of pinned nodes, and the first of the tail.

        Args:
            at: index into `turns()`: from there all is kept.
            pin: index of an older turn that is kept too.

        Raises:
            InvalidValue: nothing would be condensed, or an index is out of range.
        """
        nodes = [*self.pinned, *self.tail]
        summaries = 0 if self.compaction is None else 1
        turns = len(nodes) + summaries
        if not 0 < at <= turns or (pin is not None and not summaries <= pin < at):
            raise InvalidValue(f"can't cut {turns} turns at {at} and pin {pin}: out of range")
        start, tail = at - summaries, len(self.pinned)
        pinned = [] if pin is None else [nodes[pin - summaries].id]
        pinned += [node.id for node in nodes[start:tail]]
        kept = nodes[max(start, tail) :]
        return tuple(pinned), kept[0].id if kept else None


def latest(path: Sequence[str], compactions: Iterable[Compaction]) -> Compaction | None:
    """
    Return the condensation that counts for a path: the one made nearest to its end, then the last.

    One counts when the path goes through the leaf it was made at. So a branch that was taken
    before sees its full history.
    """
    place = {node: i for i, node in enumerate(path)}
    found: Compaction | None = None
    for compaction in compactions:
        if _fits(compaction, place) and (
            found is None or place[compaction.leaf] >= place[found.leaf]
        ):
            found = compaction
    return found


def _fits(compaction: Compaction, place: Mapping[str, int]) -> bool:
    end = place.get(compaction.leaf)
    if end is None or compaction.first_kept is None:
        return end is not None
    return place.get(compaction.first_kept, end + 1) <= end


def context_of(
    path: Sequence[str], nodes: Mapping[str, SessionNode], compaction: Compaction | None
) -> Context:
    """Apply a condensation that fits to a path."""
    if compaction is None:
        return Context(compaction=None, pinned=(), tail=tuple(nodes[node] for node in path))
    kept = compaction.first_kept
    cut = path.index(compaction.leaf) + 1 if kept is None else path.index(kept)
    older = set(compaction.pinned)
    return Context(
        compaction=compaction,
        pinned=tuple(nodes[node] for node in path[:cut] if node in older),
        tail=tuple(nodes[node] for node in path[cut:]),
    )


def without_tools(turn: Turn) -> Turn:
    """Take tool calls and results out of a pinned turn: their other halves are condensed."""
    blocks = turn.get("blocks")
    if not isinstance(blocks, list):
        return turn
    kept = [block for block in blocks if not _is_tool(block)]
    return turn if len(kept) == len(blocks) else {**turn, "blocks": kept}


def _is_tool(block: object) -> bool:
    return isinstance(block, dict) and block.get("kind") in _TOOLS
