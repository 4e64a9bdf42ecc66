"""The memory tools as a toolset of Pydantic AI."""

from __future__ import annotations

from litemem.aio.manager import MemoryManager
from litemem.integrations.calls import memory_functions
from litemem.integrations.missing import missing

try:
    from pydantic_ai import FunctionToolset
except ImportError as error:
    raise missing("Pydantic AI", error) from error


def memory_toolset(
    manager: MemoryManager,
    *,
    chat_id: str | None = None,
    user_id: str | None = None,
    id: str = "litemem",
) -> FunctionToolset[object]:
    """
    Return a toolset that searches memory and changes its blocks: `Agent(toolsets=[...])`.

    It doesn't block the event loop; what goes wrong in the memory is said to the model. Arguments
    of a wrong type are asked for again, as of every tool.

    Args:
        manager: the memory; it may be open already or not. Closed, the tools say so.
        chat_id: the chat the agent works in.
        user_id: whose memory; None: the default user's facts, and the blocks that all users read.
        id: of the toolset, unique in an agent.
    """
    return FunctionToolset([*memory_functions(manager, chat_id, user_id)], id=id)
