"""What is handed to the memory before it leaves the context."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from litemem.aio.flush import Flush, conversation_turn, outcome_of
from litemem.extract.turn import AgentAction, ConversationTurn
from litemem.run.turns import SUMMARY_HEADING, Turn, text_turn


class Memory:
    """Takes turns, or fails as it is told to."""

    def __init__(self, *outcomes: object) -> None:
        self.outcomes = [*outcomes]
        self.taken: list[tuple[ConversationTurn, str, str]] = []

    async def process_conversation_turn_for_memories(
        self, conversation_turn: ConversationTurn, chat_id: str, user_id: str
    ) -> object:
        outcome = self.outcomes.pop(0) if self.outcomes else None
        await asyncio.sleep(0)
        if isinstance(outcome, BaseException):
            raise outcome
        self.taken.append((conversation_turn, chat_id, user_id))
        return outcome

    def texts(self) -> list[str]:
        return [turn.format_for_extraction() for turn, _, _ in self.taken]


def call(ident: str, given: object = None) -> Turn:
    block = {"kind": "tool_call", "id": ident, "name": "search", "input": given}
    return {"role": "assistant", "blocks": [block]}


def result(ident: str, output: object = "found") -> Turn:
    return {"role": "tool", "blocks": [{"kind": "tool_result", "callId": ident, "output": output}]}


ASKED, ANSWERED = text_turn("user", "q"), text_turn("assistant", "a")


def test_turns_become_one_exchange_with_its_actions_and_reasoning() -> None:
    turns = [
        ASKED,
        {"role": "assistant", "at": 60.0, "blocks": [{"kind": "thinking", "text": "hm"}]},
        call("1", {"query": "x"}),
        call("2", "text"),
        call("3"),
        result("2", {"n": 2}),
        result("1"),
        result("1", "more"),
        result("lost", "alone"),
        text_turn("system", "be kind"),
        text_turn("user", "and?"),
        ANSWERED,
        {"role": "user", "blocks": [{"kind": "image"}]},
    ]

    assert conversation_turn(turns) == ConversationTurn(
        user_message="q\n\nand?",
        assistant_message="a",
        agent_actions=(
            AgentAction(tool="search", args={"query": "x"}, output="found\n\nmore"),
            AgentAction(tool="search", args={"input": "text"}, output='{"n":2}'),
            AgentAction(tool="search"),
            AgentAction(tool="tool", output="alone"),
        ),
        agent_reasoning=("hm", "be kind"),
        timestamp=datetime(1970, 1, 1, 0, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize("at", ["2026-02-08T14:32:00Z", 1_770_000_000_000.0, -1.0, None])
def test_a_time_that_isn_t_in_seconds_is_none(at: object) -> None:
    assert conversation_turn([{**ASKED, "at": at}]).timestamp is None


async def test_each_request_begins_a_conversation_turn() -> None:
    memory = Memory()
    history = [call("1"), result("1"), ASKED, ANSWERED, text_turn("user", "q2")]

    assert await Flush(memory, "c", "u").hand_over(history, history) == (3, [])
    assert memory.texts() == [
        "tool:\nsearch({}) -> found",
        "user:\nq\n\nassistant:\na",
        "user:\nq2",
    ]
    assert {taken[1:] for taken in memory.taken} == {("c", "u")}


async def test_without_ids_the_default_chat_and_user_get_it() -> None:
    memory = Memory()
    await Flush(memory, None, None).hand_over([ASKED], [ASKED])

    assert memory.taken[0][1:] == ("default", "default")


async def test_nothing_is_handed_over_twice() -> None:
    memory = Memory()
    flush = Flush(memory, "c", "u")
    history = [ASKED, ANSWERED, ASKED, text_turn("assistant", "b")]
    await flush.hand_over(history[:2], history)
    again = [dict(turn) for turn in history]

    assert await flush.hand_over(again, again) == (1, [])
    assert memory.texts() == ["user:\nq\n\nassistant:\na", "user:\nq\n\nassistant:\nb"]
    assert await flush.hand_over(history, history) == (0, [])


async def test_two_calls_at_once_hand_nothing_over_twice() -> None:
    memory = Memory()
    flush = Flush(memory, "c", "u")
    history = [ASKED, ANSWERED, text_turn("user", "q2")]
    both = await asyncio.gather(*(flush.hand_over(history, history) for _ in range(2)))

    assert sorted(taken for taken, _ in both) == [0, 2]
    assert len(memory.taken) == 2


async def test_a_summary_was_handed_over_before_it_was_one() -> None:
    memory = Memory()
    summary = text_turn("user", f"{SUMMARY_HEADING}\nS")

    assert await Flush(memory, "c", "u").hand_over([summary, ANSWERED], []) == (1, [])
    assert memory.texts() == ["assistant:\na"]


async def test_what_failed_is_told_and_handed_over_another_time() -> None:
    memory = Memory(ValueError("disk full"), None, KeyError())
    flush = Flush(memory, "c", "u")
    history = [ASKED, text_turn("user", "q2")]

    assert await flush.hand_over(history, history) == (1, ["the memory failed: disk full"])
    assert await flush.hand_over(history, history) == (0, ["the memory failed: KeyError"])
    assert await flush.hand_over(history, history) == (1, [])
    assert memory.texts() == ["user:\nq2", "user:\nq"]


async def test_what_a_taken_turn_lacks_is_told() -> None:
    memory = Memory(SimpleNamespace(errors=["the model is slow"]))

    assert await Flush(memory, "c", "u").hand_over([ASKED], [ASKED]) == (1, ["the model is slow"])


async def test_what_was_cancelled_is_handed_over_another_time() -> None:
    memory = Memory()
    flush = Flush(memory, "c", "u")
    task = asyncio.create_task(flush.hand_over([ASKED], [ASKED]))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert memory.taken == []
    assert await flush.hand_over([ASKED], [ASKED]) == (1, [])


async def test_an_outcome_is_a_value_or_an_error_even_a_cancelled_one() -> None:
    async def work(error: BaseException | None) -> int:
        if error:
            raise error
        return 7

    assert await outcome_of(work(None)) == 7
    assert isinstance(await outcome_of(work(OSError())), OSError)
    assert isinstance(await outcome_of(work(asyncio.CancelledError())), asyncio.CancelledError)
