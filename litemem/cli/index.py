"""`litemem index`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from litemem.cli.lazy import InOrder
from litemem.cli.options import json_option, on_memory, opened_as, place_options
from litemem.cli.output import counted, key_values, print_json, progress_bar, show

if TYPE_CHECKING:
    from litemem.memory.memory import Memory


@click.group("index", cls=InOrder)
def index_command() -> None:
    """Look at, update or rebuild the index; the files stay as they are."""


@index_command.command("status")
@json_option
@on_memory
def status(memory: Memory, *, as_json: bool) -> None:
    """Count the rows of the index, and those that have their vector."""
    stats = memory.stats()
    found = {
        "model": stats.model,
        "rows": stats.rows,
        "vectors": stats.vectors,
        "index_bytes": stats.index_bytes,
        "logs": stats.logs,
    }
    if as_json:
        print_json(found)
    else:
        key_values(found)


@index_command.command("sync")
@click.option("--no-vectors", is_flag=True, help="Leave the embedding to the next search.")
@json_option
@on_memory
def sync(memory: Memory, *, no_vectors: bool, as_json: bool) -> None:
    """Read again what changed in the files, and embed what is new."""
    report = asdict(memory.opened) | {"embedded": 0}
    if not no_vectors and memory.model != "none":
        with progress_bar("embedding") as progress:
            report["embedded"] = memory.embed_pending(progress=progress)
    if as_json:
        print_json(report)
    else:
        key_values(report)


@index_command.command("rebuild")
@click.option("--model", metavar="NAME", help="The home's model from now on.")
@json_option
@place_options
@click.pass_context
def rebuild(
    ctx: click.Context, home: str | None, user: str | None, model: str | None, *, as_json: bool
) -> None:
    """
    Build the index anew from the files.

    It is swapped in whole; until then the old one answers.
    """
    with (
        opened_as(ctx, home=home, user=user, model=None) as memory,
        progress_bar("embedding") as progress,
    ):
        report = memory.rebuild(model, progress=progress)
    if as_json:
        print_json(asdict(report))
    else:
        facts, files = counted(report.facts, "fact"), counted(report.files, "file")
        show(f"{facts} of {files}; {counted(report.embedded, 'text')} embedded")
