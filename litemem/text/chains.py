"""Chains of replaced and merged facts: a pure function of the lines, in whatever order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import heapify, heappop, heappush
from typing import Any

from litemem.errors import UnknownFact


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One fact's place in its chain."""

    id: str
    replaces: str | None
    at: datetime
    order: Any  # anything sortable that is unique per user, e.g. (path, line)
    merges: tuple[str, ...] = ()  # what it replaces besides

    @property
    def parents(self) -> tuple[str, ...]:
        """All that it replaces."""
        return () if self.replaces is None else (self.replaces, *self.merges)


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

    All facts that are linked, through any number of replacements and merges, are one chain. A fact
    of which nothing that it replaces is there is a root. Where several facts replace one, the one
    with the newest (at, id) goes on; where several roots lead to several ends, the newest of these
    answers. Of lines with one id the first by `order` counts; of a loop the first by `order` lets
    go of what it replaces in it.
    """
    kept: dict[str, Link] = {}
    ordered = sorted(links, key=lambda link: (link.order, link.id, link.at, link.parents))
    duplicates = [link for link in ordered if kept.setdefault(link.id, link) is not link]
    parents = {
        link.id: [parent for parent in dict.fromkeys(link.parents) if parent in kept]
        for link in kept.values()
    }
    cycles = _cut_cycles(parents)
    children: dict[str, list[str]] = {}
    for child, some in parents.items():
        for parent in some:
            children.setdefault(parent, []).append(child)
    chains = {}
    for component in _components(parents, children):
        head = _head(component, kept, parents, children)
        chains[head] = _oldest_first(component, head, kept, parents, children)
    return Resolution(
        head={member: head for head, members in chains.items() for member in members},
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


def _cut_cycles(parents: dict[str, list[str]]) -> tuple[tuple[str, ...], ...]:
    """
    Take one link out of every loop, that of its first member, and name the loops.

    Args:
        parents: id -> what it replaces, in the order in which ids count.
    """
    rank = {member: at for at, member in enumerate(parents)}
    sound: set[str] = set()  # whose ancestors have no loop
    above: dict[str, Iterator[str]] = {}  # what is still to be looked at of whom
    cycles = []
    for start in parents:
        path: dict[str, None] = {}
        at = start
        while at not in sound:
            path[at] = None
            left = above.setdefault(at, iter(tuple(parents[at])))
            parent = next((one for one in left if one not in sound), None)
            if parent is None:
                sound.add(at)
                del path[at]
                at = next(reversed(path), start)
            elif parent in path:
                members = list(path)
                cycles.append(_from_first(members[members.index(parent) :], rank))
                first, second = (*cycles[-1], cycles[-1][0])[:2]
                parents[first].remove(second)
                cut = members.index(first)
                for member in members[cut + 1 :]:
                    del above[member]  # they are looked at again
                path = dict.fromkeys(members[:cut])
                at = first
            else:
                at = parent
    return tuple(cycles)


def _from_first(loop: list[str], rank: Mapping[str, int]) -> tuple[str, ...]:
    first = loop.index(min(loop, key=rank.__getitem__))
    return tuple(loop[first:] + loop[:first])


def _components(
    parents: Mapping[str, Sequence[str]], children: Mapping[str, Sequence[str]]
) -> Iterator[list[str]]:
    """Give the ids that are linked with each other in whatever way, the roots first."""
    seen: set[str] = set()
    for start in parents:
        if start in seen:
            continue
        seen.add(start)
        component = [start]
        for member in component:  # it grows meanwhile
            near = [*parents[member], *children.get(member, ())]
            fresh = [one for one in dict.fromkeys(near) if one not in seen]
            seen.update(fresh)
            component += fresh
        yield component


def _head(
    component: Sequence[str],
    kept: Mapping[str, Link],
    parents: Mapping[str, Sequence[str]],
    children: Mapping[str, Sequence[str]],
) -> str:
    """Follow each root to the newest of what replaced it, and so on; the newest end answers."""

    def age(member: str) -> tuple[datetime, str]:
        return kept[member].at, member

    walked: set[str] = set()
    ends = []
    for member in component:
        if parents[member]:
            continue
        at = member
        while at not in walked and at in children:
            walked.add(at)
            at = max(children[at], key=age)
        if at not in children:
            ends.append(at)
    return max(ends, key=age)


def _oldest_first(
    component: Sequence[str],
    head: str,
    kept: Mapping[str, Link],
    parents: Mapping[str, Sequence[str]],
    children: Mapping[str, Sequence[str]],
) -> tuple[str, ...]:
    """Give a chain's ids by age, but none before what it replaces, and the head last."""
    missing = {member: len(parents[member]) for member in component}
    waiting = [(kept[member].at, member) for member in component if not missing[member]]
    heapify(waiting)
    ordered = []
    while waiting:
        _, member = heappop(waiting)
        if member != head:
            ordered.append(member)
        for child in children.get(member, ()):
            missing[child] -= 1
            if not missing[child]:
                heappush(waiting, (kept[child].at, child))
    return (*ordered, head)
