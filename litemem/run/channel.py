"""The seam to a model: what it is asked, and what it streams back."""

from __future__ import annotations

from collections.abc import AsyncIterable
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

from litemem.run.turns import Turn
from litemem.types import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens that a model call took."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None


NO_USAGE: Final = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What a model is asked to go on with."""

    turns: tuple[Turn, ...]
    system: str | None = None
    tools: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamOptions:
    """How a model is to answer; None leaves it to the model's defaults."""

    max_output_tokens: int | None = None
    thinking: str | None = None  # how long to reason: a level of the provider's


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A model's whole answer."""

    blocks: tuple[JsonObject, ...]
    model: str = ""
    usage: Usage = NO_USAGE
    stop: str = "complete"
    role: Literal["assistant"] = "assistant"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelError:
    """Why a model call failed."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEmitted:
    """A piece of the answer's text."""

    delta: str
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingEmitted:
    """A piece of the model's reasoning."""

    delta: str
    kind: Literal["thinking"] = "thinking"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallStarted:
    """The model begins to call a tool."""

    id: str
    name: str
    kind: Literal["tool_call_start"] = "tool_call_start"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallContinued:
    """A piece of a tool call's arguments, as JSON text."""

    id: str
    args_delta: str
    kind: Literal["tool_call_delta"] = "tool_call_delta"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReported:
    """Tokens taken so far."""

    usage: Usage
    kind: Literal["usage"] = "usage"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """The model stopped, and why."""

    stop: str
    kind: Literal["stop"] = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The whole answer; the last emission of a channel that went well."""

    reply: Reply
    kind: Literal["done"] = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The last emission of a channel that broke."""

    error: ChannelError
    kind: Literal["error"] = "error"


Emission: TypeAlias = (
    TextEmitted
    | ThinkingEmitted
    | ToolCallStarted
    | ToolCallContinued
    | UsageReported
    | Stopped
    | Done
    | Failed
)
Channel: TypeAlias = AsyncIterable[Emission]


class ModelInvoker(Protocol):
    """A caller's model; an async generator function of these two arguments is one."""

    def __call__(self, conversation: Conversation, options: StreamOptions, /) -> Channel:
        """Begin to answer a conversation."""
        ...
