"""`litemem export` and `litemem import`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from litemem.cli.options import Choices, home_options, json_option, opened_as
from litemem.cli.output import counted, print_json, progress_bar, say, show

if TYPE_CHECKING:
    from litemem.memory.importing import Imported
    from litemem.memory.memory import Memory

_NAMED = 20  # files


@click.command("export")
@click.argument("dest", metavar="DEST", type=click.Path())
@click.option("--force", is_flag=True, help="Replace an older export.")
@json_option
@home_options
@click.pass_context
def export_command(
    ctx: click.Context,
    /,
    dest: str,
    *,
    force: bool,
    as_json: bool,
    **place: str | None,
) -> None:
    """
    Write the home's markdown and JSON files to a new folder, .zip or .tar.gz.

    With --user only that user's. The index stays behind: it is built anew from the files.
    """
    with _opened(ctx, place) as (memory, everyone):
        done = memory.export(dest, everyone=everyone, force=force)
    for name in done.left_out:
        say(f"litemem: left out, as its name isn't UTF-8: {name}")
    if as_json:
        print_json(
            {
                "path": str(done.path),
                "files": done.files,
                "size_bytes": done.size_bytes,
                "left_out": list(done.left_out),
            }
        )
    else:
        show(f"{counted(done.files, 'file')} in {done.path}")


@click.command("import")
@click.argument("source", metavar="SRC", type=click.Path(exists=True))
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@json_option
@home_options
@click.pass_context
def import_command(
    ctx: click.Context,
    /,
    source: str,
    *,
    dry_run: bool,
    as_json: bool,
    **place: str | None,
) -> None:
    """
    Merge an export, or another home, into this one; nothing that is here is changed or lost.

    SRC is a folder, .zip or .tar.gz. Facts come in by their ids, logs grow, and what differs comes
    in beside what is here. With --user all goes to that user; of a whole home only his part.
    """
    with _opened(ctx, place) as (memory, everyone), progress_bar("importing") as progress:
        done = memory.import_from(source, everyone=everyone, dry_run=dry_run, progress=progress)
    if as_json:
        print_json(_json(done))
        return
    _print(done)


@contextmanager
def _opened(ctx: click.Context, place: dict[str, str | None]) -> Iterator[tuple[Memory, bool]]:
    """Open the home, and say whether all its users are meant, as none was named."""
    before = ctx.find_object(Choices) or Choices()
    everyone = place["user"] is None and before.user is None
    with opened_as(ctx, home=place["home"], user=place["user"], model=place["model"]) as memory:
        yield memory, everyone


def _json(done: Imported) -> dict[str, object]:
    return {
        "dry_run": done.dry_run,
        "facts": done.facts,
        "known_facts": done.known_facts,
        "new": list(done.new),
        "grown": list(done.grown),
        "unchanged": done.same,
        "kept": [{"path": kept.path, "reason": kept.reason} for kept in done.kept],
        "left_out": list(done.left_out),
        "notes": list(done.notes),
    }


def _print(done: Imported) -> None:
    start = "would be: " if done.dry_run else ""
    show(
        f"{start}{counted(done.facts, 'new fact')}, {done.known_facts} known; "
        f"{counted(len(done.new), 'new file')}, {len(done.grown)} grown, {done.same} unchanged"
    )
    for kept in done.kept:
        show(f"  kept {kept.path}: {kept.reason}")
    for name in done.left_out[:_NAMED]:
        show(f"  left out: {name}")
    if len(done.left_out) > _NAMED:
        show(f"  left out: {len(done.left_out) - _NAMED} more; --json names them all")
    for note in done.notes:
        say(f"litemem: {note}")
