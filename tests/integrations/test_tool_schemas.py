"""`tool.schema(...)` is what the APIs take, and an adapter without its framework says so."""

from __future__ import annotations

import importlib
import json
import re
import sys
from typing import Any, cast

import pytest
from openai.types.chat import ChatCompletionToolParam
from openai.types.shared_params import FunctionDefinition
from pydantic import ConfigDict, TypeAdapter, with_config

from litemem.aio.manager import MemoryManager
from litemem.aio.store import SQLiteMemoryStore
from litemem.aio.tools import MemoryBlockUpdateTool, MemorySearchTool, Tool
from litemem.errors import InvalidValue

FORBID = ConfigDict(extra="forbid")


@pytest.fixture(params=[MemorySearchTool, MemoryBlockUpdateTool])
def tool(request: pytest.FixtureRequest) -> Tool:
    """Return each tool; its memory isn't opened."""
    kind: type[Tool] = request.param
    return kind(MemoryManager(SQLiteMemoryStore("unused")))


def test_openai_takes_the_schema(tool: Tool) -> None:
    schema = tool.schema("openai")
    whole = TypeAdapter(ChatCompletionToolParam)
    function = TypeAdapter(with_config(FORBID)(FunctionDefinition))

    assert whole.validate_python(schema, strict=True) == schema
    assert function.validate_python(schema["function"]) == schema["function"]
    assert tool.schema() == schema


def test_anthropic_takes_the_schema(tool: Tool) -> None:
    schema = tool.schema("anthropic")

    assert set(schema) == {"name", "description", "input_schema"}
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", schema["name"])
    assert schema["input_schema"]["type"] == "object"
    assert schema["input_schema"] == tool.schema("openai")["function"]["parameters"]


def test_the_parameters_are_json_schema_of_forward(tool: Tool) -> None:
    parameters = json.loads(json.dumps(tool.schema()["function"]["parameters"]))
    types = {"string", "integer", "null"}
    hints = cast(Any, tool).forward.__annotations__

    assert list(parameters["properties"]) == [name for name in hints if name != "return"]
    for name, given in parameters["properties"].items():
        named = given["type"] if isinstance(given["type"], list) else [given["type"]]
        assert set(named) <= types
        assert ("null" in named) == ("None" in hints[name]) == (name not in parameters["required"])
        assert given["description"]


def test_another_style_is_refused(tool: Tool) -> None:
    with pytest.raises(InvalidValue, match="give openai or anthropic"):
        tool.schema(cast(Any, "gemini"))


@pytest.mark.parametrize(
    ("module", "framework"),
    [
        ("smolagents", "smolagents"),
        ("openai_agents", "agents"),
        ("pydantic_ai", "pydantic_ai"),
        ("langgraph", "langgraph.store.base"),
    ],
)
def test_an_adapter_without_its_framework_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, module: str, framework: str
) -> None:
    name = f"litemem.integrations.{module}"
    for loaded in [one for one in sys.modules if one.startswith("litemem.integrations.")]:
        monkeypatch.delitem(sys.modules, loaded)
    for loaded in [one for one in sys.modules if one.startswith(f"{framework}.")]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, framework, None)

    with pytest.raises(ImportError, match=r"pip install 'litemem\[integrations\]'"):
        importlib.import_module(name)
