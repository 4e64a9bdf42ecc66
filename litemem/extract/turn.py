"""One exchange of a conversation: what was asked, answered, done and thought."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Self

from litemem.errors import InvalidValue
from litemem.types import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentAction:
    """One tool call of the agent."""

    tool: str
    args: JsonObject = field(default_factory=dict)
    output: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationTurn:
    """What the user said, and what the agent did and answered; the times are UTC."""

    user_message: str = ""
    assistant_message: str = ""
    agent_actions: tuple[AgentAction, ...] = ()
    agent_reasoning: tuple[str, ...] = ()
    timestamp: datetime | None = None  # None: when it is processed; naive is UTC

    def __post_init__(self) -> None:
        if self.timestamp is not None:
            object.__setattr__(self, "timestamp", _utc(self.timestamp))

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:  # Any: a caller's JSON
        """
        Read a turn of plain values; a message may also be `{"role", "content"}`.

        Raises InvalidValue naming the key that isn't as it should be.
        """
        return cls(
            user_message=_message(given, "user_message"),
            assistant_message=_message(given, "assistant_message"),
            agent_actions=tuple(_action(one) for one in _items(given, "agent_actions")),
            agent_reasoning=tuple(
                _text(one, "agent_reasoning") for one in _items(given, "agent_reasoning")
            ),
            timestamp=_instant(given.get("timestamp")),
        )

    def format_for_extraction(self) -> str:
        """Return the turn as text: the user's words, tool calls, reasoning and answer."""
        return "\n\n".join(f"{role}:\n{text}" for role, text in self.parts())

    def parts(self) -> tuple[tuple[str, str], ...]:
        """
        Return (role, text) of what was said, done and thought, in order, none of them empty.

        The roles are `user`, `tool` (all calls, one a line), `reasoning` (all of it), `assistant`.
        """
        found = (
            ("user", self.user_message),
            ("tool", "\n".join(map(_shown, self.agent_actions))),
            ("reasoning", "\n".join(self.agent_reasoning)),
            ("assistant", self.assistant_message),
        )
        return tuple((role, text) for role, text in found if text.strip())


def _shown(action: AgentAction) -> str:
    args = json.dumps(dict(action.args), ensure_ascii=False, default=str)
    call = f"{action.tool}({args})"
    return call if action.output is None else f"{call} -> {action.output}"


def _message(given: Mapping[str, Any], key: str) -> str:
    value = given.get(key)
    if isinstance(value, Mapping):
        value = value.get("content")
    return "" if value is None else _text(value, key)


def _text(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise InvalidValue(f"{key} of a conversation turn is text, not {type(value).__name__}")
    return value


def _items(given: Mapping[str, Any], key: str) -> tuple[Any, ...]:
    value = given.get(key)
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise InvalidValue(f"{key} of a conversation turn is a list, not {type(value).__name__}")
    return tuple(value)


def _action(value: object) -> AgentAction:
    if isinstance(value, AgentAction):
        return value
    if not isinstance(value, Mapping) or not isinstance(value.get("tool"), str):
        raise InvalidValue('an action of a conversation turn is {"tool", "args"?, "output"?}')
    args, output = value.get("args"), value.get("output")
    if args is not None and not isinstance(args, Mapping):
        raise InvalidValue(f"args of the action {value['tool']!r} is an object")
    shown = output if output is None or isinstance(output, str) else json.dumps(output, default=str)
    return AgentAction(tool=value["tool"], args=dict(args or {}), output=shown)


def _instant(value: object) -> datetime | None:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError as error:
            raise InvalidValue(f"timestamp {value!r} of a turn is no ISO 8601 time") from error
    if value is None or isinstance(value, datetime):
        return value
    raise InvalidValue(f"timestamp of a turn is a time, not {type(value).__name__}")


def _utc(at: datetime) -> datetime:
    try:
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError as error:
        raise InvalidValue(f"timestamp {at} of a turn is out of range in UTC") from error
