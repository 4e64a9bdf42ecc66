"""The memory tools pass smolagents' own checks, and its agents call them."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from smolagents import CodeAgent, Tool, ToolCallingAgent
from smolagents.models import (
    ChatMessage,
    ChatMessageToolCall,
    ChatMessageToolCallFunction,
    MessageRole,
    Model,
    get_tool_json_schema,
)
from smolagents.monitoring import LogLevel

import litemem
from litemem.aio.manager import MemoryManager
from litemem.aio.store import SQLiteMemoryStore
from litemem.aio.tools import MemorySearchTool
from litemem.integrations.smolagents import memory_tools


class Scripted(Model):  # type: ignore[misc]  # smolagents has no types
    """Answers with what it was told to, and keeps what it was given."""

    def __init__(self, *answers: ChatMessage) -> None:
        super().__init__(model_id="scripted")
        self._answers = iter(answers)
        self.given: list[list[ChatMessage]] = []

    def generate(self, messages: list[ChatMessage], *_: Any, **__: Any) -> ChatMessage:  # noqa: ANN401
        """Return the next answer."""
        self.given.append(messages)
        return next(self._answers)


def code(text: str) -> ChatMessage:
    """Make an answer in code."""
    return ChatMessage(role=MessageRole.ASSISTANT, content=f"<code>\n{text}\n</code>")


def call(name: str, **arguments: object) -> ChatMessage:
    """Make an answer that calls a tool."""
    function = ChatMessageToolCallFunction(name=name, arguments=arguments)
    made = ChatMessageToolCall(id="c1", type="function", function=function)
    return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=[made])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home with one fact."""
    monkeypatch.setenv("TZ", "UTC")
    with litemem.open(tmp_path / "home", model="hash") as memory:
        memory.remember("Prefers compact dashboards", tags=["ui"])
    return tmp_path / "home"


@pytest.fixture
def manager(home: Path) -> Iterator[MemoryManager]:
    """Return a manager whose home is opened by the first tool that is called."""
    made = MemoryManager(SQLiteMemoryStore(home))
    yield made
    asyncio.run(made.close())


def quiet(kind: type, tools: list[Tool], model: Scripted) -> Any:  # noqa: ANN401  # Any: untyped
    """Make an agent that prints nothing."""
    return kind(tools=tools, model=model, verbosity_level=LogLevel.OFF)


def test_a_code_agent_searches(manager: MemoryManager) -> None:
    model = Scripted(code("final_answer(memory_search('dashboards', limit=1))"))
    answer = quiet(CodeAgent, memory_tools(manager), model).run("What does the user like?")

    assert "Prefers compact dashboards" in answer
    assert answer == MemorySearchTool(manager).forward("dashboards", 1)
    assert "def memory_search(query: string, limit: integer)" in str(model.given[0])


def test_a_code_agent_changes_a_block(manager: MemoryManager) -> None:
    said = "memory_block_update(block='user', operation='append', content='Ann')"
    agent = quiet(CodeAgent, memory_tools(manager), Scripted(code(f"final_answer({said})")))

    assert agent.run("I am Ann.") == "Appended to block 'user'."
    assert asyncio.run(manager.get_core_memory())["user"] == "Ann"


def test_a_tool_calling_agent_calls_both(manager: MemoryManager) -> None:
    model = Scripted(
        call("memory_block_update", block="user", operation="replace", content="Ann"),
        call("memory_search", query="dashboards"),
        call("final_answer", answer="compact ones"),
    )
    agent = quiet(ToolCallingAgent, memory_tools(manager), model)

    assert agent.run("What do I like?") == "compact ones"
    assert "Replaced block 'user'." in str(model.given[1])
    assert "Prefers compact dashboards" in str(model.given[2])


def test_an_error_is_a_sentence(manager: MemoryManager) -> None:
    search, update = memory_tools(manager)

    assert search("x", limit=0).startswith("Error: limit is 0")
    assert update("goals", "append", "x").startswith("Error: there is no block 'goals'")


def test_a_closed_memory_says_so(manager: MemoryManager) -> None:
    search, update = memory_tools(manager)
    asyncio.run(manager.close())

    for said in (search("x"), update("user", "append", "x")):
        assert said == "Error: this memory is closed; open it again to go on"


def test_each_tool_works_for_its_own_user_and_chat(manager: MemoryManager) -> None:
    search, update = memory_tools(manager, chat_id="c1", user_id="ann")

    assert search("dashboards") == "no memories found"
    update("user", "append", "Ann")
    assert asyncio.run(manager.get_core_memory("c1", "ann"))["user"] == "Ann"
    assert asyncio.run(manager.get_core_memory("c2", "ann"))["user"] == ""


def test_the_schema_for_a_model_is_what_the_tool_has(manager: MemoryManager) -> None:
    for tool in memory_tools(manager):
        schema = get_tool_json_schema(tool)["function"]
        ours = tool.tool.schema("openai")["function"]

        assert schema["name"] == ours["name"]
        assert schema["description"] == ours["description"]
        assert schema["parameters"]["required"] == ours["parameters"]["required"]
        assert set(schema["parameters"]["properties"]) == set(ours["parameters"]["properties"])


def test_a_tool_over_an_open_memory_is_neither_pickled_nor_saved(manager: MemoryManager) -> None:
    tool = memory_tools(manager)[0]
    tool("x")

    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(tool)
    with pytest.raises(ValueError, match="Tool validation failed"):
        tool.to_dict()
