"""`litemem transcript`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from litemem.cli.given import given_text
from litemem.cli.lazy import InOrder
from litemem.cli.options import json_option
from litemem.cli.output import clean, print_json, say, show
from litemem.cli.session_home import on_logs
from litemem.errors import UnknownSession
from litemem.session.transcript import ROLES

if TYPE_CHECKING:
    from litemem.cli.session_home import Logs


@click.group("transcript", cls=InOrder)
def transcript_command() -> None:
    """Linear logs of conversations, one line per turn."""


@transcript_command.command("list")
@json_option
@on_logs
def list_transcripts(logs: Logs, *, as_json: bool) -> None:
    """List the sessions that have a transcript."""
    ids = logs.transcripts.list_transcripts()
    if as_json:
        print_json(ids)
        return
    if not ids:
        say("no transcripts yet")
    for session_id in ids:
        show(session_id)


@transcript_command.command("show")
@click.argument("session_id", metavar="ID")
@click.option(
    "--last", "last_n", type=click.IntRange(min=0), metavar="N", help="Only the newest N turns."
)
@click.option("--around", type=click.IntRange(min=1), metavar="LINE", help="Only near this line.")
@click.option(
    "-n", "--context", "beside", type=click.IntRange(min=0), default=5, help="How near; 5."
)
@json_option
@on_logs
def show_transcript(
    logs: Logs,
    session_id: str,
    *,
    last_n: int | None,
    around: int | None,
    beside: int,
    as_json: bool,
) -> None:
    """Print the turns of a transcript, each with its line in the file."""
    manager = logs.transcripts
    if not manager.transcript_exists(session_id):
        raise UnknownSession(f"there is no transcript {session_id!r} in {manager.base_dir}")
    found = manager.load_transcript(session_id, last_n)
    turns = [t for t in found.turns if around is None or abs(t.line - around) <= beside]
    for problem in found.problems:
        say(f"{problem.path}:{problem.line}: {problem.reason}")
    if as_json:
        print_json([{"line": turn.line, **turn.entry} for turn in turns])
        return
    for turn in turns:
        role, at = turn.entry.get("role"), turn.entry.get("ts") or ""
        click.secho(clean(f"── {role}  {at}  line {turn.line}"), bold=True)
        show(f"{turn.entry.get('content')}\n")


@transcript_command.command("append")
@click.argument("session_id", metavar="ID")
@click.argument("text")
@click.option("--role", type=click.Choice(ROLES), default="user")
@json_option
@on_logs
def append_transcript(logs: Logs, session_id: str, text: str, *, role: str, as_json: bool) -> None:
    """Add a turn to a transcript; `-` reads TEXT from standard input."""
    line = logs.transcripts.append_turn(session_id, role, given_text(text))
    if as_json:
        print_json({"session": session_id, "line": line})
    else:
        show(f"{session_id}: line {line}")
