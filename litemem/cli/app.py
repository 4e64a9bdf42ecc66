"""The `litemem` command: its subcommands load only when they are asked for."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import IO

import click

from litemem import __version__
from litemem.cli.lazy import Commands, LazyGroup
from litemem.cli.options import Choices, home_options
from litemem.errors import LitememError

_COMMANDS: Commands = {
    "remember": ("remember", "Write a fact down, or many from a file of JSON lines."),
    "search": ("search", "Find memories by meaning and by words."),
    "recall": ("search", "Print the best matches as a block to paste into a prompt."),
    "show": ("show", "Show one fact, its source and what it replaced."),
    "list": ("show", "List current facts."),
    "history": ("show", "Show all versions of a fact, oldest first."),
    "forget": ("forget", "Remove facts for good, from the files and the index."),
    "block": ("block", "Read and write the core blocks: persona, user, facts, context."),
    "context": ("block", "Print the core blocks as text for a system prompt."),
    "log": ("log", "Print a daily log as it stands in its file."),
    "stats": ("health", "Count what is remembered."),
    "doctor": ("health", "Say what is wrong, and how to mend it."),
    "session": ("session", "Branchable logs of conversations: look, branch, condense."),
    "transcript": ("transcript", "Linear logs of conversations."),
    "state": ("state", "The last state of each session's agent."),
    "index": ("index", "Look at, update or rebuild the index."),
    "demo": ("demo", "Show the main job in a throw-away folder."),
}


class Main(LazyGroup):
    """The top: all commands, and what becomes of an expected error."""

    commands_of = _COMMANDS

    def invoke(self, ctx: click.Context) -> object:
        """Run; an expected error is one line on stderr and exit code 1."""
        _tolerate_any_text()
        try:
            return super().invoke(ctx)
        except LitememError as error:
            raise Failure(" ".join(str(error).split())) from error


class Failure(click.ClickException):
    """An expected error."""

    def show(self, file: IO[str] | None = None) -> None:
        """Print the one line."""
        click.echo(f"litemem: {self.message}", file=file, err=True)


@click.group(
    cls=Main,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(version)s")
@home_options
@click.pass_context
def main(ctx: click.Context, home: str | None, user: str | None, model: str | None) -> None:
    """Remember, search and forget on your own machine: markdown files, one SQLite index."""
    ctx.obj = Choices(home=home, user=user, model=model)
    if os.environ.get("NO_COLOR"):
        ctx.color = False


def run() -> None:
    """Be the process of one command."""
    # It ends soon: looking for cycles, most of it at the end, was 20 of its 150 ms.
    gc.set_threshold(50_000)
    atexit.register(gc.freeze)
    main(prog_name="litemem")


def _tolerate_any_text() -> None:
    """Print any text on any terminal: what its encoding lacks shows as an escape."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
