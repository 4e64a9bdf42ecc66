"""The turns of one session as a tree in memory, and the leaf that the next turn follows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

from litemem.errors import UnknownNode
from litemem.session import lineage
from litemem.session.context import Context, context_of, latest
from litemem.session.marks import Marks
from litemem.session.nodes import (
    ID_CHARS,
    Clock,
    Revision,
    SessionHead,
    SessionNode,
    Turn,
    hash_node,
    now_ms,
)
from litemem.session.records import Compaction, compaction_body
from litemem.session.report import LoadReport
from litemem.session.table import NodeTable
from litemem.text import jsjson


class Gap(NamedTuple):
    """Where the way up from a node ends before a root."""

    below: str  # the oldest node that is left
    lost: str  # its parent
    repeats: bool  # the parent is there, and descends from `below`: a cycle


class SessionGraph:
    """
    A tree of turns that grows at its leaf and branches wherever the leaf is moved.

    One that `SessionStore.load_session` returns also has the file's marks (name, labels,
    condensations), its `report`, and `saved`: what was on disk.
    """

    def __init__(self, session_id: str, clock: Clock = now_ms) -> None:
        self.session_id = session_id
        self.marks = Marks()
        self.report = LoadReport()
        self.saved = Revision(None, None)
        self._clock = clock
        self._nodes = NodeTable()
        self._leaf: str | None = None

    @classmethod
    def hydrate(
        cls,
        session_id: str,
        nodes: Iterable[SessionNode],
        leaf: str | None,
        clock: Clock = now_ms,
    ) -> SessionGraph:
        """
        Make a graph of stored nodes.

        Args:
            session_id: the session's id.
            nodes: in any order; of two with one id the last counts.
            leaf: unknown, it's None, or the only node where there is just one.
            clock: gives new nodes their time.
        """
        table = NodeTable()
        for node in nodes:
            table.add(node)
        return cls.of_table(session_id, table, leaf, clock)

    @classmethod
    def of_table(
        cls, session_id: str, nodes: NodeTable, leaf: str | None, clock: Clock = now_ms
    ) -> SessionGraph:
        """Make a graph around a table of nodes, with `hydrate`'s rule for the leaf."""
        graph = cls(session_id, clock)
        graph._nodes = nodes
        if leaf in nodes:
            graph._leaf = leaf
        elif len(nodes) == 1:
            graph._leaf = next(iter(nodes))
        return graph

    @property
    def leaf(self) -> str | None:
        """The node that the next turn follows; None: the next turn is a root."""
        return self._leaf

    @property
    def head(self) -> SessionHead | None:
        """The leaf with the session's id; None where there is no leaf."""
        return (
            None if self._leaf is None else SessionHead(session_id=self.session_id, leaf=self._leaf)
        )

    @property
    def size(self) -> int:
        """How many nodes there are, on all branches."""
        return len(self._nodes)

    def get(self, node_id: str) -> SessionNode | None:
        """Return a node, or None where none has the id."""
        return self._nodes.get(node_id)

    def __contains__(self, node_id: str) -> bool:
        return node_id in self._nodes

    def all(self) -> list[SessionNode]:
        """Return every node in order of arrival."""
        return list(self._nodes.values())

    def children(self) -> dict[str | None, list[str]]:
        """Return the ids that follow each node, oldest first; those of None are the roots."""
        found: dict[str | None, list[str]] = {}
        for node, parent in self._nodes.parents.items():
            found.setdefault(parent, []).append(node)
        return found

    def draft(self, turn: Turn) -> SessionNode:
        """Make the node that `append` would add now. Raises InvalidValue: the turn isn't JSON."""
        created_at = self._clock()
        node_id = hash_node(self._leaf, turn, created_at)
        return SessionNode(id=node_id, parent=self._leaf, turn=turn, created_at=created_at)

    def add(self, node: SessionNode) -> SessionNode:
        """Take in a node and move the leaf to it; one with its id that is there already stays."""
        if node.id not in self._nodes:
            self._nodes.add(node)
        self._leaf = node.id
        return self._nodes[node.id]

    def append(self, turn: Turn) -> SessionNode:
        """Add a turn after the leaf, and move the leaf to it. Raises InvalidValue: not JSON."""
        return self.add(self.draft(turn))

    def branch_from(self, node_id: str) -> SessionNode:
        """Move the leaf to a node, so that the next turn follows it. Raises UnknownNode."""
        if node_id not in self._nodes:
            raise UnknownNode(f'cannot branch from unknown node "{node_id}"')
        self._leaf = node_id
        return self._nodes[node_id]

    def path_to(self, leaf: str) -> list[Turn]:
        """
        Return all turns from the root to a node, condensed or not.

        Raises:
            BrokenLineage: names the ancestor that is missing, or comes twice.
        """
        return [node.turn for node in self.nodes_to(leaf)]

    def nodes_to(self, leaf: str) -> list[SessionNode]:
        """Do `path_to`, with nodes instead of turns."""
        return [self._nodes[node] for node in lineage.path_to(self._nodes.parents, leaf)]

    def resume(self, leaf: str) -> list[Turn]:
        """
        Move the leaf to a node and return what a run goes on with there: `context(leaf).turns()`.

        Raises:
            UnknownNode: no node has the id.
            BrokenLineage: as `path_to`, where `context` doesn't; the leaf is moved all the same.
        """
        self.branch_from(leaf)
        lineage.path_to(self._nodes.parents, leaf)
        return self.context(leaf).turns()

    def context(self, leaf: str | None = None) -> Context:
        """
        Return the path to a node (default: the leaf) as its last condensation left it.

        It begins below a gap: where an ancestor is missing or comes twice. Raises UnknownNode.
        """
        path = self._readable_path(leaf)
        return context_of(path, self._nodes, latest(path, self.marks.compactions.values()))

    def readable_nodes(self, leaf: str | None = None) -> list[SessionNode]:
        """Return the nodes from below a gap to a node (default: the leaf). Raises UnknownNode."""
        return [self._nodes[node] for node in self._readable_path(leaf)]

    def gap(self, leaf: str | None = None) -> Gap | None:
        """Return where the path to a node (default: the leaf) is torn. Raises UnknownNode."""
        path = self._readable_path(leaf)
        lost = self._nodes.parents[path[0]] if path else None
        return None if lost is None else Gap(path[0], lost, lost in self._nodes)

    def _readable_path(self, leaf: str | None) -> list[str]:
        end = self._leaf if leaf is None else leaf
        if end is None:
            return []
        if end not in self._nodes:
            raise UnknownNode(f'session {self.session_id!r} has no node "{end}"')
        return lineage.readable_path(self._nodes.parents, end)

    def draft_compaction(
        self, summary: Turn, *, at: int, pin: int | None = None, tokens_before: int | None = None
    ) -> Compaction:
        """
        Make the record that condenses the context at the leaf; the graph doesn't change.

        Args:
            summary: the turn that stands for what isn't kept.
            at: index into `context().turns()`: from there all is kept.
            pin: index of an older turn that is kept too.
            tokens_before: how long the context was.

        Raises:
            InvalidValue: nothing would be condensed, or an index is out of range.
        """
        pinned, first_kept = self.context().cut(at, pin)
        draft = Compaction(
            id="",
            leaf=str(self._leaf),
            first_kept=first_kept,
            pinned=pinned,
            summary=summary,
            tokens_before=tokens_before,
            at=datetime.fromtimestamp(self._clock() / 1000, UTC),
        )
        digest = hashlib.sha256(jsjson.encode(compaction_body(draft))).hexdigest()
        return replace(draft, id=digest[:ID_CHARS])
