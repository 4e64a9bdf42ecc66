"""The memory tools as smolagents' Tools, for `CodeAgent(tools=memory_tools(manager), ...)`."""

from __future__ import annotations

from typing import Any, ClassVar

from litemem.aio import tools
from litemem.aio.manager import MemoryManager
from litemem.errors import LitememError
from litemem.integrations.missing import missing

try:
    from smolagents import Tool
except ImportError as error:
    raise missing("smolagents", error) from error

Inputs = dict[str, dict[str, Any]]  # Any: JSON


class MemorySearchTool(Tool):  # type: ignore[misc]  # smolagents has no types
    """
    Searches one user's memory, for one chat where it's named.

    It holds an open memory: it can't be pickled, saved or pushed to a hub. Blocks its caller, as
    smolagents expects; don't call it on the event loop that the manager is used in.
    """

    name = tools.MemorySearchTool.name
    description = tools.MemorySearchTool.description
    inputs: ClassVar[Inputs] = tools.MemorySearchTool.inputs
    output_type = tools.MemorySearchTool.output_type

    def __init__(
        self, manager: MemoryManager, *, chat_id: str | None = None, user_id: str | None = None
    ) -> None:
        super().__init__()
        self.tool = tools.MemorySearchTool(manager)
        self.tool.set_context(chat_id, user_id)

    def forward(self, query: str, limit: int | None = 10) -> str:
        """Return the best matches as text; an error as a sentence."""
        try:
            return self.tool.forward(query, limit)
        except LitememError as error:
            return f"Error: {error}"


class MemoryBlockUpdateTool(Tool):  # type: ignore[misc]  # as above
    """Changes a block of core memory; see MemorySearchTool for what it can't do."""

    name = tools.MemoryBlockUpdateTool.name
    description = tools.MemoryBlockUpdateTool.description
    inputs: ClassVar[Inputs] = tools.MemoryBlockUpdateTool.inputs
    output_type = tools.MemoryBlockUpdateTool.output_type

    def __init__(
        self, manager: MemoryManager, *, chat_id: str | None = None, user_id: str | None = None
    ) -> None:
        super().__init__()
        self.tool = tools.MemoryBlockUpdateTool(manager)
        self.tool.set_context(chat_id, user_id)

    def forward(
        self, block: str, operation: str, content: str, search_pattern: str | None = None
    ) -> str:
        """Change a block and say what was done; an error as a sentence."""
        try:
            return self.tool.forward(block, operation, content, search_pattern)
        except LitememError as error:
            return f"Error: {error}"


def memory_tools(
    manager: MemoryManager, *, chat_id: str | None = None, user_id: str | None = None
) -> list[Tool]:
    """
    Return both tools, for an agent's `tools`.

    Args:
        manager: the memory; it may be open already or not. Closed, the tools say so.
        chat_id: the chat the agent works in.
        user_id: whose memory; None: the default user's facts, and the blocks that all users read.
    """
    return [
        MemorySearchTool(manager, chat_id=chat_id, user_id=user_id),
        MemoryBlockUpdateTool(manager, chat_id=chat_id, user_id=user_id),
    ]
