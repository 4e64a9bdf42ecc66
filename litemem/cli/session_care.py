"""`litemem session verify`, `repair` and `compact`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import click

from litemem.cli.options import json_option
from litemem.cli.output import counted, print_json, say, show
from litemem.cli.session_home import on_logs, tell_gap
from litemem.errors import ModelError
from litemem.session import repair, verify
from litemem.session.browse import existing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litemem.cli.session_home import Logs
    from litemem.run.turns import Turn
    from litemem.session import Verification
    from litemem.session.report import Finding
    from litemem.types import Embedder

_KEPT: Final = "leaving it out would lose what can still be read"
_WHY_LEFT: Final = {
    "id mismatch": "what the turn said before isn't known, and it can still be read",
    "bad bytes": "what the bytes were isn't known; the rest of the line can still be read",
    "orphan": "the line before it is lost; resuming begins here",
    "cycle": "which turn came first isn't known; resuming begins below",
    "lost condensed": "the nodes are lost; its summary may still be needed",
    "duplicate id": "the turns differ; the last one counts",
    "failed migration": "what it holds isn't known",
}


@click.command("verify")
@click.argument("session_id", metavar="ID", required=False)
@click.option("--all", "every", is_flag=True, help="All sessions.")
@json_option
@on_logs
def verify_command(logs: Logs, *, session_id: str | None, every: bool, as_json: bool) -> None:
    """Compute the id of every turn anew and name what is odd; exit code 1 where something is."""
    if (session_id is None) != every:
        raise click.UsageError("give an ID, or --all")
    store = logs.sessions
    ids = store.list_sessions() if session_id is None else [session_id]
    found = {one: verify(store, one) for one in ids}
    if as_json:
        print_json([_verification_json(one, result) for one, result in found.items()])
    else:
        for one, result in found.items():
            _print_verification(one, result)
    if any(result.report.findings for result in found.values()):
        click.get_current_context().exit(1)


def _verification_json(session_id: str, result: Verification) -> dict[str, object]:
    return {
        "session": session_id,
        "turns": result.nodes,
        "redacted": list(result.redacted),
        "unknown_records": result.report.skipped,
        "findings": [_finding_json(one) for one in result.report.findings],
    }


def _finding_json(one: Finding) -> dict[str, object]:
    return {"kind": one.kind, "line": one.line, "detail": one.detail}


def _print_verification(session_id: str, result: Verification) -> None:
    found = result.report.findings
    odd = counted(len(found), "finding") if found else "sound"
    redacted = f", {len(result.redacted)} redacted" if result.redacted else ""
    show(f"{session_id}: {counted(result.nodes, 'turn')}{redacted}, {odd}")
    for one in found:
        show(f"  line {one.line}: {one.kind}: {one.detail}")


@click.command("repair")
@click.argument("session_id", metavar="ID")
@json_option
@on_logs
def repair_command(logs: Logs, session_id: str, *, as_json: bool) -> None:
    """Leave out lines that can't be read; the old file stays beside, with `.bak` in its name."""
    done = repair(logs.sessions, session_id)
    backup = None if done.backup is None else str(done.backup)
    if as_json:
        left = [_finding_json(one) for one in done.left]
        found = {"session": session_id, "changed": done.changed, "backup": backup, "left": left}
        print_json(found)
        return
    if backup is None:
        show(f"{session_id}: nothing {'more can be repaired' if done.left else 'to repair'}")
    else:
        lines = counted(done.changed, "line")
        show(f"{session_id}: {lines} changed; the old file is {backup}")
    for one in done.left:
        show(f"  left, line {one.line}: {one.kind}: {one.detail}; {_WHY_LEFT.get(one.kind, _KEPT)}")


@click.command("compact")
@click.argument("session_id", metavar="ID")
@click.option("--keep", type=click.IntRange(min=0), default=8, help="Newest turns to keep; 8.")
@click.option("--max-tokens", type=click.IntRange(min=1), default=2000, help="Of the summary.")
@click.option(
    "--offline", is_flag=True, help="Without a language model, which is what is done now."
)
@json_option
@on_logs
def compact_command(
    logs: Logs, session_id: str, *, keep: int, max_tokens: int, offline: bool, as_json: bool
) -> None:
    """
    Let a summary stand for the turns before the newest ones; no turn is removed.

    The summary is made of the sentences that carry the turns, picked by the home's model. What
    wouldn't get shorter by it is left as it is.
    """
    from litemem.run.cut import dropped, find_cut, splice
    from litemem.run.estimate import estimate_context_tokens

    del offline  # a language model may be set up one day; the flag then says not to ask it
    graph = existing(logs.sessions, session_id)
    tell_gap(graph)
    turns = graph.context().turns()
    before = after = estimate_context_tokens(turns)
    made: str | None = None
    said = f"nothing to condense before the last {counted(keep, 'turn')}"
    if (cut := find_cut(turns, keep)) is not None:
        summary = _summary(dropped(turns, cut), _embedder(logs), max_tokens)
        would = estimate_context_tokens(splice(turns, cut, summary))
        said = f"left as it is: a summary would make {would} of {before} tokens"
        if would < before:
            record = logs.sessions.compact(
                graph, summary, at=cut.at, pin=cut.pinned, tokens_before=before
            )
            made, after, said = record.id, would, f"{before} tokens condensed to {would}"
    if as_json:
        found = {"session": session_id, "compaction": made}
        print_json({**found, "tokens_before": before, "tokens_after": after, "outcome": said})
    else:
        show(f"{session_id}: {said}")


def _summary(turns: Sequence[Turn], embedder: Embedder | None, max_tokens: int) -> Turn:
    from litemem.run.drive import finish
    from litemem.run.offline import OfflineSummariser
    from litemem.run.summarize import summarize

    return finish(summarize(turns, OfflineSummariser(embedder, max_tokens=max_tokens)))


def _embedder(logs: Logs) -> Embedder | None:
    """Return the home's embedder; without one, words alone choose the sentences."""
    from litemem.embed.locate import DEFAULT_MODEL, MODEL_VARIABLE
    from litemem.memory.opening import start_embedder
    from litemem.memory.workspace import Options
    from litemem.settings import load_settings

    known = load_settings(logs.home)
    name = known.model if known else os.environ.get(MODEL_VARIABLE) or DEFAULT_MODEL
    try:
        return start_embedder(name, Options())
    except ModelError as error:
        say(f"condensing by words alone: {error}")
        return None
