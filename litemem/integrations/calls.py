"""The memory tools as plain typed functions, which frameworks make schemas of."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal, TypeAlias

from litemem.aio.manager import MemoryManager
from litemem.aio.tools import MemoryBlockUpdateTool, MemorySearchTool, Tool
from litemem.errors import LitememError

Label: TypeAlias = Literal["persona", "user", "facts", "context"]
Operation: TypeAlias = Literal["replace", "append", "search_replace"]
Search: TypeAlias = Callable[[str, int | None], Awaitable[str]]
BlockUpdate: TypeAlias = Callable[[Label, Operation, str, str | None], Awaitable[str]]


def search_function(tool: MemorySearchTool) -> Search:
    """Return a function that searches as the tool does, documented for a model."""

    async def memory_search(query: str, limit: int | None = None) -> str:
        return await said(tool.aforward(query, limit))

    memory_search.__doc__ = _documented(tool)
    return memory_search


def block_update_function(tool: MemoryBlockUpdateTool) -> BlockUpdate:
    """Return a function that changes a block as the tool does, documented for a model."""

    async def memory_block_update(
        block: Label, operation: Operation, content: str, search_pattern: str | None = None
    ) -> str:
        return await said(tool.aforward(block, operation, content, search_pattern))

    memory_block_update.__doc__ = _documented(tool)
    return memory_block_update


def memory_functions(
    manager: MemoryManager, chat_id: str | None, user_id: str | None
) -> tuple[Search, BlockUpdate]:
    """Return both functions, for one user's memory in one chat."""
    search, update = MemorySearchTool(manager), MemoryBlockUpdateTool(manager)
    search.set_context(chat_id, user_id)
    update.set_context(chat_id, user_id)
    return search_function(search), block_update_function(update)


async def said(call: Awaitable[str]) -> str:
    """Return what a tool says; an error of the memory, such as a closed one, as a sentence."""
    try:
        return await call
    except LitememError as error:
        return f"Error: {error}"


def _documented(tool: Tool) -> str:
    lines = [f"    {name}: {given['description']}" for name, given in tool.inputs.items()]
    return "\n".join([tool.description, "", "Args:", *lines])
