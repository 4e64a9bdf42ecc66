"""`litemem consolidate` and `litemem undo`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from litemem.cli.options import json_option, on_memory
from litemem.cli.output import (
    clean,
    counted,
    fact_json,
    faint,
    print_json,
    progress_bar,
    say,
    show,
)

if TYPE_CHECKING:
    from litemem.memory.consolidate import Consolidation
    from litemem.memory.memory import Memory
    from litemem.text.proposal import Proposal
    from litemem.types import Fact


@click.command("consolidate")
@click.option("--apply", is_flag=True, help="Write it down; 'litemem undo' takes it back.")
@click.option("--all", "everything", is_flag=True, help="Compare all facts, not new ones alone.")
@json_option
@on_memory
def consolidate_command(memory: Memory, *, apply: bool, everything: bool, as_json: bool) -> None:
    """
    Find facts that say the same or that newer ones replaced, and propose to put them together.

    A merge keeps the text of one of them; "currently ... before ..." says what was replaced when.
    Their lines stay in the logs as history.
    """
    with progress_bar("embedding") as progress:
        found = memory.consolidate(apply=apply, everything=everything, progress=progress)
    if as_json:
        print_json(_as_json(found))
    else:
        for proposal in found.plan.proposals:
            _show(memory, proposal)
    say_what_was_done(found)


@click.command("undo")
@click.argument("step", required=False)
@click.option("--list", "listing", is_flag=True, help="Only list the steps, the latest first.")
@json_option
@on_memory
def undo_command(memory: Memory, step: str | None, *, listing: bool, as_json: bool) -> None:
    """Take the latest consolidation back, or STEP: the original facts are current again."""
    if listing:
        if step is not None:
            raise click.UsageError("give a step, or --list")
        _list(memory, as_json=as_json)
        return
    undone = memory.undo(step)
    if as_json:
        removed = [fact_json(fact) for fact in undone.removed]
        restored = list(undone.restored)
        print_json({"step": undone.step, "removed": removed, "restored": restored})
        return
    for fact in undone.removed:
        show(f"took out {_line(memory, fact)}")
    show(f"{counted(len(undone.restored), 'fact')} current again; step {undone.step} undone")


def _list(memory: Memory, *, as_json: bool) -> None:
    steps = memory.steps()
    if as_json:
        print_json(
            [{"step": step.name, "facts": [fact_json(one) for one in step.facts]} for step in steps]
        )
        return
    if not steps:
        say("nothing was consolidated")
    for step in steps:
        show(f"{step.name}  {counted(len(step.facts), 'fact')} written")
        for fact in step.facts:
            click.echo(faint(f"  {_line(memory, fact)}"))


def _show(memory: Memory, one: Proposal) -> None:
    near = "" if one.cosine is None else f", cosine {one.cosine:.2f}"
    show(f"{one.kind} {counted(len(one.facts), 'fact')}{near}")
    for fact in sorted(one.facts, key=lambda fact: (fact.created_at, fact.id)):
        click.echo(faint(f"  {_line(memory, fact)}"))
    click.echo(f"  {click.style('=>', bold=True)} {clean(' '.join(one.content.split()))}")


def say_what_was_done(found: Consolidation) -> None:
    """Tell the person what was found, left out and written."""
    if found.plan.note:
        say(f"litemem: {found.plan.note}")
    for one in found.applied.left_out if found.applied else ():
        say(f"litemem: left out: {one.reason}")
    proposals, compared = (
        len(found.plan.proposals),
        counted(found.plan.fresh, "new or changed fact"),
    )
    if not proposals:
        say(f"nothing to consolidate; {compared} compared with {found.plan.facts}")
        if refused := len(found.plan.mark.refused):
            groups = counted(refused, "group")
            say(f"{groups} that you took apart again or refused stay apart")
    elif found.applied is None:
        say(
            f"{counted(proposals, 'proposal')}; nothing was changed. "
            "'litemem consolidate --apply' writes them down"
        )
    elif found.applied.step is None:
        say("nothing was written")
    else:
        written = counted(len(found.applied.written), "fact")
        say(f"{written} written; 'litemem undo {found.applied.step}' takes them back")


def _line(memory: Memory, fact: Fact) -> str:
    day = fact.created_at.astimezone(memory.zone).date().isoformat()
    return f"{fact.id}  {day}  {' '.join(fact.content.split())}"


def _as_json(found: Consolidation) -> dict[str, Any]:  # Any: JSON
    applied = found.applied
    return {
        "facts": found.plan.facts,
        "compared": found.plan.fresh,
        "note": found.plan.note,
        "proposals": [_proposal_json(one) for one in found.plan.proposals],
        "step": applied.step if applied else None,
        "written": [fact_json(fact) for fact in applied.written] if applied else [],
        "left_out": [
            {"ids": list(one.proposal.ids), "reason": one.reason}
            for one in (applied.left_out if applied else ())
        ],
    }


def _proposal_json(one: Proposal) -> dict[str, Any]:  # Any: JSON
    return {
        "kind": one.kind,
        "content": one.content,
        "cosine": one.cosine,
        "facts": [fact_json(fact) for fact in one.facts],
    }
