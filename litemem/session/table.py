"""The nodes of a session by id; those that came from a file are made when they're asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from litemem.session.lines import make_node
from litemem.session.nodes import SessionNode


class NodeTable(Mapping[str, SessionNode]):
    """
    Nodes by id, in order of arrival; a second node with an id takes the place of the first.

    Most of a long session is never looked at again. Keeping its lines instead of its dicts makes
    loading as fast as reading JSON is, in a third of the memory.
    """

    def __init__(self) -> None:
        self.parents: dict[str, str | None] = {}
        self.lines: dict[str, bytes] = {}  # of nodes not made yet, each a sound one
        self._made: dict[str, SessionNode] = {}

    def add(self, node: SessionNode) -> None:
        """Take in a node."""
        self.parents[node.id] = node.parent
        self._made[node.id] = node
        self.lines.pop(node.id, None)

    def __getitem__(self, node_id: str) -> SessionNode:
        node = self._made.get(node_id)
        if node is None:
            node = make_node(self.lines.pop(node_id))
            self._made[node_id] = node
        return node

    def __contains__(self, node_id: object) -> bool:
        return node_id in self.parents

    def __iter__(self) -> Iterator[str]:
        return iter(self.parents)

    def __len__(self) -> int:
        return len(self.parents)
