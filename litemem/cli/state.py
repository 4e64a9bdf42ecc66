"""`litemem state`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from litemem.cli.options import json_option
from litemem.cli.output import print_json
from litemem.cli.session_home import on_logs
from litemem.errors import UnknownSession

if TYPE_CHECKING:
    from litemem.cli.session_home import Logs


@click.group("state")
def state_command() -> None:
    """The last state of each session's agent."""


@state_command.command("show")
@click.argument("session_id", metavar="ID")
@json_option
@on_logs
def show_state(logs: Logs, session_id: str, *, as_json: bool) -> None:
    """Print a session's state, which is JSON with or without --json."""
    del as_json
    mirror = logs.states
    state = mirror.read_state(session_id)
    if state is None:
        raise UnknownSession(f"there is no state of session {session_id!r} in {mirror.base_dir}")
    print_json(state)
