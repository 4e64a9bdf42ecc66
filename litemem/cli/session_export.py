"""`litemem session export`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from litemem.cli.options import json_option
from litemem.cli.output import clean, counted, print_json, show
from litemem.cli.session_home import on_logs
from litemem.errors import FileTrouble, InvalidValue
from litemem.files.write import replace_file
from litemem.session.browse import existing
from litemem.session.export import EXPORT_FORMATS, export_session
from litemem.settings.home import real

if TYPE_CHECKING:
    from litemem.cli.session_home import Logs
    from litemem.session.export import ExportFormat
    from litemem.settings import Home


@click.command("export")
@click.argument("session_id", metavar="ID")
@click.option(
    "--format", "name", type=click.Choice(EXPORT_FORMATS), help="Default: by FILE, else md."
)
@click.option("-o", "--output", "path", metavar="FILE", type=click.Path(dir_okay=False))
@json_option
@on_logs
def export_command(
    logs: Logs, session_id: str, *, name: ExportFormat | None, path: str | None, as_json: bool
) -> None:
    """
    Write a session with all its branches as Markdown, as JSON, or as one HTML page.

    The page opens offline and runs no script; JSON can be imported again. --json prints what was
    written where; without FILE it means --format json.
    """
    if path is not None:
        _check_target(logs.home, Path(path))
    graph = existing(logs.sessions, session_id)
    chosen = name or _format_of(path, as_json=as_json and path is None)
    pieces = export_session(graph, chosen)
    if path is None:
        is_screen = sys.stdout.isatty()  # where a turn could command the terminal
        for piece in pieces:
            click.echo(clean(piece) if is_screen else piece, nl=False)
        return
    data = "".join(pieces).encode()
    replace_file(Path(path), data)
    if as_json:
        found = {"session": session_id, "file": path, "format": chosen}
        print_json({**found, "size_bytes": len(data), "turns": graph.size})
    else:
        show(f"{session_id}: {counted(graph.size, 'turn')} in {path}")


def _check_target(home: Home, path: Path) -> None:
    """Refuse a file that the home itself keeps, and one whose folder isn't there."""
    if home.owns(path):
        raise InvalidValue(f"can't export to {path}: the home's own data is there; name another")
    if not real(path).parent.is_dir():
        raise FileTrouble(f"can't write {path}: there is no folder {path.parent}; make it first")


def _format_of(path: str | None, *, as_json: bool) -> ExportFormat:
    if as_json:
        return "json"
    ending = "" if path is None else Path(path).suffix.lower()
    return {".html": "html", ".htm": "html", ".json": "json"}.get(ending, "md")  # type: ignore[return-value]  # of a literal table
