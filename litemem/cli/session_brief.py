"""`litemem session show --brief`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from litemem.cli.output import clean, faint, print_json, show
from litemem.cli.turns import SHORT_ID, when
from litemem.session.brief import brief
from litemem.session.pieces import role_of

if TYPE_CHECKING:
    from litemem.session import SessionGraph
    from litemem.session.brief import Part


def show_brief(graph: SessionGraph, *, tools: bool, as_json: bool) -> None:
    """Print the first and last turns of a session, and how many were left out between."""
    found = brief(graph, tools=tools)
    if as_json:
        first, last = ([_part_json(part) for part in parts] for parts in (found.first, found.last))
        cut = {"first": first, "left_out": found.left_out, "last": last}
        print_json({**session_json(graph), **cut})
        return
    if graph.marks.name:
        show(graph.marks.name)
    for part in found.first:
        _print(part)
    if found.mark:
        click.echo(faint(f"{found.mark}\n"))
    for part in found.last:
        _print(part)


def session_json(graph: SessionGraph) -> dict[str, object]:
    """Return what a session is called and where it ends, as JSON."""
    return {
        "id": graph.session_id,
        "name": graph.marks.name,
        "archived": graph.marks.archived,
        "leaf": graph.leaf,
        "turns": graph.size,
    }


def _part_json(part: Part) -> dict[str, Any]:  # Any: JSON
    node = part.node
    return {
        "id": node.id,
        "role": role_of(node.turn),
        "created_at": when(node.created_at),
        "text": part.text,
    }


def _print(part: Part) -> None:
    node = part.node
    head = (f"── {role_of(node.turn)}", when(node.created_at) or "", node.id[:SHORT_ID])
    click.secho(clean("  ".join(filter(None, head))), bold=True)
    show(f"{part.text}\n")
