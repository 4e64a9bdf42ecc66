"""The one snapshot that is kept."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from litemem.run.accumulator import SnapshotAccumulator
from litemem.run.channel import Usage
from litemem.run.events import (
    Faulted,
    RunEvent,
    Settled,
    SnapshotTaken,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
)
from litemem.run.ledger import RunLedger
from litemem.run.snapshot import RunError, RunSnapshot, ToolOutcome

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "runtime-vectors.json").read_text())
CASES = [case for case in VECTORS["accumulator"] if "events" in case]


def snapshot(tokens: int) -> RunSnapshot:
    return RunSnapshot(
        run_id="r",
        session_id="s",
        phase="streaming",
        model="m",
        usage_total=Usage(input_tokens=tokens),
    )


def event(wire: dict[str, Any]) -> RunEvent:
    taken = snapshot(wire.get("snapshot", {}).get("usageTotal", {}).get("inputTokens", 0))
    match wire["kind"]:
        case "snapshot":
            return SnapshotTaken(snapshot=taken)
        case "settled":
            return Settled(snapshot=taken)
        case "faulted":
            return Faulted(error=RunError(kind="aborted", message="m"), snapshot=taken)
        case "text_delta":
            return TextDelta(delta=wire["delta"])
        case "thinking_delta":
            return ThinkingDelta(delta=wire["delta"])
        case "tool_started":
            return ToolStarted(id=wire["id"], name=wire["name"])
        case "tool_finished":
            outcome = ToolOutcome(id=wire["outcome"]["id"], output=wire["outcome"]["output"])
            return ToolFinished(id=wire["id"], name=wire["name"], outcome=outcome)
        case _:
            return cast(RunEvent, SimpleNamespace(kind=wire["kind"], snapshot=taken))


def state(accumulator: SnapshotAccumulator) -> list[Any]:
    kept = accumulator.get_snapshot()
    return [accumulator.has_snapshot, kept.usage_total.input_tokens if kept else None]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_the_newest_snapshot_is_kept_as_in_the_reference(case: dict[str, Any]) -> None:
    accumulator, trace = SnapshotAccumulator(), []
    for wire in case["events"]:
        if wire == "RESET":
            accumulator.reset()
        else:
            accumulator.observe(event(wire))
        trace.append(state(accumulator))

    assert trace == case["expected"]["trace"]
    assert state(accumulator) == [case["expected"]["has"], case["expected"]["tokens"]]


def test_attaching_twice_needs_two_disposals() -> None:
    steps = next(case for case in VECTORS["accumulator"] if case["id"] == "attach_twice")
    ledger, accumulator = RunLedger(), SnapshotAccumulator()
    first, second = accumulator.attach(ledger), accumulator.attach(ledger)
    trace: list[Any] = [ledger.size]
    for tokens, dispose in ((7, first), (8, second), (9, None)):
        ledger.publish(Settled(snapshot=snapshot(tokens)))
        trace.append(state(accumulator)[1])
        if dispose:
            dispose()
            trace.append(ledger.size)
    accumulator.reset()
    trace.append(accumulator.has_snapshot)

    assert trace == steps["expected"]["trace"]
