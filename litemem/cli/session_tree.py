"""`litemem session tree`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from litemem.cli.options import json_option
from litemem.cli.output import clean, counted, faint, print_json
from litemem.cli.session_home import on_logs
from litemem.cli.turns import SHORT_ID, when
from litemem.session.browse import existing, tree_rows
from litemem.session.pieces import preview, role_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from litemem.cli.session_home import Logs
    from litemem.session import Compaction, SessionGraph
    from litemem.session.browse import Row

_BESIDE = 2  # rows kept on each side of one that matters
_INDENTS = 20  # columns drawn; deeper ones are numbered


@click.command("tree")
@click.argument("session_id", metavar="ID")
@click.option(
    "--all", "whole", is_flag=True, help="Every turn, also of long runs without a branch."
)
@json_option
@on_logs
def tree_command(logs: Logs, session_id: str, *, whole: bool, as_json: bool) -> None:
    """
    Draw the branches of a session, with labels, the head, and where condensations cut.

    The path to the head is the left column. A branch stands, indented, below the turn that it
    leaves.
    """
    graph = existing(logs.sessions, session_id)
    rows = tree_rows(graph)
    if as_json:
        print_json(_tree_json(graph, rows))
        return
    kept = set(range(len(rows))) if whole else _kept(rows)
    for line in _lines(rows, kept):
        click.echo(line)


def _kept(rows: Sequence[Row]) -> set[int]:
    """Return which rows to draw: those that matter, with a few beside."""
    kept: set[int] = set()
    for i, row in enumerate(rows):
        is_turn = i + 1 == len(rows) or rows[i + 1].column != row.column
        if row.matters or is_turn:
            kept.update(range(max(0, i - _BESIDE), min(len(rows), i + _BESIDE + 1)))
    return kept


def _lines(rows: Sequence[Row], kept: set[int]) -> Iterator[str]:
    left_out = 0
    for i, row in enumerate(rows):
        if i in kept:
            yield from _row_lines(row)
            continue
        left_out += 1
        if i + 1 == len(rows) or i + 1 in kept:
            yield faint(f"{_indent(row.column)}⋮ {counted(left_out, 'turn')}")
            left_out = 0


def _row_lines(row: Row) -> Iterator[str]:
    bars = _indent(row.column)
    for cut in row.cuts:
        yield faint(f"{bars}✂ {_cut(cut)}")
    branch = f"{_indent(row.column - 1)}├─" if row.column and row.starts else bars
    words = f"{role_of(row.node.turn):<9}  {preview(row.node.turn)}"
    marks = click.style(clean(f"  [{row.label}]"), fg="yellow") if row.label else ""
    marks += click.style("  ◀ head", fg="green") if row.is_head else ""
    dot = "●" if row.is_head else "○"
    side = faint(when(row.node.created_at) or "")
    yield f"{branch}{dot} {clean(row.node.id[:SHORT_ID])}  {clean(words)}{marks}  {side}"
    for cut in row.ends:
        yield faint(f"{bars}✂ {_cut(cut)}")


def _indent(column: int) -> str:
    if column > _INDENTS:
        return "│ " * _INDENTS + f"({column}) "
    return "│ " * column


def _cut(cut: Compaction) -> str:
    tokens = "" if cut.tokens_before is None else f" of {cut.tokens_before} tokens"
    return f"condensed{tokens}: {preview(cut.summary)}"


def _tree_json(graph: SessionGraph, rows: Sequence[Row]) -> dict[str, object]:
    return {
        "id": graph.session_id,
        "name": graph.marks.name,
        "leaf": graph.leaf,
        "nodes": [
            {
                "id": row.node.id,
                "parent": row.node.parent,
                "role": role_of(row.node.turn),
                "text": preview(row.node.turn),
                "created_at": when(row.node.created_at),
                "label": row.label,
                "column": row.column,
            }
            for row in rows
        ],
        "compactions": [
            {
                "id": one.id,
                "leaf": one.leaf,
                "first_kept": one.first_kept,
                "text": preview(one.summary),
            }
            for one in graph.marks.compactions.values()
        ],
    }
