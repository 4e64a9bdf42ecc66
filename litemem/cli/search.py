"""`litemem search` and `litemem recall`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from litemem.cli.options import end_of, json_option, moment_of, on_memory
from litemem.cli.output import faint, hit_json, print_json, progress_bar, say, show
from litemem.errors import InvalidQuery

if TYPE_CHECKING:
    from litemem.memory.memory import Memory
    from litemem.memory.search import Results
    from litemem.types import Hit, Kind

_KINDS: dict[str, Kind] = {
    "facts": "fact",
    "blocks": "block",
    "transcripts": "turn",
    "sessions": "node",
}


@click.command("search")
@click.argument("query")
@click.option("-k", "--limit", type=int, metavar="N", default=10, help="How many at most; 10.")
@click.option("--offset", type=int, metavar="N", default=0, help="Leave out the first N.")
@click.option("--chat", "chat_id", metavar="ID", help="Of this chat, or of no chat.")
@click.option("--chat-only", is_flag=True, help="With --chat: of this chat alone.")
@click.option(
    "--not-chat",
    "--not-session",
    "exclude_chat",
    metavar="ID",
    multiple=True,
    help="Nothing of this chat or session; may be repeated.",
)
@click.option(
    "--in",
    "kinds",
    metavar="KINDS",
    default="facts",
    help="facts, blocks, transcripts, sessions, or some of them with commas; default facts.",
)
@click.option(
    "--mode",
    type=click.Choice(["hybrid", "semantic", "keyword"]),
    default="hybrid",
    show_default=True,
    help="keyword needs no model and starts fastest.",
)
@click.option("--since", metavar="DATE", help="From this day or time on.")
@click.option("--until", metavar="DATE", help="Up to the end of this day, or before this time.")
@click.option(
    "--floor", type=float, metavar="0..1", help="Least similarity of a hit without a keyword."
)
@click.option("--no-wait", is_flag=True, help="Don't wait for missing vectors.")
@click.option("--explain", is_flag=True, help="Show each part of the score, and how it was found.")
@json_option
@on_memory
def search_command(
    memory: Memory,
    query: str,
    *,
    limit: int,
    kinds: str,
    since: str | None,
    until: str | None,
    no_wait: bool,
    explain: bool,
    as_json: bool,
    **said: object,
) -> None:
    """Find memories that answer QUERY, best first. Any text is a valid query."""
    if said["chat_only"] and said["chat_id"] is None:
        raise click.UsageError("--chat-only needs --chat")
    with progress_bar("embedding", instead="; --no-wait answers by words at once") as progress:
        results = memory.search(
            query,
            limit,
            kinds=_kinds(kinds),
            since=moment_of(memory, since, "--since"),
            until=end_of(memory, until, "--until"),
            wait=not no_wait,
            progress=progress,
            **said,  # type: ignore[arg-type]  # click has read them by type
        )
    _say_how(results)
    if as_json:
        print_json([hit_json(hit, explain=explain) for hit in results.hits])
        return
    if not results.hits:
        say("no memories found")
    for number, hit in enumerate(results.hits, start=1 + int(str(said["offset"]))):
        _print_hit(number, hit, explain=explain)


@click.command("recall")
@click.argument("query")
@click.option("-k", "--limit", type=int, metavar="N", default=5, help="How many at most; 5.")
@click.option("--chat", "chat_id", metavar="ID", help="Of this chat, or of no chat.")
@json_option
@on_memory
def recall_command(
    memory: Memory, query: str, *, limit: int, chat_id: str | None, as_json: bool
) -> None:
    """Print the best matches for QUERY as one block to paste into a prompt."""
    with progress_bar("embedding") as progress:
        text = memory.recall(query, limit, chat_id=chat_id, progress=progress)
    if as_json:
        print_json({"query": query, "text": text})
    elif text:
        show(text)
    else:
        say("no memories found")


def _kinds(text: str) -> tuple[Kind, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names or any(name not in _KINDS for name in names):
        msg = f"--in {text!r} is not a list of {', '.join(_KINDS)}"
        raise InvalidQuery(msg)
    return tuple(dict.fromkeys(_KINDS[name] for name in names))


def _say_how(results: Results) -> None:
    if results.note:
        say(f"litemem: {results.note}")


def _print_hit(number: int, hit: Hit, *, explain: bool) -> None:
    day = hit.created_at.date().isoformat() if hit.created_at else ""
    tags = " ".join(f"#{tag}" for tag in hit.tags)
    origin = hit.source.origin
    said_in = f"session {origin.session}" if origin is not None and hit.kind != "fact" else ""
    category = hit.category if hit.kind == "fact" else ""
    beside = "  ".join(part for part in (said_in, hit.id, day, category, tags) if part)
    show(f"{number}. {' '.join(hit.snippet.split())}")
    click.echo(faint(f"   {beside}  score {hit.score:.3f}"))
    if explain:
        near = "" if hit.similarity is None else f", similarity {hit.similarity:.3f}"
        click.echo(faint(f"   found by {', '.join(hit.matched)}{near}"))
        for name, value in hit.parts.items():
            click.echo(faint(f"     {value:+.4f}  {name}"))
