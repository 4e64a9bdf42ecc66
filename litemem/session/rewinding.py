"""A session's context as a list to add to and to take from; in the log every node stays."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from litemem.errors import Conflict, InvalidValue
from litemem.session.context import Context
from litemem.session.file import SessionFile
from litemem.session.nodes import ID_CHARS, SessionNode, Turn, hash_node
from litemem.session.records import Compaction, Head, Record, compaction_body
from litemem.session.store import SessionStore
from litemem.text import jsjson

CLEARED: Final[Turn] = {"role": "user", "blocks": [{"kind": "command", "command": "clear"}]}
"""The root that an emptied session goes on from: a head has to name a node."""

Decide = Callable[[list[Turn]], tuple[int, Sequence[Turn]]]
"""Given the turns of a context: how many of them stay, and the turns that then follow."""


def append_turns(
    store: SessionStore, session_id: str, turns: Sequence[Turn]
) -> tuple[SessionNode, ...]:
    """
    Add turns after the session's leaf, whichever it is by then, in one write.

    There is no Conflict with others who append: each comes before or after.

    Args:
        store: where the session is; its file is made when it's missing.
        session_id: the session's id.
        turns: oldest first.

    Returns:
        The new nodes.

    Raises:
        InvalidValue: a turn isn't JSON; nothing was written.
        Conflict: no head of the session is valid.
    """
    with store.folder.writing(session_id, new=True) as file:
        end = file.end()
        if end.leaf is None and end.has_nodes:
            raise Conflict(
                f"session {session_id!r} has no valid head; mend it with "
                f"'litemem session repair {session_id}'"
            )
        nodes = _chain(file, end.leaf, turns, store.clock())
        if nodes:
            file.write(_written(nodes))
        return nodes


def rewind(store: SessionStore, session_id: str, decide: Decide) -> None:
    """
    Let the context end earlier, and go on from there; nothing is deleted.

    Nobody else writes in between. The head moves to the last turn that stays. Where a condensation
    was made after it, it's repeated for what is left; where no turn stays, CLEARED is a new root.

    Args:
        store: where the session is; a missing one has no turns.
        session_id: the session's id.
        decide: is given the turns of the context.

    Raises:
        InvalidValue: there are fewer turns, or a new one isn't JSON; nothing was written.
    """
    with store.folder.writing(session_id, new=True) as file:
        graph = store.load_session(session_id)
        context = graph.context()
        turns = context.turns()
        keep, more = decide(turns)
        if not 0 <= keep <= len(turns):
            raise InvalidValue(f"can't keep {keep} of {len(turns)} turns of {session_id!r}")
        records: list[Record] = []
        leaf = graph.leaf
        if keep < len(turns):
            records = _cut(context, keep, str(leaf), store.now())
        if keep == 0 and turns:
            records = _written(_chain(file, None, [CLEARED], store.clock()))
        leaf = next((one.leaf for one in records if isinstance(one, Head)), leaf)
        records += _written(_chain(file, leaf, more, store.clock()))
        if records:
            file.write(records)


def _cut(context: Context, keep: int, leaf: str, now: datetime) -> list[Record]:
    """Return what makes a context its first turns, 1 to all but one."""
    made = context.compaction
    if made is None:
        return [Head(leaf=context.tail[keep - 1].id)]
    pinned = [node.id for node in context.pinned]
    in_tail = keep - 1 - len(pinned)
    if in_tail <= 0:
        return [_again(made, leaf, None, pinned[: keep - 1], now)]
    end = context.tail[in_tail - 1].id
    if all(node.id != made.leaf for node in context.tail[in_tail:]):
        return [Head(leaf=end)]
    # In this order: torn off after the first line, the write has changed nothing.
    return [_again(made, end, made.first_kept, pinned, now), Head(leaf=end)]


def _again(
    made: Compaction, leaf: str, first_kept: str | None, pinned: Sequence[str], now: datetime
) -> Compaction:
    draft = replace(made, id="", leaf=leaf, first_kept=first_kept, pinned=tuple(pinned), at=now)
    digest = hashlib.sha256(jsjson.encode(compaction_body(draft))).hexdigest()
    return replace(draft, id=digest[:ID_CHARS])


def _chain(
    file: SessionFile, parent: str | None, turns: Sequence[Turn], at: float
) -> tuple[SessionNode, ...]:
    nodes: list[SessionNode] = []
    for turn in turns:
        node = _node(parent, turn, at)
        # The same turn was taken back in this very millisecond: a node comes once in a log.
        while not nodes and file.has_sibling(node):
            at += 1
            node = _node(parent, turn, at)
        nodes.append(node)
        parent = node.id
    return tuple(nodes)


def _node(parent: str | None, turn: Turn, at: float) -> SessionNode:
    return SessionNode(id=hash_node(parent, turn, at), parent=parent, turn=turn, created_at=at)


def _written(nodes: Sequence[SessionNode]) -> list[Record]:
    return [record for node in nodes for record in (node, Head(leaf=node.id))]
