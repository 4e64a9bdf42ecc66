"""`litemem session append`, `branch`, `fork` and `rm`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from litemem.cli.given import confirm, given_text
from litemem.cli.options import json_option
from litemem.cli.output import counted, print_json, say, show
from litemem.cli.session_home import on_logs, tell_gap
from litemem.errors import Conflict
from litemem.session import SessionNode, fork_session, hash_node, remove_session
from litemem.session.browse import existing, find_node
from litemem.session.nodes import now_ms

if TYPE_CHECKING:
    from litemem.cli.session_home import Logs
    from litemem.session import SessionStore, Turn

_TRIES = 50  # of an append that other processes overtake


@click.command("append")
@click.argument("session_id", metavar="ID")
@click.argument("text")
@click.option("--role", type=click.Choice(["user", "assistant", "tool"]), default="user")
@click.option("--parent", metavar="NODE", help="Branch off after this turn.")
@json_option
@on_logs
def append_command(
    logs: Logs, session_id: str, text: str, *, role: str, parent: str | None, as_json: bool
) -> None:
    """Add a turn after the last one, or a branch after NODE; `-` reads TEXT from standard input."""
    store = logs.sessions
    turn = {"role": role, "blocks": [{"kind": "text", "text": given_text(text)}]}
    if parent is None:
        node = _after_leaf(store, session_id, turn)
    else:
        graph = existing(store, session_id)
        graph.branch_from(find_node(graph, parent))
        node = store.append_turn(graph, turn, fork=True)
    if as_json:
        print_json({"session": session_id, "id": node.id, "parent": node.parent})
    else:
        show(node.id)


def _after_leaf(store: SessionStore, session_id: str, turn: Turn) -> SessionNode:
    """Add a turn without reading the whole session; who is overtaken follows the new leaf."""
    for _ in range(_TRIES):
        leaf, now = store.revision(session_id).leaf, now_ms()
        node = SessionNode(id=hash_node(leaf, turn, now), parent=leaf, turn=turn, created_at=now)
        try:
            store.append_node(session_id, node)
        except Conflict:
            continue
        return node
    raise Conflict(f"session {session_id!r} is written by others all the time; try again")


@click.command("branch")
@click.argument("session_id", metavar="ID")
@click.argument("node")
@json_option
@on_logs
def branch_command(logs: Logs, session_id: str, node: str, *, as_json: bool) -> None:
    """Make NODE (an id, its start, or a label) the turn that the next one follows."""
    store = logs.sessions
    found = find_node(existing(store, session_id), node)
    store.move_head(session_id, found)
    if as_json:
        print_json({"session": session_id, "leaf": found})
    else:
        show(f"the next turn of {session_id} follows {found}")


@click.command("fork")
@click.argument("session_id", metavar="ID")
@click.option("--at", "node", metavar="NODE", help="The last turn to copy; default the head.")
@click.option("--as", "new_id", metavar="NEW", help="Id of the new session; default ID-fork.")
@json_option
@on_logs
def fork_command(
    logs: Logs, session_id: str, *, node: str | None, new_id: str | None, as_json: bool
) -> None:
    """Copy the path to a turn into a new session, with its labels and condensations."""
    store = logs.sessions
    graph = existing(store, session_id)
    new = _free_id(store, session_id) if new_id is None else new_id
    last = None if node is None else find_node(graph, node)
    tell_gap(graph, last)
    fork_session(store, session_id, new, at=last)
    if as_json:
        print_json({"session": new, "forked_from": session_id})
    else:
        show(new)


def _free_id(store: SessionStore, session_id: str) -> str:
    taken = set(store.list_sessions())
    n, new = 1, f"{session_id}-fork"
    while new in taken:
        n += 1
        new = f"{session_id}-fork-{n}"
    return new


@click.command("rm")
@click.argument("session_id", metavar="ID")
@click.option("--yes", is_flag=True, help="Don't ask.")
@json_option
@on_logs
def rm_command(logs: Logs, session_id: str, *, yes: bool, as_json: bool) -> None:
    """Remove a session's file and its backups for good."""
    store = logs.sessions
    graph = existing(store, session_id)
    say(f"removes session {session_id}: {counted(graph.size, 'turn')}")
    confirm("Remove for good?", yes=yes)
    remove_session(store, session_id)
    if as_json:
        print_json({"removed": session_id})
    else:
        show(f"session {session_id} removed")
