"""The `litemem` command: its subcommands load only when they are asked for."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import IO

import click

from litemem import __version__
from litemem.cli import STOPPED
from litemem.cli.lazy import Commands, LazyGroup
from litemem.cli.options import Choices
from litemem.errors import LitememError
from litemem.types import DEFAULT_USER

_COMMANDS: Commands = {
    "remember": ("remember", "Write a fact down, or many from a file of JSON lines."),
    "search": ("search", "Find memories by meaning and by words."),
    "recall": ("search", "Print the best matches as a block to paste into a prompt."),
    "show": ("show", "Show one fact, its source and what it replaced."),
    "list": ("show", "List current facts."),
    "history": ("show", "Show all versions of a fact, oldest first."),
    "forget": ("forget", "Remove facts for good, from the files and the index."),
    "consolidate": ("consolidate", "Put facts together that say the same or were replaced."),
    "undo": ("consolidate", "Take a consolidation back."),
    "block": ("block", "Read and write the core blocks: persona, user, facts, context."),
    "context": ("block", "Print the core blocks as text for a system prompt."),
    "log": ("log", "Print a daily log as it stands in its file."),
    "stats": ("health", "Count what is remembered."),
    "doctor": ("health", "Say what is wrong, and how to mend it."),
    "session": ("session", "Branchable logs: look, branch, condense, import, export."),
    "transcript": ("transcript", "Linear logs of conversations."),
    "state": ("state", "The last state of each session's agent."),
    "index": ("index", "Look at, update or rebuild the index."),
    "export": ("carry", "Write all files to a folder, .zip or .tar.gz; no database."),
    "import": ("carry", "Merge an export into the home; nothing here is lost."),
    "watch": ("watch", "Follow edits of the files, and index them at once."),
    "serve": ("serve", "Serve the home as a REST API, with a page to see it."),
    "mcp": ("mcp", "Serve memory to an MCP client over stdio, or set one up."),
    "ui": ("ui", "Open the memory in a browser."),
    "demo": ("demo", "Show the main job in a throw-away folder."),
}
_TEXTS = {"text", "query"}  # arguments that may begin with a dash


class Failure(click.ClickException):
    """An expected error: one line on stderr."""

    def show(self, file: IO[str] | None = None) -> None:
        """Print the one line."""
        click.echo(f"litemem: {self.message}", file=file, err=True)


class Stopped(Failure):
    """Ctrl-C."""

    exit_code = STOPPED


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
        except KeyboardInterrupt as error:
            raise Stopped("stopped; what was written stays") from error
        except click.NoSuchOption as error:
            if error.ctx is None or not any(p.name in _TEXTS for p in error.ctx.command.params):
                raise
            hint = "A text that begins with a dash stands after '--'."
            told = error.format_message().rstrip(".")
            raise click.UsageError(f"{told}. {hint}", error.ctx) from error
        except OSError as error:
            if error.errno == errno.EPIPE or error.filename is not None:
                raise  # click ends quietly at a closed pipe; the other is a bug
            if error.errno == errno.ENOENT:
                raise Failure("the current folder was removed; change to another") from error
            sys.stdout = io.StringIO()  # what is left in the old one's buffer would fail again
            raise Failure(f"can't write the result: {error.strerror or error}") from error


@click.group(
    cls=Main,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(version)s")
@click.option(
    "--home",
    metavar="DIR",
    help="Home folder; else $LITEMEM_HOME, ./.litemem if it exists, ~/.litemem.",
)
@click.option("--user", metavar="ID", help=f"Whose memory; default '{DEFAULT_USER}'.")
@click.option(
    "--model", metavar="NAME", help="Model of a new home: me5-small-q4, fast, none, or a folder."
)
@click.pass_context
def main(ctx: click.Context, home: str | None, user: str | None, model: str | None) -> None:
    """
    Remember, search and forget on your own machine: markdown files, one SQLite index.

    --home, --user and --model may stand after the command too.
    """
    ctx.obj = Choices(home=home, user=user, model=model)
    if os.environ.get("NO_COLOR"):
        ctx.color = False


def _tolerate_any_text() -> None:
    """Print any text on any terminal: what its encoding lacks shows as an escape."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
