"""The memory tools as function tools of the OpenAI Agents SDK, and the SDK's Session."""

from __future__ import annotations

from litemem.aio.manager import MemoryManager
from litemem.integrations.calls import memory_functions
from litemem.integrations.missing import missing
from litemem.integrations.openai_session import LitememSession

try:
    from agents import (
        ModelBehaviorError,
        RunContextWrapper,
        Tool,
        default_tool_error_function,
        function_tool,
    )
except ImportError as error:
    raise missing("the OpenAI Agents SDK", error) from error

__all__ = ["LitememSession", "memory_tools"]


def memory_tools(
    manager: MemoryManager, *, chat_id: str | None = None, user_id: str | None = None
) -> list[Tool]:
    """
    Return tools that search memory and change its blocks, for an agent's `tools`.

    They don't block the event loop; what goes wrong in the memory is said to the model.

    Args:
        manager: the memory; it may be open already or not. Closed, the tools say so.
        chat_id: the chat the agent works in.
        user_id: whose memory; None: the default user's facts, and the blocks that all users read.
    """
    search, update = memory_functions(manager, chat_id, user_id)
    return [
        function_tool(search, failure_error_function=_failed),
        function_tool(update, failure_error_function=_failed),
    ]


def _failed(context: RunContextWrapper[object], error: Exception) -> str:
    """Say that arguments don't fit: the SDK's own sentence says only that something failed."""
    if isinstance(error, ModelBehaviorError):
        return f"Error: {error}; give arguments as the tool's JSON schema has them."
    return default_tool_error_function(context, error)
