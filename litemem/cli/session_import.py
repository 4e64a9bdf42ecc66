"""`litemem session import`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import click

from litemem.cli.options import json_option
from litemem.cli.output import counted, print_json, progress_bar, say, show
from litemem.cli.session_home import on_logs
from litemem.session.imports import FORMATS, import_sessions

if TYPE_CHECKING:
    from litemem.cli.session_home import Logs
    from litemem.session.imports import FileReport, Format, ImportReport

_NAMED: Final = 20  # skipped files


@click.command("import")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(exists=True))
@click.option("--format", "name", type=click.Choice(["auto", *FORMATS]), default="auto")
@json_option
@on_logs
def import_command(logs: Logs, *, paths: tuple[str, ...], name: str, as_json: bool) -> None:
    """
    Take in logs of Claude Code, Codex and pi, exports of ChatGPT and Claude.ai, and our own files.

    PATH is a file, a zip archive of an export, or a folder, of which all .jsonl, .json and .zip
    files are looked at, and those that are no logs are named and skipped. A session is called
    after the program and its id there, such as claude-code-0b6c...; importing again adds what is
    new and changes nothing else. Exit code 1 where a file had a problem.
    """
    chosen = None if name == "auto" else cast("Format", name)
    with progress_bar("importing") as progress:
        report = import_sessions(logs.sessions, paths, format=chosen, progress=progress)
    if as_json:
        print_json(_json(report))
    else:
        _print(report)
    if any(file.problem for file in report.files):
        click.get_current_context().exit(1)


def _print(report: ImportReport) -> None:
    new = sum(len(file.new) for file in report.files)
    grown = sum(len(file.grown) for file in report.files)
    same = sum(file.same for file in report.files)
    begun, turns = counted(new, "new session"), counted(report.turns, "new turn")
    show(f"{begun}, {grown} grown, {same} unchanged; {turns}")
    for reason, times in report.skipped.items():
        show(f"  left out: {times} x {reason}")
    for path in report.unknown[:_NAMED]:
        show(f"  skipped: {path}")
    if len(report.unknown) > _NAMED:
        show(f"  skipped: {len(report.unknown) - _NAMED} more files; --json names them all")
    for file in report.files:
        if file.problem:
            say(f"litemem: {file.path}: {file.problem}")


def _json(report: ImportReport) -> dict[str, object]:
    return {
        "turns": report.turns,
        "skipped": dict(report.skipped),
        "files": [_file_json(file) for file in report.files],
    }


def _file_json(file: FileReport) -> dict[str, object]:
    return {
        "path": str(file.path),
        "format": file.format,
        "new": list(file.new),
        "grown": list(file.grown),
        "unchanged": file.same,
        "turns": file.turns,
        "skipped": dict(file.skipped),
        "problem": file.problem,
    }
