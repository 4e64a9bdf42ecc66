"""Facts that claim different values of what has one value at a time; the newest is current."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo
from itertools import pairwise
from typing import Final, NamedTuple

from litemem.text.claim import Claim, claim, contradicts
from litemem.text.currently import Span, currently, plain, read_currently
from litemem.text.head import local_day
from litemem.text.proposal import STEP_KEY, Refusals, by_grounds
from litemem.types import Fact

_MOST_LOOKED_AT: Final = 300  # claims about one thing


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A fact that holds now, those that held before, and what to say of them."""

    facts: tuple[Fact, ...]  # the newest first
    content: str


class _Claimed(NamedTuple):
    fact: Fact
    claim: Claim
    text: str  # what it says holds, or held, by itself
    since: date
    before: tuple[tuple[str, date], ...]  # text, and until when: what it says of what held before


def conflicts(
    facts: Sequence[Fact], fresh: Collection[str], refusals: Refusals, zone: tzinfo
) -> list[Conflict]:
    """
    Find facts that were replaced by newer ones in time; each is in one conflict at most.

    Args:
        facts: current ones of one user.
        fresh: ids, of which each conflict has one.
        refusals: what stays apart.
        zone: where the days are that are named.
    """
    found = []
    for some in by_grounds(facts):
        things: dict[tuple[str, str, str], list[_Claimed]] = {}
        for one in (_claimed(fact, zone) for fact in some):
            if one is not None:
                things.setdefault(one.claim.about, []).append(one)
        for claims in things.values():
            found += [
                Conflict(facts=tuple(one.fact for one in group), content=_content(group))
                for group in _groups(claims[-_MOST_LOOKED_AT:], refusals)
                if any(one.fact.id in fresh for one in group)
            ]
    return found


def _claimed(fact: Fact, zone: tzinfo) -> _Claimed | None:
    day = local_day(fact.created_at, zone)
    written = read_currently(fact.content) if STEP_KEY in fact.metadata else None
    now, before = written or (Span(text=fact.content, since=day), ())
    text, found = plain(now.text), claim(now.text)
    return _Claimed(fact, found, text, now.since, before) if found and text else None


def _groups(claims: Sequence[_Claimed], refusals: Refusals) -> Iterator[list[_Claimed]]:
    """Give the newest claim with the older ones that it contradicts or repeats, and so on."""
    waiting = [*reversed(claims)]
    while len(waiting) > 1:
        newest, *older = waiting
        related = {
            one.fact.id: one
            for one in older
            if contradicts(newest.claim, one.claim) or newest.claim.value == one.claim.value
        }
        some = refusals.allowed(newest.fact, (one.fact for one in related.values()))
        group = [newest, *(related[fact.id] for fact in some)]
        if _is_ordered(group):
            yield group
            taken = {one.fact.id for one in group}
            waiting = [one for one in older if one.fact.id not in taken]
        else:
            waiting = older


def _is_ordered(group: Sequence[_Claimed]) -> bool:
    """Say whether there is a contradiction, and time tells each of them which one came first."""
    differing = [(new, old) for new, old in pairwise(group) if new.claim.value != old.claim.value]
    return bool(differing) and all(
        new.fact.created_at > old.fact.created_at for new, old in differing
    )


def _content(group: Sequence[_Claimed]) -> str:
    spans: list[Span] = []
    value = None
    for one in reversed(group):
        if one.claim.value == value:
            spans[-1] = Span(text=one.text, since=spans[-1].since)
            continue
        value = one.claim.value
        # What a wording says of before has only its ends; each began where the one before it ended.
        since = one.before[-1][1] if one.before else one.since
        for text, until in reversed(one.before):
            spans.append(Span(text=text, since=since))
            since = until
        spans.append(Span(text=one.text, since=one.since))
    return currently(spans)
