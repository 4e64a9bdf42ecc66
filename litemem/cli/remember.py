"""`litemem remember`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import tzinfo
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from litemem.cli.given import given_text, standard_input
from litemem.cli.options import json_option, moment_of, on_memory
from litemem.cli.output import counted, print_json, progress_bar, say, show
from litemem.errors import InvalidFact

if TYPE_CHECKING:
    from litemem.memory.memory import Memory
    from litemem.memory.new import NewFact
    from litemem.memory.remember import Remembered


_BATCH = 256  # facts at a time, so that a large file never stands in memory whole
_BOM = b"\xef\xbb\xbf"


@click.command("remember")
@click.argument("text", required=False)
@click.option("--category", metavar="C", help="personal, preference, goal, ...; default general.")
@click.option("--importance", type=float, metavar="0..1", help="Default 0.5.")
@click.option("--tag", "tags", multiple=True, metavar="T", help="May be repeated.")
@click.option("--chat", "chat_id", metavar="ID", help="The chat it was said in.")
@click.option("--speaker", metavar="NAME", help="Who said it.")
@click.option("--date", "day", metavar="YYYY-MM-DD", help="When; default now.")
@click.option("--replaces", metavar="ID", help="The fact that this one takes the place of.")
@click.option("--file", "path", metavar="F|-", help="Many facts: a file of JSON lines.")
@json_option
@on_memory
def remember_command(
    memory: Memory,
    text: str | None,
    path: str | None,
    *,
    as_json: bool,
    day: str | None,
    tags: tuple[str, ...],
    **said: object,
) -> None:
    """
    Write TEXT down as a fact; `-` is standard input.

    With --file: one JSON object a line, {"content", "category", "importance", "tags", "chat_id",
    "created_at", "speaker", "metadata"}, all but content optional. A bad line is reported with
    its number, the others are kept, and the exit code is 1.
    """
    if (text is None) == (path is None):
        raise click.UsageError("give either TEXT or --file")
    if path is not None:
        if day or tags or any(value is not None for value in said.values()):
            raise click.UsageError("--file carries everything; leave the other options out")
        sys.exit(_from_file(memory, path, as_json=as_json))
    content = given_text(text or "")
    done = memory.remember(
        content.rstrip("\n") if text == "-" else content,
        tags=tags or None,
        created_at=moment_of(memory, day, "--date"),
        **said,  # type: ignore[arg-type]  # click has read them by type
    )
    _warn(memory, done.warning)
    _print(done, as_json=as_json)


def _warn(memory: Memory, warning: str | None) -> None:
    if warning and memory.model != "none":  # a home without a model was made so on purpose
        say(f"litemem: {warning}")


def _print(done: Remembered, *, as_json: bool) -> None:
    if as_json:
        print_json(_json(done))
        return
    show(done.id)
    if not done.created:
        say("known already" + ("; importance or tags changed" if done.updated else ""))
    for near in done.similar_to:
        say(f"similar to {near.id} ({near.cosine:.3f}): {near.content}")


def _json(done: Remembered) -> dict[str, object]:
    near = [{"id": s.id, "content": s.content, "cosine": s.cosine} for s in done.similar_to]
    return {
        "id": done.id,
        "created": done.created,
        "updated": done.updated,
        "similar_to": near,
        "warning": done.warning,
    }


def _from_file(memory: Memory, path: str, *, as_json: bool) -> int:
    lines = _Lines(path)
    written = known = 0
    warning = None
    shown: list[dict[str, object]] = []
    with progress_bar("remembering") as progress:
        facts = lines.facts(memory.zone)
        if lines.size:
            progress(0, lines.size)
        while batch := [*islice(facts, _BATCH)]:
            done = memory.remember_many(batch)
            written += sum(one.created for one in done)
            known += sum(not one.created for one in done)
            warning = warning or next((one.warning for one in done if one.warning), None)
            if as_json:
                shown += map(_json, done)
            if lines.size:
                progress(lines.read_bytes, lines.size)
    _warn(memory, warning)
    if as_json:
        print_json(shown)
    else:
        show(f"{counted(written, 'fact')} written, {known} known already")
    if lines.wrong:
        say(f"litemem: {counted(lines.wrong, 'bad line')} left out; the others are kept")
    return 1 if lines.wrong else 0


class _Lines:
    """A file of JSON lines, or standard input, read as far as it's needed."""

    def __init__(self, path: str) -> None:
        self._path = path
        file = Path(path)
        self.size = file.stat().st_size if path != "-" and file.is_file() else 0
        self.read_bytes = self.wrong = 0

    def facts(self, zone: tzinfo) -> Iterator[NewFact]:
        """Yield the facts; tell the person of lines that are none."""
        from litemem.files.read import read_lines

        lines = standard_input() if self._path == "-" else read_lines(Path(self._path))
        for number, line in enumerate(lines, start=1):
            self.read_bytes += len(line)
            try:
                fact = _fact(line.removeprefix(_BOM) if number == 1 else line, zone)
            except InvalidFact as error:
                self.wrong += 1
                say(f"litemem: {self._path}:{number}: {error}")
            else:
                if fact is not None:
                    yield fact


def _fact(line: bytes, zone: tzinfo) -> NewFact | None:
    from litemem.memory.new import from_json

    try:
        text = line.decode().strip()
    except UnicodeDecodeError as error:
        raise InvalidFact("not UTF-8") from error
    return from_json(text, zone) if text else None
