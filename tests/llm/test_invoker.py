"""Histories condensed by an endpoint's model."""

from __future__ import annotations

import pytest

import litemem
from litemem.errors import RunFailed
from litemem.llm.invoker import as_invoker
from litemem.llm.openai import OpenAIClient
from litemem.run import channel as ch
from litemem.run.policy import CompactionPolicy, ModelCard
from litemem.run.turns import SUMMARY_HEADING, text_turn
from tests.llm.server import Endpoint, said, sent

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


async def test_any_endpoint_condenses_a_history(endpoint: Endpoint) -> None:
    endpoint.answers = [said("GIST")]
    model = as_invoker(OpenAIClient("tiny", base_url=endpoint.url))
    turns = [text_turn("user", "q1"), text_turn("assistant", "a1"), text_turn("user", "q2")]
    condensed = await litemem.compact(
        turns, ModelCard(id="tiny", context_window=1), CompactionPolicy(keep_recent=1), model
    )

    assert list(condensed) == [text_turn("user", f"{SUMMARY_HEADING}\nGIST"), turns[2]]
    (request,) = endpoint.bodies()
    system, prompt = request["messages"]
    assert system["role"] == "system"
    assert prompt["content"] == "user:\nq1\n\nassistant:\na1"


async def test_a_conversation_of_several_turns_is_a_transcript(endpoint: Endpoint) -> None:
    model = as_invoker(OpenAIClient("tiny", base_url=endpoint.url))
    turns = (text_turn("user", "q"), text_turn("assistant", "a"))
    options = ch.StreamOptions(max_output_tokens=5)
    emitted = [one async for one in model(ch.Conversation(turns=turns), options)]

    assert endpoint.bodies()[0]["messages"] == [
        {"role": "user", "content": "user:\nq\n\nassistant:\na"}
    ]
    assert endpoint.bodies()[0]["max_tokens"] == 5
    assert [one.kind for one in emitted] == ["text", "done"]


async def test_a_failing_endpoint_fails_the_summary(endpoint: Endpoint) -> None:
    endpoint.answers = [sent({"error": "no such model"}, 404)]
    model = as_invoker(OpenAIClient("tiny", base_url=endpoint.url))

    with pytest.raises(RunFailed, match="no such model"):
        await litemem.summarize([text_turn("user", "q")], model)
