"""Summaries and condensed histories, with a scripted model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import RunFailed
from litemem.run import channel as ch
from litemem.run.compact import compact, compact_when_full
from litemem.run.policy import CompactionPolicy, ModelCard
from litemem.run.summarize import summarize
from litemem.run.turns import SUMMARY_HEADING, Turn, is_user_turn, text_turn, without_tools

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "runtime-vectors.json").read_text())
CARD = ModelCard(id="m", context_window=100)
# decision 16: an empty gist is an error, and the history stays
EMPTY_GISTS = {"done_without_text_beats_deltas", "done_no_blocks", "empty_channel"}
# decision 18: the last user turn is never condensed away; here its index
LAST_USER_TURN = {"keep0_all": 2, "nudged": 0, "all_tool_tail_loses_everything": 0}


def by_id(case: dict[str, Any]) -> str:
    return str(case["id"])


def emission(wire: dict[str, Any]) -> ch.Emission:
    match wire["kind"]:
        case "text":
            return ch.TextEmitted(delta=wire["delta"])
        case "tool_call_start":
            return ch.ToolCallStarted(id=wire["id"], name=wire["name"])
        case "tool_call_delta":
            return ch.ToolCallContinued(id=wire["id"], args_delta=wire["argsDelta"])
        case "usage":
            return ch.UsageReported(usage=ch.Usage(input_tokens=1, output_tokens=1))
        case "stop":
            return ch.Stopped(stop=wire["stop"])
        case "done":
            return ch.Done(reply=ch.Reply(blocks=tuple(wire["reply"]["blocks"])))
        case _:
            return ch.Failed(error=ch.ChannelError(**wire["error"]))


class ScriptedModel:
    """A model that says what it is told to, and keeps what it was asked."""

    def __init__(self, emissions: Sequence[ch.Emission]) -> None:
        self.emissions = emissions
        self.asked: list[tuple[ch.Conversation, ch.StreamOptions]] = []

    async def __call__(
        self, conversation: ch.Conversation, options: ch.StreamOptions
    ) -> AsyncIterator[ch.Emission]:
        self.asked.append((conversation, options))
        for emitted in self.emissions:
            yield emitted

    def transcripts(self) -> list[str]:
        return [conversation.turns[0]["blocks"][0]["text"] for conversation, _ in self.asked]


def gist(text: str = "GIST") -> ScriptedModel:
    return ScriptedModel([ch.Done(reply=ch.Reply(blocks=({"kind": "text", "text": text},)))])


def policy(wire: dict[str, Any] | None) -> CompactionPolicy | None:
    if wire is None:
        return None
    return CompactionPolicy(trigger_ratio=wire["triggerRatio"], keep_recent=wire["keepRecent"])


@pytest.mark.parametrize("case", VECTORS["summarize"], ids=by_id)
async def test_a_summary_is_the_reference_s_or_an_error(case: dict[str, Any]) -> None:
    model = ScriptedModel([emission(wire) for wire in case["emissions"]])
    if case["id"] in EMPTY_GISTS:
        with pytest.raises(RunFailed, match="empty"):
            await summarize(case["messages"], model)
    elif "error" in case["expected"]:
        with pytest.raises(RunFailed) as failed:
            await summarize(case["messages"], model)
        assert str(failed.value) == case["expected"]["error"]
    else:
        assert await summarize(case["messages"], model) == case["expected"]["turn"]

    (conversation, options), *more = model.asked
    assert not more
    assert list(conversation.turns) == case["invoked_with"]["turns"]
    assert conversation.system
    assert not conversation.tools
    assert options == ch.StreamOptions()


async def test_reasoning_is_no_part_of_a_summary() -> None:
    model = ScriptedModel([ch.ThinkingEmitted(delta="hm"), ch.TextEmitted(delta="G")])

    assert await summarize([text_turn("user", "q")], model) == text_turn(
        "user", f"{SUMMARY_HEADING}\nG"
    )


@pytest.mark.parametrize("case", VECTORS["compact"], ids=by_id)
async def test_a_condensed_history_is_the_reference_s_with_the_last_user_turn(
    case: dict[str, Any],
) -> None:
    model, messages = gist(), case["messages"]
    condensed = await compact(messages, CARD, policy(case["policy"]), model)
    expected = list(case["expected"])
    if case["id"] in LAST_USER_TURN:
        expected.insert(1, messages[LAST_USER_TURN[case["id"]]])

    assert list(condensed) == expected
    assert (condensed is messages) is case["returned_same_reference"]
    assert model.transcripts() == ([case["transcript"]] if case["invocations"] else [])


async def test_a_failing_model_leaves_the_history_as_it_is() -> None:
    messages = [text_turn("user", "q"), text_turn("assistant", "a")] * 3
    before = json.dumps(messages)
    with pytest.raises(RunFailed):
        await compact(messages, CARD, CompactionPolicy(keep_recent=2), gist(" \n"))

    assert json.dumps(messages) == before


async def test_a_run_condenses_only_with_a_policy_and_when_full() -> None:
    messages = [text_turn("user", "q" * 200), text_turn("assistant", "a" * 200)]
    roomy = ModelCard(id="m", context_window=10_000)
    keep_one = CompactionPolicy(keep_recent=0)

    assert await compact_when_full(messages, CARD, None, gist()) is messages
    assert await compact_when_full(messages, roomy, keep_one, gist()) is messages
    assert await compact_when_full(messages, CARD, keep_one, gist()) == [
        text_turn("user", f"{SUMMARY_HEADING}\nGIST"),
        messages[0],
    ]


IDS = st.sampled_from(["1", "2", "3"])  # few, so that ids come again and results lose their call
BLOCKS = st.one_of(
    st.just({"kind": "text", "text": "words"}),
    st.builds(lambda i: {"kind": "tool_call", "id": i, "name": "t", "input": None}, IDS),
    st.builds(lambda i: {"kind": "tool_result", "callId": i, "output": "r"}, IDS),
)
TURNS = st.builds(
    lambda role, blocks: {"role": role, "blocks": blocks},
    st.sampled_from(["user", "assistant", "tool"]),
    st.lists(BLOCKS, max_size=3),
)
HISTORIES = st.lists(
    st.one_of(TURNS, st.just(text_turn("user", f"{SUMMARY_HEADING}\nold"))), max_size=12
)


def found(messages: Sequence[Turn], kind: str, key: str) -> list[str]:
    return [
        block[key] for turn in messages for block in turn["blocks"] if block.get("kind") == kind
    ]


@given(HISTORIES, st.integers(0, 12))
def test_no_history_loses_a_call_whose_result_it_keeps(history: list[Turn], keep: int) -> None:
    condensed = condense(history, keep)
    if condensed is not history:
        for i, turn in enumerate(condensed):
            asked = found(condensed[: i + 1], "tool_call", "id")
            assert set(asked).issuperset(found([turn], "tool_result", "callId"))


@given(HISTORIES, st.integers(0, 12))
def test_summary_last_user_turn_and_untouched_tail_are_all_that_is_left(
    history: list[Turn], keep: int
) -> None:
    condensed = condense(history, keep)
    if condensed is history:
        return
    last = [without_tools(turn) for turn in history if is_user_turn(turn)][-1:]
    summary, *kept = condensed
    tail = kept if kept == suffix(history, len(kept)) else kept[1:]

    assert summary == text_turn("user", f"{SUMMARY_HEADING}\nGIST")
    assert tail == suffix(history, len(tail))
    assert [without_tools(turn) for turn in kept if is_user_turn(turn)][-1:] == last
    assert len(tail) == len(kept) or kept[:1] == last


@given(HISTORIES, st.integers(0, 12))
def test_condensing_again_changes_nothing(history: list[Turn], keep: int) -> None:
    once = condense(history, keep)

    assert condense(once, max(keep, len(once) - 1)) is once


def suffix(history: list[Turn], length: int) -> list[Turn]:
    return history[len(history) - length :]


def condense(history: Sequence[Turn], keep: int) -> Sequence[Turn]:
    return asyncio.run(compact(history, CARD, CompactionPolicy(keep_recent=keep), gist()))
