"""Cases 26 to 32: histories of a run and of a session, condensed; an agent's are in tests/aio."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import litemem
from litemem.errors import Conflict
from litemem.run import channel as ch
from litemem.run.compact import compact_when_full
from litemem.run.policy import CompactionPolicy, ModelCard
from litemem.run.turns import SUMMARY_HEADING, Turn, is_user_turn, text_turn
from litemem.session import SessionGraph, SessionStore

POLICY = CompactionPolicy(keep_recent=3)
CARD = ModelCard(id="m", context_window=500)
HISTORY = [text_turn(("user", "assistant")[i % 2], f"turn {i} " + "x" * 200) for i in range(11)]


class Scribe:
    """A model that answers with one text."""

    def __init__(self, text: str) -> None:
        self.text = text

    async def __call__(
        self, conversation: ch.Conversation, options: ch.StreamOptions
    ) -> AsyncIterator[ch.Emission]:
        del conversation, options
        yield ch.TextEmitted(delta=self.text)


async def condensed(turns: list[Turn], card: ModelCard = CARD) -> list[Turn]:
    found = await compact_when_full(turns, card, POLICY, Scribe("S"))
    assert isinstance(found, list)
    return found


async def test_a_summary_is_taken_out_of_a_model_s_answer() -> None:
    """Case 26: analysis stripped, the tag unwrapped, plain text kept, a stray tag removed."""
    for answer in (
        "<analysis>first</analysis>\n<summary>\nthe ships\n</summary>",
        "the ships",
        "the ships</summary>",
    ):
        assert await litemem.summarize(HISTORY, Scribe(answer)) == text_turn(
            "user", f"{SUMMARY_HEADING}\nthe ships"
        )


async def test_a_full_history_gets_shorter_and_ends_with_the_request() -> None:
    """Case 27: above the trigger: shorter, has the marker, the last message is a request."""
    short = await condensed(HISTORY)

    assert len(short) < len(HISTORY)
    assert short[0]["blocks"][0]["text"].startswith(SUMMARY_HEADING)
    assert short[-1] == HISTORY[-1]
    assert is_user_turn(short[-1])


async def test_a_small_history_is_the_same_object() -> None:
    """Case 28: below the trigger: the same object."""
    roomy = ModelCard(id="m", context_window=100_000)

    assert await condensed(HISTORY, roomy) is HISTORY


async def test_what_earlier_calls_used_triggers_nothing() -> None:
    """Case 29: cumulative usage of 9M tokens with a small history: no compression."""
    used: list[Turn] = [{**turn, "usage": {"inputTokens": 9_000_000}} for turn in HISTORY]
    roomy = ModelCard(id="m", context_window=100_000)

    assert await condensed(used, roomy) is used


async def test_a_second_pass_has_nothing_to_do() -> None:
    """Case 30: a second pass after shrinking: nothing to do."""
    short = await condensed(HISTORY)

    assert await condensed(short) is short


async def test_a_call_stays_before_its_result() -> None:
    """Case 31: no result is kept without its call."""
    call = {"kind": "tool_call", "id": "1", "name": "look", "input": {}}
    result = {"kind": "tool_result", "callId": "1", "output": "y" * 200}
    pair = [{"role": "assistant", "blocks": [call]}, {"role": "tool", "blocks": [result]}]
    for keep in range(6):
        policy = CompactionPolicy(keep_recent=keep)
        short = await litemem.compact([*HISTORY, *pair, *HISTORY[:3]], CARD, policy, Scribe("S"))
        kinds = [block["kind"] for turn in short for block in turn["blocks"]]
        assert kinds.count("tool_call") == kinds.count("tool_result")


def test_a_write_based_on_an_old_revision_is_refused_after_a_compaction(tmp_path: Path) -> None:
    """Case 32: a write based on an old revision is refused after a compaction."""
    store, graph = SessionStore(tmp_path), SessionGraph("s")
    for turn in HISTORY:
        store.append_turn(graph, turn)
    stale = store.load_session("s")
    store.compact(graph, text_turn("user", f"{SUMMARY_HEADING}\nS"), at=8)

    with pytest.raises(Conflict, match="condensation"):
        store.append_turn(stale, text_turn("user", "more"))
    store.append_turn(store.load_session("s"), text_turn("user", "more"))
    assert len(store.resume("s")) == 5
