"""What exports say of a session and of a turn besides its words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from litemem.session.browse import Row
from litemem.session.graph import SessionGraph
from litemem.session.pieces import preview, role_of

SHORT_ID: Final = 8
ANOTHER: Final = "Another beginning"
"""Stands above turns that don't descend from the first one."""


def title_of(graph: SessionGraph) -> str:
    """Return a session's name, or its id."""
    return " ".join((graph.marks.name or graph.session_id).split())


def moment(created_at_ms: float) -> str:
    """Return a node's time to the minute in UTC; '' beyond the calendar."""
    try:
        at = datetime.fromtimestamp(created_at_ms / 1000, UTC)
    except (OverflowError, OSError, ValueError):
        return ""
    return f"{at:%Y-%m-%d %H:%M} UTC"


def heading_of(row: Row) -> str:
    """Return who spoke, when, and how the turn is marked."""
    node = row.node
    label = f"[{row.label}]" if row.label else ""
    parts = (role_of(node.turn), moment(node.created_at), label, "head" if row.is_head else "")
    return " · ".join(part for part in parts if part)


def branch_title(rows: list[Row]) -> str:
    """Return what a branch is called: how long it is, and how it begins."""
    return f"Branch of {len(rows)} turn{'s' if len(rows) > 1 else ''}: {preview(rows[0].node.turn)}"


def by_root(rows: list[Row]) -> list[list[Row]]:
    """Part the rows of a tree by the root they descend from."""
    parts: list[list[Row]] = []
    for row in rows:
        if not parts or (row.starts and row.column == 0):
            parts.append([])
        parts[-1].append(row)
    return parts


def parted(rows: list[Row]) -> list[list[Row]]:
    """
    Part the rows of one root into runs: of the main path, and of each side branch with its own.

    A run of side branches stands behind the run that ends with the turn they leave.
    """
    runs: list[list[Row]] = []
    for row in rows:
        is_side = row.column > 0
        starts = row.starts and row.column <= 1
        if not runs or starts or (runs[-1][0].column > 0) != is_side:
            runs.append([])
        runs[-1].append(row)
    return runs
