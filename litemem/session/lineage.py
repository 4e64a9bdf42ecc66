"""Ancestors in a session tree, whatever a file claims: gaps and loops are found, never followed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from litemem.errors import BrokenLineage
from litemem.session.report import Oddity

Parents: TypeAlias = Mapping[str, str | None]
"""Node id -> the parent's id, None for a root."""


class Lost(NamedTuple):
    """A node without its parent, or one of a cycle."""

    node: str
    kind: Oddity
    detail: str


def path_to(parents: Parents, leaf: str) -> list[str]:
    """
    Return the ids from the root to `leaf`.

    Raises:
        BrokenLineage: names the ancestor that is missing, or comes twice.
    """
    path: dict[str, None] = {}
    at: str | None = leaf
    while at is not None:
        if at in path:
            raise BrokenLineage(f'broken lineage: node "{at}" is its own ancestor')
        if at not in parents:
            raise BrokenLineage(f'broken lineage: missing node "{at}"')
        path[at] = None
        at = parents[at]
    return list(reversed(path))


def readable_path(parents: Parents, leaf: str, most: int | None = None) -> list[str]:
    """
    Return the ids from at most `most` ancestors (None: all) to `leaf`; none for an unknown leaf.

    An ancestor that is missing, or comes twice, ends the way up: the path begins below it.
    """
    path: dict[str, None] = {}
    at: str | None = leaf
    while at is not None and at in parents and at not in path:
        path[at] = None
        if most is not None and len(path) > most:
            break
        at = parents[at]
    return list(reversed(path))


def examine(parents: Parents) -> tuple[set[str], list[Lost]]:
    """Return the nodes that have all their ancestors, and what is wrong with the others."""
    rooted: set[str] = set()
    late: list[str] = []  # whose parent doesn't come before them, as it does in most files
    for node, parent in parents.items():
        if parent is None or parent in rooted:
            rooted.add(node)
        else:
            late.append(node)
    lost: set[str] = set()
    findings: list[Lost] = []
    for node in late:
        if parents[node] not in parents:
            detail = f'the parent "{parents[node]}" of node "{node}" is missing'
            findings.append(Lost(node, "orphan", detail))
        trail, end = _trail(parents, node, rooted, lost)
        if end is None or end in rooted:
            rooted.update(trail)
            continue
        lost.update(trail)
        if end in trail:
            findings.append(Lost(end, "cycle", f'node "{end}" is its own ancestor'))
    return rooted, findings


def _trail(
    parents: Parents, start: str, rooted: set[str], lost: set[str]
) -> tuple[dict[str, None], str | None]:
    """Walk up from a node until what is known, missing, or walked already; return where it ends."""
    trail: dict[str, None] = {}
    at: str | None = start
    while at is not None and at in parents and not (at in trail or at in rooted or at in lost):
        trail[at] = None
        at = parents[at]
    return trail, at
