"""`litemem stats` and `litemem doctor`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from litemem.cli.options import json_option, on_memory
from litemem.cli.output import faint, key_values, print_json, show

if TYPE_CHECKING:
    from litemem.memory.memory import Memory


@click.command("stats")
@json_option
@on_memory
def stats_command(memory: Memory, *, as_json: bool) -> None:
    """Count what this user has, and how the index stands."""
    stats = asdict(memory.stats())
    if as_json:
        print_json(stats)
    else:
        key_values({key: _counts(value) for key, value in stats.items()})


def _counts(value: object) -> object:
    """Return counts by name as `name 3, other 1`, without the zeros."""
    if not isinstance(value, dict):
        return value
    return ", ".join(f"{name} {count}" for name, count in value.items() if count)


@click.command("doctor")
@json_option
@on_memory
def doctor_command(memory: Memory, *, as_json: bool) -> None:
    """Say what is wrong and the way out; exit code 1 when something needs a look."""
    health = memory.doctor()
    if as_json:
        print_json({"well": health.well, **asdict(health)})
    else:
        for problem in health.problems:
            show(f"{problem.path}:{problem.line}: {problem.reason}")
        for note in health.notes:
            show(note)
        for path in health.ignored:
            click.echo(faint(f"{path}: not a daily log or a block, so not searched"))
        if health.well:
            show("all is well")
    if not health.well:
        sys.exit(1)
