"""Turns of a session printed, and as JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from litemem.cli.output import clean, faint, show
from litemem.session.pieces import pieces_of, role_of, writable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litemem.session import SessionNode, Turn
    from litemem.session.pieces import Piece

_LINES = 12  # of a tool's text
_WIDTH = 2_000  # characters of it
SHORT_ID = 8


def node_json(node: SessionNode, label: str | None = None) -> dict[str, Any]:  # Any: JSON
    """Return a node as JSON."""
    return {
        "id": node.id,
        "parent": node.parent,
        "created_at": when(node.created_at),
        "label": label,
        "turn": dict(writable(node.turn)),
    }


def when(created_at_ms: float) -> str | None:
    """Return a node's time in UTC; None where it's beyond the calendar."""
    try:
        at = datetime.fromtimestamp(created_at_ms / 1000, UTC)
    except (OverflowError, OSError, ValueError):
        return None
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def show_node(node: SessionNode, label: str | None, *, marked: bool = False) -> None:
    """Print a node: who, when, its id and label, and its blocks."""
    parts = [f"── {role_of(node.turn)}", when(node.created_at) or "", node.id[:SHORT_ID]]
    parts += [f"[{label}]"] if label else []
    parts += ["◀"] if marked else []
    click.secho(clean("  ".join(part for part in parts if part)), bold=True)
    show_blocks(node.turn)


def show_turns(turns: Sequence[Turn]) -> None:
    """Print turns that have no place in a tree."""
    for turn in turns:
        click.secho(clean(f"── {role_of(turn)}"), bold=True)
        show_blocks(turn)


def show_blocks(turn: Turn) -> None:
    """Print a turn's blocks; a tool's text is cut, the words of people and models aren't."""
    for piece in pieces_of(turn):
        match piece.kind:
            case "text":
                show(piece.text)
            case "thinking":
                click.echo(faint(piece.text))
            case _:
                click.echo(faint(_tool(piece)))
    show("")


def _tool(piece: Piece) -> str:
    signs = {"call": "→ ", "result": "← ", "image": "[image] ", "command": "/"}
    lines = piece.text[:_WIDTH].split("\n")
    text = "\n".join(lines[:_LINES])
    left_out = len(piece.text) - len(text)
    more = f" ... {left_out} more characters" if left_out else ""
    return f"{signs.get(piece.kind, '')}{piece.title} {text}{more}".rstrip()
