"""Contexts condensed in time, by what the agent's own calls used."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from smolagents import ChatMessage, CodeAgent, MessageRole, Model, TaskStep
from smolagents.monitoring import TokenUsage

from litemem.aio.compressor import ContextCompressor
from litemem.run.turns import text_turn
from tests.aio.test_compressor import Agent, ScriptedLLM, action

LIMIT = 12_000


class Reporter(Model):  # type: ignore[misc]  # it comes without types
    """A smolagents model that takes 1.5 times the characters / 4, as it reports, then answers."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.left = steps
        self.used: list[int] = []

    def generate(self, messages: Any, **_: object) -> ChatMessage:  # noqa: ANN401  # no types
        texts = (part["text"] for message in messages for part in message.content)
        self.used.append(round(1.5 * sum(map(len, texts)) / 4))
        self.left -= 1
        code = f"print('x' * 1500, {self.left})" if self.left else "final_answer('done')"
        return ChatMessage(
            role=MessageRole.ASSISTANT,
            content=f"Thought: on\n<code>\n{code}\n</code>",
            token_usage=TokenUsage(input_tokens=self.used[-1], output_tokens=30),
        )


def steps_of(used: int) -> list[Any]:
    """Return ten steps of about a thousand tokens each; the last one's call took `used`."""
    more = {"token_usage": TokenUsage(input_tokens=used, output_tokens=1)}
    return [
        TaskStep(task="Count the ships"),
        *(action(i, "x" * 4000) for i in range(1, 9)),
        action(9, **more),
    ]


async def is_condensed(steps: list[Any], limit: int) -> bool:
    compressor = ContextCompressor(ScriptedLLM(), max_context_tokens=limit)
    return await compressor.compress_context(Agent(steps))


def test_a_running_agent_s_context_stays_below_the_limit_as_its_model_counts() -> None:
    model, shrunk = Reporter(40), list[int]()
    compressor = ContextCompressor(max_context_tokens=LIMIT, max_steps=100)

    def compress(_: object, agent: CodeAgent) -> None:
        if asyncio.run(compressor.compress_context(agent)):
            shrunk.append(len(model.used))

    agent = CodeAgent(
        tools=[], model=model, max_steps=50, verbosity_level=0, step_callbacks=[compress]
    )

    assert agent.run("Count down") == "done"
    assert max(model.used) <= LIMIT + 1_500  # a callback comes before its step is in the memory
    assert max(model.used) > LIMIT * 0.9
    assert shrunk
    assert all(later - now > 2 for now, later in pairwise(shrunk))


async def test_tokens_decide_as_the_model_counts_them() -> None:
    assert not await is_condensed(steps_of(0), 10_000)
    assert await is_condensed(steps_of(11_000), 10_000)
    assert await is_condensed(steps_of(0), 8_000)
    assert not await is_condensed(steps_of(6_000), 8_000)


async def test_what_the_kept_steps_used_before_doesn_t_condense_again() -> None:
    steps = [
        action(i, "x" * 4000, token_usage=TokenUsage(input_tokens=1_500 * i, output_tokens=1))
        for i in range(1, 12)
    ]
    assert await is_condensed(steps, 15_000)
    steps += [action(i, "x" * 4000) for i in range(12, 15)]

    assert not await is_condensed(steps, 15_000)
    assert await is_condensed(steps, 5_000)


async def test_turns_are_condensed_by_the_usage_that_they_carry() -> None:
    turns = [text_turn("user", "x" * 4000) for _ in range(10)]
    reply = text_turn("assistant", "Noted.")
    compressor = ContextCompressor(ScriptedLLM(), max_context_tokens=12_000)

    assert await compressor.compress_turns([*turns, reply]) == [*turns, reply]
    short = await compressor.compress_turns([*turns, {**reply, "usage": {"inputTokens": 13_000}}])
    assert len(short) == 7
    assert await compressor.compress_turns(short) is short


@given(st.integers(3_000, 90_000) | st.integers(19_970, 19_990))
def test_a_step_that_reports_more_than_the_limit_is_condensed(used: int) -> None:
    assert asyncio.run(is_condensed(steps_of(used), 20_000)) == (used + 23 > 20_000)
