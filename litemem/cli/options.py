"""Options that every command takes, before its name and after it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

import click

from litemem.errors import InvalidFact
from litemem.types import DEFAULT_USER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litemem.memory.memory import Memory

F = TypeVar("F", bound=Callable[..., Any])  # Any: click calls with what a command declares


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """Which home, user and model a command is for; None where it wasn't said."""

    home: str | None = None
    user: str | None = None
    model: str | None = None

    def over(self, other: Choices) -> Choices:
        """Return these where they were said, else the other's."""
        return Choices(
            home=self.home if self.home is not None else other.home,
            user=self.user if self.user is not None else other.user,
            model=self.model if self.model is not None else other.model,
        )


def home_options(command: F) -> F:
    """Add --home, --user and --model to a command; `litemem --help` says more of them."""
    return place_options(click.option("--model", metavar="NAME", hidden=True)(command))


def place_options(command: F) -> F:
    """Add --home and --user."""
    command = click.option("--user", metavar="ID", help="Whose memory.")(command)
    return click.option("--home", metavar="DIR", help="Home folder.")(command)


def on_memory(command: F) -> F:
    """Give a command the opened memory as its first argument, and --home, --user, --model."""

    @home_options
    @click.pass_context
    @functools.wraps(command)
    def run(
        ctx: click.Context,
        /,
        home: str | None,
        user: str | None,
        model: str | None,
        **given: object,
    ) -> object:
        with opened_as(ctx, home=home, user=user, model=model) as memory:
            return command(memory, **given)

    return run  # type: ignore[return-value]  # click replaces the signature


@contextmanager
def opened_as(
    ctx: click.Context, *, home: str | None, user: str | None, model: str | None
) -> Iterator[Memory]:
    """Open the memory that the options name, after the command or before it; and close it."""
    import logging

    from litemem.edge import open_memory

    if logging.lastResort is not None:  # warnings of the library look like the command's notes
        logging.lastResort.setFormatter(logging.Formatter("litemem: %(message)s"))
    said = Choices(home=home, user=user, model=model).over(ctx.find_object(Choices) or Choices())
    name = DEFAULT_USER if said.user is None else said.user
    with open_memory(said.home, user_id=name, model=said.model) as memory:
        yield memory


def json_option(command: F) -> F:
    """Add --json."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def moment_of(memory: Memory, text: str | None, option: str) -> datetime | None:
    """Read a date or time in the home's time zone; a usage error names the option."""
    if text is None:
        return None
    try:
        return memory.moment(text)
    except InvalidFact as error:
        raise click.BadParameter(str(error), param_hint=option) from error


def end_of(memory: Memory, text: str | None, option: str) -> datetime | None:
    """Read the end of a span: a date means the whole of that day."""
    found = moment_of(memory, text, option)
    if found is not None and text is not None and len(text) == 10:
        try:
            following = found.astimezone(memory.zone).date() + timedelta(days=1)
        except OverflowError:
            return None  # the last day of the calendar: no end
        return moment_of(memory, following.isoformat(), option)
    return found
