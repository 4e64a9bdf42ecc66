"""A store and a manager over a fresh home, with the model-free embedder, a clock held still."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path

import pytest

from litemem.aio.store import SQLiteMemoryStore
from tests.conftest import NOW

OpenStore = Callable[..., SQLiteMemoryStore]


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.at = NOW

    def __call__(self) -> datetime:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def stores(
    home: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[OpenStore]:
    """Make stores over the home; all are closed at the end."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("LITEMEM_MODEL", raising=False)
    seed, made = random.Random(7), list[SQLiteMemoryStore]()

    def make(**options: object) -> SQLiteMemoryStore:
        chosen = {"uri": home, "clock": clock, "rng": seed.randbytes} | options
        if "embedder" not in chosen:
            chosen.setdefault("model", "hash")
        made.append(SQLiteMemoryStore(**chosen))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for store in made:
        await store.close()


@pytest.fixture
def store(stores: OpenStore) -> SQLiteMemoryStore:
    return stores()
