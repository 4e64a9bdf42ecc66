"""Consolidation by an agent's manager: proposals, and a model that may decide about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from litemem.aio.asking import ask
from litemem.aio.home import Core, OpenHome
from litemem.llm.client import LLMClient
from litemem.memory.consolidate import Applied, Plan, apply
from litemem.text.decisions import Decision, consolidation_prompt, parse_decisions
from litemem.text.proposal import Proposal

_ASKED = 30  # proposals of one question; the rest comes at the next call


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """What was proposed, and what became of it."""

    proposals: tuple[Proposal, ...]
    applied: Applied | None = None  # None: nothing was to be applied
    refused: tuple[Proposal, ...] = ()  # by the model; they don't come again
    errors: tuple[str, ...] = ()  # why nothing, or not all, could be decided


async def tidy(home: OpenHome, user: str, *, apply: bool, everything: bool) -> Consolidated:
    """Propose, and apply all proposals where that is told."""
    done = await home.write(
        lambda core: core.of(user).consolidate(apply=apply, everything=everything)
    )
    return Consolidated(proposals=done.plan.proposals, applied=done.applied)


async def tidy_by(
    llm: LLMClient, home: OpenHome, user: str, timeout_s: float, *, everything: bool
) -> Consolidated:
    """Let a model decide, in one question, about at most 30 proposals."""
    found = await home.write(lambda core: core.of(user).consolidate(everything=everything))
    shown = found.plan.proposals[:_ASKED]
    if not shown:
        return Consolidated(proposals=())
    system, prompt = consolidation_prompt(shown)
    answer = await ask(llm, prompt, system, timeout_s)
    if answer.error is not None:
        return Consolidated(proposals=found.plan.proposals, errors=(answer.error,))
    decisions, trouble = await home.read(lambda _: parse_decisions(answer.text, shown))
    applied, refused = await home.write(
        lambda core: _decide(core, user, found.plan, decisions, clear=not trouble)
    )
    return Consolidated(
        proposals=found.plan.proposals, applied=applied, refused=refused, errors=trouble
    )


def _decide(
    core: Core, user: str, plan: Plan, decisions: Sequence[Decision], *, clear: bool
) -> tuple[Applied, tuple[Proposal, ...]]:
    """Apply what was approved; what was refused in a clear answer isn't to come again."""
    approved = [one.proposal for one in decisions if one.verdict == "apply"]
    skipped = [one.proposal for one in decisions if one.verdict == "skip"] if clear else []
    return apply(core.space, user, approved, of=plan, refused=skipped), tuple(skipped)
