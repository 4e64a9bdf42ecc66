"""What could be put together: facts that say the same, and facts that one replaced in time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from litemem.types import Fact, JsonObject, Seen

ProposalKind: TypeAlias = Literal["merge", "replace"]

STEP_KEY = "consolidation"
"""The key of a fact's metadata that names the step which wrote it."""

Grounds: TypeAlias = tuple[str | None, str | None, str]
"""Chat, speaker and metadata: facts that differ in one of them are never put together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One new fact that would take the place of several."""

    kind: ProposalKind
    facts: tuple[Fact, ...]  # as they were when it was planned; the main one first
    content: str  # of a merge the text of one of them, as it stands
    cosine: float | None  # the least of any of them to the main one; None without vectors

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the facts whose place it would take, the main one first."""
        return tuple(fact.id for fact in self.facts)


class Refusals:
    """Which facts were taken apart again, or were told to stay apart."""

    def __init__(self, groups: Sequence[Sequence[str]]) -> None:
        self._groups: dict[str, set[int]] = {}  # id -> numbers of the groups it was in
        for number, group in enumerate(groups):
            for id_ in group:
                self._groups.setdefault(id_, set()).add(number)

    def allowed(self, first: Fact, others: Iterable[Fact]) -> Iterator[Fact]:
        """Give those of the others, in order, that needn't stay apart from any before them."""
        taken = set(self._groups.get(first.id, ()))
        for fact in others:
            groups = self._groups.get(fact.id, set())
            if taken.isdisjoint(groups):
                taken |= groups
                yield fact


def grounds(fact: Fact) -> Grounds:
    """Return what must be equal of facts that are put together."""
    return fact.chat_id, fact.speaker, repr(sorted(without_step(fact.metadata).items()))


def without_step(metadata: JsonObject) -> dict[str, object]:
    """Return metadata without the name of a step."""
    return {key: value for key, value in metadata.items() if key != STEP_KEY}


def by_grounds(facts: Sequence[Fact]) -> Iterator[list[Fact]]:
    """Give facts that may be put together, oldest first."""
    groups: dict[Grounds, list[Fact]] = {}
    for fact in sorted(facts, key=age):
        groups.setdefault(grounds(fact), []).append(fact)
    return iter(groups.values())


def age(fact: Fact) -> tuple[object, str]:
    """Order facts by time, then by id."""
    return fact.created_at, fact.id


def together(proposal: Proposal, facts: Sequence[Fact], *, id: str, step: str) -> Fact:
    """
    Make the fact that a proposal proposes.

    Args:
        proposal: its text counts.
        facts: those of the proposal as they are now, in its order.
        id: of the new fact.
        step: the name of the step, by which it's undone.

    Returns:
        The fact: said when the newest of them was, as important as the most important, with the
        tags of all, and restated as often as all of them were.
    """
    main, *others = facts
    newest = max(facts, key=age)
    own = [fact.category for fact in sorted(facts, key=age) if fact.category != "general"]
    return Fact(
        id=id,
        content=proposal.content,
        created_at=newest.created_at,
        category=main.category if main.category != "general" or not own else own[-1],
        importance=max(fact.importance for fact in facts),
        tags=tuple(dict.fromkeys(tag for fact in facts for tag in fact.tags)),
        chat_id=main.chat_id,
        speaker=main.speaker,
        metadata={**without_step(main.metadata), STEP_KEY: step},
        replaces=main.id,
        merges=tuple(fact.id for fact in others),
        source=main.source or next((fact.source for fact in others if fact.source), None),
        seen=_seen(facts) if proposal.kind == "merge" else main.seen,
    )


def handed_back(written: Fact, originals: Sequence[Fact]) -> Fact:
    """
    Return the main original with what was changed of the fact that took its place.

    Args:
        written: what `together` made, with another importance, tags or confirmations since.
        originals: the main one first.
    """
    kind: ProposalKind = "merge"
    if all(written.content != fact.content for fact in originals):
        kind = "replace"
    proposal = Proposal(kind=kind, facts=tuple(originals), content=written.content, cosine=None)
    before, main = together(proposal, originals, id=written.id, step=""), originals[0]
    more = (written.seen.n if written.seen else 0) - (before.seen.n if before.seen else 0)
    count = more + (main.seen.n if main.seen else 0)
    grown = more > 0 and written.seen is not None
    return replace(
        main,
        importance=main.importance
        if written.importance == before.importance
        else written.importance,
        tags=main.tags if written.tags == before.tags else written.tags,
        seen=Seen(n=count, last=written.seen.last) if grown and written.seen else main.seen,
    )


def is_current(planned: Fact, now: Mapping[str, Fact]) -> bool:
    """Say whether a fact still is what it was for a plan: its text, chat, speaker and metadata."""
    fact = now.get(planned.id)
    return (
        fact is not None
        and (fact.content, fact.created_at) == (planned.content, planned.created_at)
        and grounds(fact) == grounds(planned)
    )


def _seen(facts: Sequence[Fact]) -> Seen:
    restated = sum(fact.seen.n for fact in facts if fact.seen)
    last = max(fact.seen.last if fact.seen else fact.created_at for fact in facts)
    return Seen(n=restated + len(facts) - 1, last=last)
