"""`litemem session`: the commands by topic."""

from __future__ import annotations

import click

from litemem.cli.lazy import Commands, LazyGroup

_COMMANDS: Commands = {
    "list": ("session_view", "List sessions, the one with the newest turn first."),
    "show": ("session_view", "Show the turns of a session."),
    "tree": ("session_tree", "Draw the branches of a session."),
    "resume": ("session_view", "Print what a run goes on with: a summary and the kept turns."),
    "append": ("session_edit", "Add a turn after the last one, or a branch."),
    "branch": ("session_edit", "Make a turn the one that the next turn follows."),
    "fork": ("session_edit", "Copy the path to a turn into a new session."),
    "rename": ("session_mark", "Give a session a name for people."),
    "label": ("session_mark", "Name a turn."),
    "archive": ("session_mark", "Put a session away: lists leave it out."),
    "rm": ("session_edit", "Remove a session's file for good."),
    "compact": ("session_care", "Let a summary stand for the older turns."),
    "verify": ("session_care", "Check the files and the ids in them."),
    "repair": ("session_care", "Leave out lines that can't be read."),
    "export": ("session_export", "Write a session as Markdown, JSON or one HTML page."),
    "import": ("session_import", "Take in logs of other programs."),
}


class _Sessions(LazyGroup):
    """The commands in the order of a session's life."""

    commands_of = _COMMANDS


@click.group("session", cls=_Sessions)
def session_command() -> None:
    """Branchable logs of conversations: look, branch, name, condense, import, export."""
