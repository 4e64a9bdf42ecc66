"""`litemem session`: the commands by topic."""

from __future__ import annotations

from importlib import import_module

import click

# Command -> (module below litemem.cli, one line of help): each command loads its own part alone.
_COMMANDS = {
    "list": ("session_view", "List sessions, the one changed last first."),
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
    "import": ("session_import", "Take in logs of other programs."),
}


class _Group(click.Group):
    """A group that imports a subcommand's module when it's called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of a session's life."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None where there is none of that name."""
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"litemem.cli.{_COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.group("session", cls=_Group)
def session_command() -> None:
    """Branchable logs of conversations: look, branch, name, condense, import, export."""
