"""A model of the OpenAI Agents SDK that says what it was told to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from agents import Model, ModelResponse, RunConfig, Usage
from agents.items import TResponseInputItem, TResponseOutputItem
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseReasoningItem,
)
from openai.types.responses.response_reasoning_item import Summary

QUIET = RunConfig(tracing_disabled=True)


class Scripted(Model):
    """Answers with one list of output items after the other, and keeps what it was given."""

    def __init__(self, *answers: Sequence[TResponseOutputItem]) -> None:
        self._answers = iter(answers)
        self.given: list[list[TResponseInputItem]] = []

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],
        *_: Any,  # noqa: ANN401  # Any: settings, tools, schema, handoffs, tracing
        **__: Any,  # noqa: ANN401  # Any: ids and the prompt
    ) -> ModelResponse:
        """Return the next answer."""
        del system_instructions
        self.given.append(list(input) if isinstance(input, list) else [])
        return ModelResponse(output=list(next(self._answers)), usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:  # noqa: ANN401
        """Refuse: no test streams."""
        raise NotImplementedError


def says(text: str) -> ResponseOutputMessage:
    """Make an answer in words."""
    part = ResponseOutputText(type="output_text", text=text, annotations=[])
    return ResponseOutputMessage(
        id=f"msg_{text[:5]}", type="message", role="assistant", status="completed", content=[part]
    )


def thinks(text: str) -> ResponseReasoningItem:
    """Make a summary of reasoning."""
    return ResponseReasoningItem(
        id="rs_1", type="reasoning", summary=[Summary(type="summary_text", text=text)]
    )


def calls(name: str, arguments: str, call_id: str = "c1") -> ResponseFunctionToolCall:
    """Make a call of a function."""
    return ResponseFunctionToolCall(
        type="function_call", call_id=call_id, name=name, arguments=arguments
    )
