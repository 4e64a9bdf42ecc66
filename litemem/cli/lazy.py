"""Groups of commands: in the order that was meant, their modules loaded when they're called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import ClassVar, TypeAlias

import click

Commands: TypeAlias = Mapping[str, tuple[str, str]]
"""Command -> (module below litemem.cli that has NAME_command, one line of help), in order."""


class InOrder(click.Group):
    """A group that lists its commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names."""
        return list(self.commands)


class LazyGroup(click.Group):
    """A group that knows its commands' names and help, and imports one when it's called."""

    commands_of: ClassVar[Commands] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(self.commands_of)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None where there is none of that name."""
        if cmd_name not in self.commands_of:
            return None
        module = import_module(f"litemem.cli.{self.commands_of[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.commands_of.items()])
