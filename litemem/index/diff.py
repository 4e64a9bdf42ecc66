"""What changed between the rows of a file and what the file says now."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from litemem.index.rows import Row, Stored


@dataclass(slots=True, kw_only=True)
class Diff:
    """The least that must be done."""

    added: list[Row] = field(default_factory=list)
    removed: list[Stored] = field(default_factory=list)
    changed: list[tuple[Stored, Row]] = field(default_factory=list)  # same text: vector stays
    kept: list[tuple[Stored, Row]] = field(default_factory=list)  # equal, but for the line


def diff(old: Sequence[Stored], new: Sequence[Row]) -> Diff:
    """
    Match rows: equal ones first, then by id and text, then by text alone.

    Args:
        old: in the order of their lines.
        new: likewise.
    """
    result = Diff()
    rest, result.kept, left = _match(old, new, _content)
    rest, by_id, left = _match(rest, left, lambda row: (row.id, *row.embedded))
    result.removed, by_text, result.added = _match(rest, left, lambda row: row.embedded)
    result.changed = by_id + by_text
    return result


def _content(row: Row) -> Hashable:
    return row[1:]  # all but the line


def _match(
    old: Iterable[Stored], new: Iterable[Row], key: Callable[[Row], Hashable]
) -> tuple[list[Stored], list[tuple[Stored, Row]], list[Row]]:
    """Return the old rows without a partner, the pairs, and the new rows without a partner."""
    waiting: defaultdict[Hashable, deque[Stored]] = defaultdict(deque)
    for stored in old:
        waiting[key(stored.row)].append(stored)
    pairs: list[tuple[Stored, Row]] = []
    left: list[Row] = []
    for row in new:
        partners = waiting.get(key(row))
        if partners:
            pairs.append((partners.popleft(), row))
        else:
            left.append(row)
    rest = sorted((one for many in waiting.values() for one in many), key=lambda one: one.row.line)
    return rest, pairs, left
