"""Ways to look at a session tree: one path around a node, and the whole tree as rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from litemem.errors import InvalidValue, UnknownNode, UnknownSession
from litemem.session.graph import SessionGraph
from litemem.session.labels import SHORTEST_START
from litemem.session.lineage import Parents, readable_path
from litemem.session.nodes import SessionNode
from litemem.session.records import Compaction
from litemem.session.store import SessionStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A node in a drawn tree; all rows of one column are one path."""

    node: SessionNode
    column: int  # 0 for the path to the head; a branch has one more than what it's a branch of
    starts: bool  # a root, or the first of a branch
    label: str | None
    is_head: bool
    cuts: tuple[Compaction, ...]  # condensations that keep this node as their first
    ends: tuple[Compaction, ...]  # condensations that were made here

    @property
    def matters(self) -> bool:
        """Whether a tree that leaves out long runs still shows this row."""
        return bool(self.starts or self.label or self.is_head or self.cuts or self.ends)


def existing(store: SessionStore, session_id: str) -> SessionGraph:
    """Load a session that is there. Raises UnknownSession."""
    if not store.folder.file(session_id).path.exists():
        raise UnknownSession(f"there is no session {session_id!r} in {store.folder.root}")
    return store.load_session(session_id)


def find_node(graph: SessionGraph, text: str) -> str:
    """
    Return the id of the node that a person means: by its id, its start, or its label.

    Raises:
        UnknownNode: none is meant.
        InvalidValue: more than one is meant.
    """
    if text in graph:
        return text
    found = [node for node, label in graph.marks.labels.items() if label == text and node in graph]
    if not found and len(text) >= SHORTEST_START:
        found = [node.id for node in graph.all() if node.id.startswith(text)]
    if not found:
        raise UnknownNode(f'session {graph.session_id!r} has no node "{text}"')
    if len(found) > 1:
        shown = ", ".join(found[:3])
        raise InvalidValue(f'"{text}" names {len(found)} nodes ({shown} ...): write more of the id')
    return found[0]


def around(graph: SessionGraph, node_id: str, before: int, after: int) -> list[SessionNode]:
    """
    Return a node with those before and after it on one path.

    The path goes on to the leaf where the node leads there, else along the newest branch. Where
    an ancestor is missing, it starts after the gap.

    Raises:
        InvalidValue: a number is negative.
    """
    if before < 0 or after < 0:
        raise InvalidValue("how many turns to show around a node is 0 or more")
    parents = {node.id: node.parent for node in graph.all()}
    path = readable_path(parents, node_id, before)
    to_leaf = set(readable_path(parents, graph.leaf, len(parents))) if graph.leaf else set()
    children = graph.children()
    at = node_id
    for _ in range(after):
        nexts = [child for child in children.get(at, ()) if child not in path]
        if not nexts:
            break
        at = next((child for child in nexts if child in to_leaf), nexts[-1])
        path.append(at)
    return [node for node in map(graph.get, path) if node is not None]


def tree_rows(graph: SessionGraph) -> list[Row]:
    """
    Return every node, parents before children; side branches before the main path goes on.

    The main path of a fork is the one to the leaf, else the newest child's. The leaf's root comes
    first. A node whose parent is missing is a root too; nodes of a cycle come last.
    """
    return list(_Drawn(graph).rows())


class _Drawn:
    """The order and the columns of a tree's rows."""

    def __init__(self, graph: SessionGraph) -> None:
        self._graph = graph
        self._nodes = {node.id: node for node in graph.all()}
        self._children = graph.children()
        parents: Parents = {node.id: node.parent for node in self._nodes.values()}
        self._main = set(readable_path(parents, graph.leaf, len(parents))) if graph.leaf else set()
        roots = [node for node, parent in parents.items() if parent not in parents]
        self._roots = sorted(roots, key=lambda node: node not in self._main)
        self._seen: set[str] = set()

    def rows(self) -> Iterator[Row]:
        """Walk the tree; what no root leads to is in a cycle, and comes last."""
        for start in (*self._roots, *self._nodes):
            if start not in self._seen:
                yield from self._walk(start)

    def _walk(self, start: str) -> Iterator[Row]:
        """Walk without recursion: a session may be 20,000 turns deep."""
        stack = [(start, 0, True)]
        while stack:
            node_id, column, starts = stack.pop()
            if node_id in self._seen:
                continue
            self._seen.add(node_id)
            yield self._row(node_id, column, starts=starts)
            children = self._children.get(node_id, [])
            if children:
                main = next((child for child in children if child in self._main), children[-1])
                stack.append((main, column, False))
                sides = [child for child in children if child != main]
                stack += [(child, column + 1, True) for child in reversed(sides)]

    def _row(self, node_id: str, column: int, *, starts: bool) -> Row:
        marks = self._graph.marks
        made = tuple(marks.compactions.values())
        return Row(
            node=self._nodes[node_id],
            column=column,
            starts=starts,
            label=marks.labels.get(node_id),
            is_head=node_id == self._graph.leaf,
            cuts=tuple(one for one in made if one.first_kept == node_id),
            ends=tuple(one for one in made if one.first_kept is None and one.leaf == node_id),
        )
