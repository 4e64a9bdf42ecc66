"""Keeps the latest snapshot of a run."""

from __future__ import annotations

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
from litemem.run.ledger import RunLedger, Unsubscribe
from litemem.run.snapshot import RunSnapshot


class SnapshotAccumulator:
    """Folds events into the one snapshot that counts, the newest."""

    def __init__(self) -> None:
        self._snapshot: RunSnapshot | None = None

    @property
    def has_snapshot(self) -> bool:
        """Whether any event so far carried a snapshot."""
        return self._snapshot is not None

    def get_snapshot(self) -> RunSnapshot | None:
        """Return the newest snapshot, or None."""
        return self._snapshot

    def observe(self, event: RunEvent) -> None:
        """Take an event's snapshot, if it carries one."""
        self._snapshot = _snapshot(event) or self._snapshot

    def reset(self) -> None:
        """Forget the snapshot."""
        self._snapshot = None

    def attach(self, ledger: RunLedger) -> Unsubscribe:
        """Observe a ledger's events; returns what ends it. Attaching twice counts twice."""

        def observe(event: RunEvent) -> None:  # a handler of its own for each call of `attach`
            self.observe(event)

        return ledger.subscribe(observe)


def _snapshot(event: RunEvent) -> RunSnapshot | None:
    # No assert_never: mypy misses a return when a kind is forgotten here, and at run time a
    # foreign event is ignored, as in the reference.
    match event:
        case SnapshotTaken() | Settled() | Faulted():
            return event.snapshot
        case TextDelta() | ThinkingDelta() | ToolStarted() | ToolFinished():
            return None
