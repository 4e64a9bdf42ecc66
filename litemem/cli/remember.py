"""`litemem remember`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from litemem.cli.options import json_option, moment_of, on_memory
from litemem.cli.output import print_json, progress_bar, say, show
from litemem.errors import InvalidFact

if TYPE_CHECKING:
    from litemem.memory.memory import Memory
    from litemem.memory.new import NewFact
    from litemem.memory.remember import Remembered


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
    Write TEXT down as a fact; `-` reads it from standard input.

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
    content = sys.stdin.read().rstrip("\n") if text == "-" else text
    done = memory.remember(
        content or "",
        tags=tags or None,
        created_at=moment_of(memory, day, "--date"),
        **said,  # type: ignore[arg-type]  # click has read them by type
    )
    _print(done, as_json=as_json)


def _print(done: Remembered, *, as_json: bool) -> None:
    if done.warning:
        say(f"litemem: {done.warning}")
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
    facts, wrong = _read(memory, path)
    with progress_bar("remembering") as progress:
        done = memory.remember_many(facts, progress=progress)
    warning = next((one.warning for one in done if one.warning), None)
    if warning:
        say(f"litemem: {warning}")
    created = sum(one.created for one in done)
    if as_json:
        print_json([_json(one) for one in done])
    else:
        show(f"{created} facts written, {len(done) - created} known already")
    if wrong:
        say(f"litemem: {wrong} bad lines were left out; the others are kept")
    return 1 if wrong else 0


def _read(memory: Memory, path: str) -> tuple[list[NewFact], int]:
    from litemem.files.read import decode, has_bad_bytes, read_file
    from litemem.memory.new import from_json

    data = sys.stdin.buffer.read() if path == "-" else read_file(Path(path))
    facts, wrong = [], 0
    for number, line in enumerate(decode(data).removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            if has_bad_bytes(line):
                raise InvalidFact("not UTF-8")  # noqa: TRY301
            facts.append(from_json(line, memory.zone))
        except InvalidFact as error:
            wrong += 1
            say(f"litemem: {path}:{number}: {error}")
    return facts, wrong
