"""The memory tools as function tools of the OpenAI Agents SDK: called by its real Runner."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from agents import Agent, FunctionTool, Runner
from agents.tool_context import ToolContext

from litemem.aio.manager import MemoryManager
from litemem.aio.store import SQLiteMemoryStore
from litemem.aio.tools import MemoryBlockUpdateTool, MemorySearchTool
from litemem.embed.hashing import HashEmbedder
from litemem.integrations.openai_agents import LitememSession, memory_tools
from litemem.types import Vector
from tests.integrations.scripted import QUIET, Scripted, calls, says


async def invoke(manager: MemoryManager, name: str, **arguments: object) -> str:
    """Call a tool as the Runner does."""
    tool = next(tool for tool in memory_tools(manager) if tool.name == name)
    written = json.dumps(arguments)
    context = ToolContext(context=None, tool_name=name, tool_call_id="c1", tool_arguments=written)
    return str(await cast(FunctionTool, tool).on_invoke_tool(context, written))


async def test_an_agent_remembers_and_finds(manager: MemoryManager) -> None:
    await manager.store.add_memory("Prefers compact dashboards", None, "ann")
    append = {"block": "user", "operation": "append", "content": "Ann", "search_pattern": None}
    model = Scripted(
        [calls("memory_search", '{"query": "dashboards", "limit": null}')],
        [calls("memory_block_update", json.dumps(append), "c2")],
        [says("Noted.")],
    )
    agent = Agent(name="Guide", model=model, tools=memory_tools(manager, user_id="ann"))
    session = LitememSession("s", manager.store.uri)
    result = await Runner.run(agent, "I am Ann.", session=session, run_config=QUIET)
    outputs = [cast(Any, item).get("output") for item in await session.get_items()]

    assert result.final_output == "Noted."
    assert "Prefers compact dashboards" in outputs[2]
    assert outputs[4] == "Appended to block 'user'."
    assert (await manager.get_core_memory(user_id="ann"))["user"] == "Ann"


async def test_an_error_is_a_sentence(manager: MemoryManager) -> None:
    assert (await invoke(manager, "memory_search", query="x", limit=0)).startswith("Error: limit")


async def test_arguments_that_dont_fit_are_told_to_the_model(manager: MemoryManager) -> None:
    said = await invoke(
        manager, "memory_block_update", block="goals", operation="append", content="x"
    )

    assert said.startswith("Error: Invalid JSON input for tool memory_block_update")
    assert said.endswith("give arguments as the tool's JSON schema has them.")


class Broken(HashEmbedder):
    """An embedder with a fault."""

    def embed_query(self, text: str) -> Vector | None:
        """Fail as no embedder should."""
        raise ZeroDivisionError(text)


async def test_a_fault_is_told_as_the_sdk_does(tmp_path: Path) -> None:
    async with MemoryManager(SQLiteMemoryStore(tmp_path, embedder=Broken())) as manager:
        said = await invoke(manager, "memory_search", query="secret")

    assert said == "An error occurred while running the tool. Please try again."


async def test_a_closed_memory_says_so(manager: MemoryManager) -> None:
    await manager.close()

    assert "Error: this memory is closed" in await invoke(manager, "memory_search", query="x")


def test_the_schemas_say_what_the_tools_say(manager: MemoryManager) -> None:
    for tool, ours in zip(
        memory_tools(manager), (MemorySearchTool, MemoryBlockUpdateTool), strict=True
    ):
        made = cast(FunctionTool, tool)
        assert (made.name, made.description) == (ours.name, ours.description)
        for name, given in ours.inputs.items():
            schema = made.params_json_schema["properties"][name]
            assert schema["description"] == given["description"]
            assert schema.get("enum") == given.get("enum")
        assert list(made.params_json_schema["properties"]) == list(ours.inputs)
