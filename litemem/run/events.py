"""What happens in a run, as a closed union of values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from litemem.run.snapshot import RunError, RunSnapshot, ToolOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotTaken:
    """The run reached another state."""

    snapshot: RunSnapshot
    kind: Literal["snapshot"] = "snapshot"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """The model wrote a piece of text."""

    delta: str
    kind: Literal["text_delta"] = "text_delta"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingDelta:
    """The model reasoned a piece further."""

    delta: str
    kind: Literal["thinking_delta"] = "thinking_delta"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStarted:
    """A tool began to work."""

    id: str
    name: str
    kind: Literal["tool_started"] = "tool_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFinished:
    """A tool is done, well or not."""

    id: str
    name: str
    outcome: ToolOutcome
    kind: Literal["tool_finished"] = "tool_finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The run ended well."""

    snapshot: RunSnapshot
    kind: Literal["settled"] = "settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Faulted:
    """The run ended with an error."""

    error: RunError
    snapshot: RunSnapshot
    kind: Literal["faulted"] = "faulted"


RunEvent: TypeAlias = (
    SnapshotTaken | TextDelta | ThinkingDelta | ToolStarted | ToolFinished | Settled | Faulted
)
