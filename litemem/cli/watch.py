"""`litemem watch`."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from litemem.cli.options import Choices, home_options, opened_as
from litemem.cli.output import say, show

if TYPE_CHECKING:
    from types import FrameType

    from litemem.memory.watch import FileChange


@click.command("watch")
@click.option("--poll", is_flag=True, help="Look twice a second; don't rely on system notices.")
@click.option("--json", "as_json", is_flag=True, help="Print a line of JSON for each file.")
@home_options
@click.pass_context
def watch_command(
    ctx: click.Context,
    *,
    home: str | None,
    user: str | None,
    model: str | None,
    poll: bool,
    as_json: bool,
) -> None:
    """
    Follow edits of the files and index them at once, until Ctrl-C.

    Of all users, or of --user alone. Prints one line for each file that was indexed anew.
    """
    from litemem.memory.watch import watch

    said = Choices(user=user).over(ctx.find_object(Choices) or Choices())
    with opened_as(ctx, home=home, user=user, model=model) as memory, stopping() as stop:
        say(f"watching {memory.home}; Ctrl-C ends it")
        tell = _print_json if as_json else _print
        watch(memory, stop, tell, everyone=said.user is None, poll=poll)


def _print(changes: tuple[FileChange, ...]) -> None:
    for change in changes:
        show(f"{change.kind:<7} {change.path}")
        for problem in change.problems:
            say(f"litemem: {problem.path}:{problem.line}: {problem.reason}")


def _print_json(changes: tuple[FileChange, ...]) -> None:
    for change in changes:
        click.echo(json.dumps(asdict(change)))


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """Give an event that SIGINT and SIGTERM set, instead of ending the process at once."""
    stop = threading.Event()

    def on_signal(_: int, __: FrameType | None) -> None:
        stop.set()

    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(one, on_signal) for one in signals]
    try:
        yield stop
    finally:
        for one, old in zip(signals, before, strict=True):
            signal.signal(one, old)
