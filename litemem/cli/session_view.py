"""`litemem session list`, `show` and `resume`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from litemem.cli.options import json_option
from litemem.cli.output import clean, counted, faint, instant, print_json, say, show
from litemem.cli.session_brief import session_json, show_brief
from litemem.cli.session_home import on_logs, tell_gap
from litemem.cli.turns import node_json, show_node, show_turns
from litemem.session.browse import around, existing, find_node
from litemem.session.glance import glance_all
from litemem.session.pieces import shortened, writable

if TYPE_CHECKING:
    from litemem.cli.session_home import Logs
    from litemem.session import SessionGraph
    from litemem.session.glance import Glance


@click.command("list")
@click.option("--all", "archived", is_flag=True, help="Archived ones too.")
@click.option("-k", "--limit", type=click.IntRange(min=0), help="How many at most.")
@json_option
@on_logs
def list_command(logs: Logs, *, archived: bool, limit: int | None, as_json: bool) -> None:
    """List sessions, the one with the newest turn first."""
    found = glance_all(logs.sessions, archived=archived)[:limit]
    if as_json:
        print_json([_glance_json(one) for one in found])
        return
    if not found:
        say("no sessions yet")
    for one in found:
        name = shortened(one.name or one.first_words)
        put_away = "  (archived)" if one.archived else ""
        side = f"{one.last_at:%Y-%m-%d %H:%M}  {counted(one.nodes, 'turn')}{put_away}"
        click.echo(f"{clean(one.id)}  {faint(side)}  {clean(name)}")


def _glance_json(one: Glance) -> dict[str, object]:
    return {
        "id": one.id,
        "name": one.name,
        "archived": one.archived,
        "turns": one.nodes,
        "first_words": one.first_words,
        "last_at": instant(one.last_at),
        "size_bytes": one.size,
    }


@click.command("show")
@click.argument("session_id", metavar="ID")
@click.option("--around", "node", metavar="NODE", help="Only this turn and those beside it.")
@click.option(
    "-n",
    "--context",
    "beside",
    type=click.IntRange(min=0),
    default=5,
    help="How many on each side; 5.",
)
@click.option(
    "--last", "last_n", type=click.IntRange(min=0), metavar="N", help="Only the newest N turns."
)
@click.option("--brief", "is_brief", is_flag=True, help="The first and last turns, in words.")
@click.option("--tools", is_flag=True, help="With --brief: what tools gave back, too.")
@json_option
@on_logs
def show_command(
    logs: Logs,
    session_id: str,
    *,
    node: str | None,
    beside: int,
    last_n: int | None,
    is_brief: bool,
    tools: bool,
    as_json: bool,
) -> None:
    """
    Show the turns from the first one to the head, condensed or not.

    NODE is a turn's id, the start of it, or its label. --brief leaves out reasoning, what tools
    gave back, and the middle of a long session; it says how much.
    """
    if is_brief and (node is not None or last_n is not None):
        raise click.UsageError("--brief goes with neither --around nor --last")
    if tools and not is_brief:
        raise click.UsageError("--tools needs --brief")
    graph = existing(logs.sessions, session_id)
    _tell(graph)
    if is_brief:
        show_brief(graph, tools=tools, as_json=as_json)
        return
    if node is not None:
        middle = find_node(graph, node)
        nodes = around(graph, middle, beside, beside)
    else:
        middle = graph.leaf or ""
        nodes = around(graph, middle, graph.size, 0) if middle else []
        nodes = nodes if last_n is None else nodes[len(nodes) - min(last_n, len(nodes)) :]
    labels = graph.marks.labels
    if as_json:
        found = [node_json(one, labels.get(one.id)) for one in nodes]
        print_json({**session_json(graph), "nodes": found})
        return
    if graph.marks.name:
        show(graph.marks.name)
    for one in nodes:
        is_asked = node is not None and one.id == middle
        show_node(one, labels.get(one.id), marked=is_asked)


@click.command("resume")
@click.argument("session_id", metavar="ID")
@click.option("--at", "node", metavar="NODE", help="From this turn instead of the head.")
@click.option(
    "--last", "last_n", type=click.IntRange(min=0), metavar="N", help="Only the newest N turns."
)
@json_option
@on_logs
def resume_command(
    logs: Logs, session_id: str, *, node: str | None, last_n: int | None, as_json: bool
) -> None:
    """Print what a run goes on with: the whole path, or a summary and the kept turns."""
    turns = None
    if node is None and last_n is not None:  # mostly without reading the whole file
        turns = logs.sessions.resume(session_id, last_n=last_n)
    if turns is None or len(turns) < (last_n or 0):
        graph = existing(logs.sessions, session_id)
        leaf = None if node is None else find_node(graph, node)
        tell_gap(graph, leaf)
        turns = graph.context(leaf).turns()
        turns = turns if last_n is None else turns[max(0, len(turns) - last_n) :]
    if as_json:
        print_json([dict(writable(turn)) for turn in turns])
    else:
        show_turns(turns)


def _tell(graph: SessionGraph) -> None:
    """Say once that a file has bad places; what is sound is shown all the same."""
    found = len(graph.report.findings)
    if found:
        places = counted(found, "odd place")
        say(f"{places} in the file: see 'litemem session verify {graph.session_id}'")
