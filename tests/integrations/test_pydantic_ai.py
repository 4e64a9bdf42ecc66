"""The memory tools as a toolset of Pydantic AI: called by its real Agent."""

from __future__ import annotations

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.messages import RetryPromptPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from litemem.aio.manager import MemoryManager
from litemem.aio.tools import MemoryBlockUpdateTool, MemorySearchTool
from litemem.integrations.pydantic_ai import memory_toolset


def scripted(*calls: ToolCallPart) -> FunctionModel:
    """Make a model that calls one tool after the other, and then says what the last one said."""
    left = list(calls)

    def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        if left:
            return ModelResponse(parts=[left.pop(0)])
        part = messages[-1].parts[-1]
        assert isinstance(part, ToolReturnPart | RetryPromptPart)
        return ModelResponse(parts=[TextPart(str(part.content))])

    return FunctionModel(answer)


async def run(manager: MemoryManager, name: str, **arguments: object) -> str:
    """Return what a tool says when an agent calls it."""
    model = scripted(ToolCallPart(name, dict(arguments)))
    agent = Agent(model, toolsets=[memory_toolset(manager)])
    return (await agent.run("go")).output


async def test_an_agent_finds(manager: MemoryManager) -> None:
    await manager.store.add_memory("Prefers compact dashboards", None, "default")

    assert "Prefers compact dashboards" in await run(manager, "memory_search", query="dashboards")


async def test_an_agent_changes_a_block(manager: MemoryManager) -> None:
    said = await run(
        manager, "memory_block_update", block="user", operation="append", content="Ann"
    )

    assert said == "Appended to block 'user'."
    assert (await manager.get_core_memory())["user"] == "Ann"


async def test_a_model_that_calls_whatever_there_is_gets_answers(manager: MemoryManager) -> None:
    agent = Agent(TestModel(), deps_type=int, toolsets=[memory_toolset(manager, user_id="ann")])
    result = await agent.run("go", deps=1)

    assert '"memory_search":"no memories found"' in result.output
    assert '"memory_block_update":"Replaced block' in result.output


async def test_an_error_is_a_sentence(manager: MemoryManager) -> None:
    assert (await run(manager, "memory_search", query="x", limit=0)).startswith("Error: limit is 0")


async def test_arguments_that_dont_fit_are_asked_for_again(manager: MemoryManager) -> None:
    said = await run(manager, "memory_block_update", block="goals", operation="append", content="x")

    assert "'persona', 'user', 'facts' or 'context'" in said


async def test_a_closed_memory_says_so(manager: MemoryManager) -> None:
    await manager.close()

    assert await run(manager, "memory_search", query="x") == (
        "Error: this memory is closed; open it again to go on"
    )


def test_the_schemas_say_what_the_tools_say(manager: MemoryManager) -> None:
    tools = memory_toolset(manager, id="mine").tools
    for ours in (MemorySearchTool, MemoryBlockUpdateTool):
        made = tools[ours.name]
        schema = made.function_schema.json_schema
        assert made.description == ours.description
        for name, given in ours.inputs.items():
            assert schema["properties"][name]["description"] == given["description"]
            assert schema["properties"][name].get("enum") == given.get("enum")
        assert schema["required"] == [
            name for name, given in ours.inputs.items() if not given.get("nullable")
        ]
