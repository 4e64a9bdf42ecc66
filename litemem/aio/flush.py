"""What is about to be condensed, handed to the memory first: as conversation turns, once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

from litemem.extract.turn import AgentAction, ConversationTurn
from litemem.run.steps import AT, LATEST
from litemem.run.turns import Turn, blocks_of, is_summary, is_user_turn, serialized
from litemem.types import DEFAULT_USER, JsonObject

T = TypeVar("T")

DEFAULT_CHAT: Final = "default"


class RemembersTurns(Protocol):
    """What a compressor needs of a `MemoryManager`."""

    async def process_conversation_turn_for_memories(
        self, conversation_turn: ConversationTurn, chat_id: str, user_id: str
    ) -> object:
        """Write a turn to its transcript, and the facts found in it to the memory."""
        ...


@runtime_checkable
class KnowsTurns(Protocol):
    """A memory that can say which turns it has."""

    async def times_said(self, turn: ConversationTurn, chat_id: str, user_id: str) -> int:
        """Return how often the transcript has a turn of these texts and tool calls."""
        ...


@dataclass(slots=True)
class Span:
    """Turns from one of the user's to the next, and how they are known again."""

    turns: list[Turn] = field(default_factory=list)
    keys: set[bytes] = field(default_factory=set)


class Flush:
    """Hands turns to a memory, none twice unless the memory failed."""

    def __init__(self, memory: RemembersTurns, chat_id: str | None, user_id: str | None) -> None:
        self._memory = memory
        self._chat, self._user = chat_id or DEFAULT_CHAT, user_id or DEFAULT_USER
        self._taken: set[bytes] = set()
        self._said: dict[str, int] = {}  # how often the transcript had a turn, and we not yet

    async def hand_over(
        self, gone: Sequence[Turn], history: Sequence[Turn]
    ) -> tuple[int, list[str]]:
        """
        Hand over what goes, but for summaries and what was taken before.

        Args:
            gone: turns that are about to be condensed.
            history: all turns; one is known again by its text and the turn before it.

        Returns:
            How many conversation turns were taken, and what failed, a sentence each.
        """
        spans = self._spans(gone, history)
        open_keys = {key for span in spans for key in span.keys}
        self._taken |= open_keys  # at once: another call mustn't hand them over meanwhile
        taken, failures = 0, []
        try:
            for span in spans:
                if await self._is_said(conversation_turn(span.turns)):
                    open_keys -= span.keys
                    continue
                outcome = await outcome_of(
                    self._memory.process_conversation_turn_for_memories(
                        conversation_turn(span.turns), self._chat, self._user
                    )
                )
                if isinstance(outcome, BaseException):
                    failures.append(f"the memory failed: {str(outcome) or type(outcome).__name__}")
                    continue
                open_keys -= span.keys
                taken += 1
                failures += map(str, getattr(outcome, "errors", ()))
        finally:
            self._taken -= open_keys  # failed or cancelled: another time
        return taken, failures

    async def _is_said(self, turn: ConversationTurn) -> bool:
        """Say whether a turn is in the transcript already, from whoever wrote it there."""
        if not isinstance(self._memory, KnowsTurns):
            return False
        shown = turn.format_for_extraction()
        if shown not in self._said:
            count = self._memory.times_said(turn, self._chat, self._user)
            outcome = await outcome_of(count)
            self._said[shown] = 0 if isinstance(outcome, BaseException) else outcome
        self._said[shown] -= 1
        return self._said[shown] >= 0

    def _spans(self, gone: Sequence[Turn], history: Sequence[Turn]) -> list[Span]:
        before = {id(turn): earlier for earlier, turn in pairwise(history)}
        spans: list[Span] = []
        for turn in gone:
            key = sha256(repr((before.get(id(turn)), turn)).encode(errors="replace")).digest()
            if is_summary(turn) or key in self._taken:
                continue
            if not spans or is_user_turn(turn):
                spans.append(Span())
            spans[-1].turns.append(turn)
            spans[-1].keys.add(key)
        return spans


async def outcome_of(work: Awaitable[T]) -> T | BaseException:
    """Return what a caller's own code gives, or what it raised; a cancelled caller is cancelled."""
    # `gather` parts the two, which no `except` does: the work's errors, and our cancellation.
    (outcome,) = await asyncio.gather(work, return_exceptions=True)
    return outcome


def conversation_turn(turns: Sequence[Turn]) -> ConversationTurn:
    """
    Return wire turns as one exchange.

    The user's and the assistant's texts are joined, each result goes to its call; thinking, and
    what a system or a tool says in words, is reasoning.
    """
    return ConversationTurn(
        user_message=_joined(_texts(turns, "user", "text")),
        assistant_message=_joined(_texts(turns, "assistant", "text")),
        agent_actions=_actions(turns),
        agent_reasoning=tuple(_reasoning(turns)),
        timestamp=next(filter(None, map(_ended_at, turns)), None),
    )


def _ended_at(turn: Turn) -> datetime | None:
    at = turn.get(AT)  # of a caller's own turns it may be anything
    if not isinstance(at, float) or not 0 <= at < LATEST:
        return None
    return datetime.fromtimestamp(at, UTC)


def _reasoning(turns: Iterable[Turn]) -> Iterator[str]:
    for turn in turns:
        told = turn.get("role") not in {"user", "assistant"}
        for block in blocks_of(turn):
            text = block.get("text")
            if isinstance(text, str) and text and (told or block.get("kind") == "thinking"):
                yield text


def _texts(turns: Iterable[Turn], role: str, kind: str) -> Iterator[str]:
    for turn in turns:
        if turn.get("role") == role:
            found = (block.get("text") for block in blocks_of(turn) if block.get("kind") == kind)
            yield from (text for text in found if isinstance(text, str) and text)


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(texts)


def _actions(turns: Iterable[Turn]) -> tuple[AgentAction, ...]:
    """Return the tool calls with their outputs; an output whose call isn't here stands alone."""
    found: list[tuple[object, dict[str, Any]]] = []  # Any: what AgentAction takes
    for block in (block for turn in turns for block in blocks_of(turn)):
        if block.get("kind") == "tool_call":
            tool = str(block.get("name") or "tool")
            found.append((block.get("id"), {"tool": tool, "args": _args(block)}))
        elif block.get("kind") == "tool_result":
            mine = [action for ident, action in found if ident == block.get("callId")]
            action = mine[-1] if mine else {"tool": "tool"}
            if not mine:
                found.append((block.get("callId"), action))
            output = serialized(block.get("output"))
            action["output"] = _joined(filter(None, (action.get("output"), output)))
    return tuple(AgentAction(**action) for _, action in found)


def _args(call: JsonObject) -> JsonObject:
    given = call.get("input")
    if isinstance(given, Mapping):
        return given
    return {} if given is None else {"input": given}
