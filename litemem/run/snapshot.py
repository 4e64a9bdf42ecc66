"""What a run looks like at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from litemem.run.channel import NO_USAGE, Usage
from litemem.run.turns import Turn

RunPhase: TypeAlias = Literal[
    "idle", "invoking", "streaming", "dispatching", "compacting", "settled", "faulted"
]
ToolStage: TypeAlias = Literal["queued", "running", "done"]
FaultKind: TypeAlias = Literal[
    "model_failed", "tool_failed", "aborted", "compaction_failed", "turn_budget", "invalid_state"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingTool:
    """A tool call that the run still has to answer."""

    id: str
    name: str
    stage: ToolStage


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutcome:
    """What a tool gave back."""

    id: str
    output: Any  # Any: a tool's JSON, handed on as it came
    is_error: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunError:
    """Why a run stopped; a value, never raised."""

    kind: FaultKind
    message: str
    cause: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSnapshot:
    """A run at one moment, whole: a reader needs no event before it."""

    run_id: str
    session_id: str
    phase: RunPhase
    model: str
    messages: tuple[Turn, ...] = ()
    pending: tuple[PendingTool, ...] = ()
    usage_total: Usage = NO_USAGE
    error: RunError | None = None
