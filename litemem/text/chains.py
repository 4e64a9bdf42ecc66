"""Chains of replaced facts: a pure function of the lines, whatever order they are read in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import heappop, heappush
from typing import Any

from litemem.errors import UnknownFact


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One fact's place in its chain."""

    id: str
    replaces: str | None
    at: datetime
    order: Any  # anything sortable that is unique per user, e.g. (path, line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What the links of one user amount to."""

    head: Mapping[str, str]  # every id -> the id that answers for its chain
    chains: Mapping[str, tuple[str, ...]]  # head -> all its ids, oldest first, the head last
    superseded: frozenset[str]  # every id that is no head
    duplicates: tuple[Link, ...]  # lines whose id an earlier line has, by order
    cycles: tuple[tuple[str, ...], ...]  # the ids of each loop, from the one kept as root on


def resolve(links: Sequence[Link]) -> Resolution:
    """
    Find the newest fact of every chain.

    A fact whose `replaces` isn't there is a root. Where several facts replace one, the one with
    the newest (at, id) goes on. Of lines with one id the first by `order` counts; of a loop the
    first by `order` is taken as root.
    """
    kept: dict[str, Link] = {}
    ordered = sorted(links, key=lambda link: (link.order, link.id, link.at, link.replaces or ""))
    duplicates = [link for link in ordered if kept.setdefault(link.id, link) is not link]
    parents = {link.id: link.replaces for link in kept.values() if link.replaces in kept}
    cycles = _cycles(kept, parents)
    for cycle in cycles:
        del parents[cycle[0]]
    chains = {}
    children: dict[str, list[str]] = {}
    for child, parent in parents.items():
        children.setdefault(parent or "", []).append(child)
    for root in kept:
        if root not in parents:
            members = _oldest_first(root, kept, children)
            chains[members[-1]] = members
    head = {member: last for last, members in chains.items() for member in members}
    return Resolution(
        head=head,
        chains=chains,
        superseded=frozenset(kept.keys() - chains.keys()),
        duplicates=tuple(duplicates),
        cycles=cycles,
    )


def history(links: Sequence[Link], fact_id: str) -> tuple[str, ...]:
    """
    List all ids of a fact's chain, oldest first; the last is the one that answers.

    Raises:
        UnknownFact: no link has that id.
    """
    resolution = resolve(links)
    if fact_id not in resolution.head:
        raise UnknownFact(f"no fact has the id {fact_id!r}")
    return resolution.chains[resolution.head[fact_id]]


def _cycles(
    kept: Mapping[str, Link], parents: Mapping[str, str | None]
) -> tuple[tuple[str, ...], ...]:
    walk_of: dict[str, int] = {}
    cycles = []
    for walk, start in enumerate(kept):
        path = []
        at: str | None = start
        while at is not None and at not in walk_of:
            walk_of[at] = walk
            path.append(at)
            at = parents.get(at)
        if at is not None and walk_of[at] == walk:
            loop = path[path.index(at) :]
            first = loop.index(min(loop, key=lambda member: (kept[member].order, member)))
            cycles.append(tuple(loop[first:] + loop[:first]))
    return tuple(cycles)


def _oldest_first(
    root: str, kept: Mapping[str, Link], children: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    head = root
    while head in children:
        head = max(children[head], key=lambda child: (kept[child].at, child))
    waiting = [(kept[root].at, root)]
    ordered = []
    while waiting:
        _, member = heappop(waiting)
        if member != head:
            ordered.append(member)
        for child in children.get(member, ()):
            heappush(waiting, (kept[child].at, child))
    return (*ordered, head)
