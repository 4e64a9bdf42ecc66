"""A server over a fresh home, and the SDK's own client on it."""

from __future__ import annotations

import random
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, TextIO

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent

from litemem.aio.store import SQLiteMemoryStore
from litemem.mcp.app import make_server
from tests.conftest import NOW

Connect = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture
async def store(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SQLiteMemoryStore]:
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("LITEMEM_MODEL", raising=False)
    seed = random.Random(7)
    async with SQLiteMemoryStore(home, model="hash", clock=lambda: NOW, rng=seed.randbytes) as made:
        yield made


@pytest.fixture
def connect(store: SQLiteMemoryStore) -> Connect:
    """Connect to a server in this process; each test does so itself, in its own task."""

    def as_user(user: str = "ada", mode: str = "auto") -> AbstractAsyncContextManager[Client]:
        return Client(make_server(store, user), mode=mode)

    return as_user


@asynccontextmanager
async def over_stdio(
    home: Path, *arguments: str, noise: str = "", errlog: TextIO = sys.stderr
) -> AsyncIterator[Client]:
    """Start `litemem mcp` as a client does; `noise` is Python that runs in its process before."""
    start = (
        ("-c", f"{noise}\nfrom litemem.cli import run; run()") if noise else ("-m", "litemem.cli")
    )
    server = StdioServerParameters(
        command=sys.executable,
        args=[*start, "--home", str(home), "mcp", *arguments],
        env={"LITEMEM_MODEL": "hash", "TZ": "UTC"},
    )
    async with Client(stdio_client(server, errlog=errlog)) as client:
        yield client


def said(result: CallToolResult) -> str:
    """Return what a tool said as text."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def call(client: Client, tool: str, **arguments: Any) -> Any:  # noqa: ANN401  # Any: JSON
    """Call a tool that must succeed, and return its JSON."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, said(result)
    return result.structured_content


async def trouble(client: Client, tool: str, **arguments: object) -> str:
    """Call a tool that must fail, and return the one line that says why."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert "\n" not in said(result)
    return said(result)
