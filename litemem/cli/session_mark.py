"""`litemem session rename`, `label` and `archive`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from litemem.cli.options import json_option
from litemem.cli.output import print_json, show
from litemem.cli.session_home import on_logs
from litemem.session.browse import existing, find_node

if TYPE_CHECKING:
    from litemem.cli.session_home import Logs

_remove = click.option("--remove", is_flag=True, help="Take it away.")


@click.command("rename")
@click.argument("session_id", metavar="ID")
@click.argument("name", required=False)
@_remove
@json_option
@on_logs
def rename_command(
    logs: Logs, session_id: str, *, name: str | None, remove: bool, as_json: bool
) -> None:
    """Give a session a NAME for people; its id and file stay."""
    _one_of(name, "NAME", remove=remove)
    logs.sessions.rename(session_id, name)
    if as_json:
        print_json({"session": session_id, "name": name})
    else:
        show(f"{session_id} is called {name!r}" if name else f"{session_id} has no name")


@click.command("label")
@click.argument("session_id", metavar="ID")
@click.argument("node")
@click.argument("label", required=False)
@_remove
@json_option
@on_logs
def label_command(
    logs: Logs, session_id: str, node: str, *, label: str | None, remove: bool, as_json: bool
) -> None:
    """Name a turn; the LABEL stands for its id from then on."""
    _one_of(label, "LABEL", remove=remove)
    store = logs.sessions
    found = find_node(existing(store, session_id), node)
    store.label(session_id, found, label)
    if as_json:
        print_json({"session": session_id, "node": found, "label": label})
    else:
        show(f"{found} is labelled {label!r}" if label else f"{found} has no label")


@click.command("archive")
@click.argument("session_id", metavar="ID")
@click.option("--undo", is_flag=True, help="Take it out again.")
@json_option
@on_logs
def archive_command(logs: Logs, session_id: str, *, undo: bool, as_json: bool) -> None:
    """Put a session away: `session list` leaves it out. Nothing of it is lost."""
    logs.sessions.archive(session_id, archived=not undo)
    if as_json:
        print_json({"session": session_id, "archived": not undo})
    else:
        show(f"{session_id} is {'listed again' if undo else 'archived'}")


def _one_of(text: str | None, what: str, *, remove: bool) -> None:
    if bool(text) == remove:
        raise click.UsageError(f"give {what}, or --remove")
