"""What the adapters' tests share: no tracing, and a manager over a home without a model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from litemem.aio.manager import MemoryManager
from litemem.aio.store import SQLiteMemoryStore


@pytest.fixture
async def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MemoryManager]:
    """Open a new home with the model-free embedder."""
    monkeypatch.setenv("TZ", "UTC")
    async with MemoryManager(SQLiteMemoryStore(tmp_path / "home", model="hash")) as opened:
        yield opened
