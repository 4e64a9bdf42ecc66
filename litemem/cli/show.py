"""`litemem show`, `litemem list` and `litemem history`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from litemem.cli.options import json_option, on_memory
from litemem.cli.output import (
    counted,
    fact_json,
    faint,
    instant,
    key_values,
    place_json,
    print_json,
    say,
    show,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litemem.memory.listing import Sort
    from litemem.memory.memory import Memory
    from litemem.types import Fact


@click.command("show")
@click.argument("id")
@json_option
@on_memory
def show_command(memory: Memory, id: str, *, as_json: bool) -> None:
    """Show the newest fact of the chain that ID belongs to, where it stands, and its history."""
    chain = memory.get(id)
    if as_json:
        history = [fact_json(fact) for fact in chain.history]
        place = place_json(chain.source)
        use = chain.use
        used = {"accesses": use.n if use else 0, "last_access": instant(use.last if use else None)}
        print_json({**fact_json(chain.fact), **used, "source": place, "history": history})
        return
    fact = chain.fact
    show(fact.content)
    values = {
        "id": fact.id,
        "category": fact.category,
        "importance": fact.importance,
        "tags": " ".join(f"#{tag}" for tag in fact.tags),
        "created": instant(fact.created_at),
        "chat": fact.chat_id,
        "speaker": fact.speaker,
        "confirmed": _confirmed(chain.history),
        "accesses": f"{chain.use.n}, last {instant(chain.use.last)}" if chain.use else "",
        "metadata": json.dumps(fact.metadata, ensure_ascii=False) if fact.metadata else "",
        "source": f"{chain.source.path}:{chain.source.line}",
    }
    key_values({key: value for key, value in values.items() if value not in (None, "")})
    for old in reversed(chain.history[:-1]):
        click.echo(faint(f"before: {_line(old)}"))


@click.command("list")
@click.option(
    "--sort",
    type=click.Choice(["created", "importance"]),
    default="created",
    show_default=True,
)
@click.option("-k", "--limit", type=int, metavar="N", help="How many at most; default all.")
@click.option("--offset", type=int, metavar="N", default=0, help="Leave out the first N.")
@click.option("--chat", "chat_id", metavar="ID", help="Of this chat, or of no chat.")
@click.option("--category", metavar="C", help="Only of this category.")
@json_option
@on_memory
def list_command(
    memory: Memory,
    *,
    sort: Sort,
    limit: int | None,
    offset: int,
    chat_id: str | None,
    category: str | None,
    as_json: bool,
) -> None:
    """List current facts: newest first, or most important first and newest among equals."""
    facts = memory.list(sort=sort, limit=limit, offset=offset, chat_id=chat_id, category=category)
    if as_json:
        print_json([fact_json(fact) for fact in facts])
        return
    if not facts:
        say("no memories yet")
    for fact in facts:
        show(_line(fact))


@click.command("history")
@click.argument("id")
@json_option
@on_memory
def history_command(memory: Memory, id: str, *, as_json: bool) -> None:
    """Show all versions of the fact that ID belongs to, oldest first."""
    history = memory.get(id).history
    if as_json:
        print_json([fact_json(fact) for fact in history])
        return
    for fact in history:
        show(_line(fact))


def _confirmed(history: Sequence[Fact]) -> str:
    """Say how often the newest fact was restated, by whatever of its versions, and when."""
    seen = history[-1].seen
    if seen is None:
        return ""
    first = instant(min(fact.created_at for fact in history))
    return f"{counted(seen.n, 'time')}, first said {first}, last {instant(seen.last)}"


def _line(fact: Fact) -> str:
    text = " ".join(fact.content.split())
    return f"{fact.id}  {fact.created_at.date().isoformat()}  [{fact.category}] {text}"
