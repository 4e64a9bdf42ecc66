"""`litemem log`."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import click

from litemem.cli.options import json_option, on_memory
from litemem.cli.output import print_json, say, show

if TYPE_CHECKING:
    from litemem.memory.memory import Memory


@click.command("log")
@click.argument("day", metavar="[DATE]", required=False)
@click.option("--days", is_flag=True, help="List the days that have a log.")
@json_option
@on_memory
def log_command(memory: Memory, day: str | None, *, days: bool, as_json: bool) -> None:
    """Print the daily log of DATE (YYYY-MM-DD, default today) as it stands in its file."""
    if days:
        if day is not None:
            raise click.UsageError("give DATE or --days, not both")
        _days(memory, as_json=as_json)
        return
    wanted = memory.today() if day is None else _date(day)
    text = memory.log(wanted)
    if as_json:
        print_json({"date": wanted.isoformat(), "content": text, "size_bytes": len(text.encode())})
    elif text:
        show(text.removesuffix("\n"))
    else:
        say(f"no log for {wanted.isoformat()}")


def _days(memory: Memory, *, as_json: bool) -> None:
    found = [day.isoformat() for day in memory.log_days()]
    if as_json:
        print_json(found)
    for day in found if not as_json else ():
        show(day)


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        msg = f"{text!r} is not a date; write YYYY-MM-DD"
        raise click.BadParameter(msg, param_hint="DATE") from error
