"""The session folders of a home, opened without its index."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from litemem.cli.options import Choices, F, home_options
from litemem.cli.output import say
from litemem.settings import Home, find_home
from litemem.types import DEFAULT_USER

if TYPE_CHECKING:
    from litemem.session import SessionGraph, SessionStore, StateMirror, TranscriptManager


@dataclass(frozen=True, slots=True, kw_only=True)
class Logs:
    """One user's sessions, transcripts and states."""

    home: Home
    user: str

    @property
    def sessions(self) -> SessionStore:
        """The branchable logs."""
        from litemem.session import SessionStore

        return SessionStore(self.home.sessions_dir(self.user))

    @property
    def transcripts(self) -> TranscriptManager:
        """The linear logs."""
        from litemem.session import TranscriptManager

        return TranscriptManager(self.home.transcripts_dir(self.user))

    @property
    def states(self) -> StateMirror:
        """The last states of agents."""
        from litemem.session import StateMirror

        return StateMirror(self.home.state_dir(self.user))


def on_logs(command: F) -> F:
    """Give a command the logs as its first argument, and --home, --user, --model."""

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
        before = ctx.find_object(Choices) or Choices()
        said = Choices(home=home, user=user, model=model).over(before)
        folder = Home(find_home(said.home, os.environ, Path.cwd()))
        return command(
            Logs(home=folder, user=DEFAULT_USER if said.user is None else said.user), **given
        )

    return run  # type: ignore[return-value]  # click replaces the signature


def tell_gap(graph: SessionGraph, leaf: str | None = None) -> None:
    """Say where a path is torn, and that what follows is used all the same."""
    gap = graph.gap(leaf)
    if gap is not None:
        trouble = "is its own ancestor" if gap.repeats else "is missing or can't be read"
        say(f'litemem: turn "{gap.lost}" {trouble}: the path begins after it, at "{gap.below}"')
