"""A store over a fresh home, with the model-free embedder and a clock that a test sets."""

from __future__ import annotations

from array import array
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path

import pytest

from litemem import HashEmbedder
from litemem.aio.store import SQLiteMemoryStore
from tests.conftest import NOW

OpenStore = Callable[..., SQLiteMemoryStore]
DIMENSION = 64


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.at = NOW

    def __call__(self) -> datetime:
        """Return the time that was set."""
        return self.at


@pytest.fixture
def clock() -> Clock:
    """Return a clock that stands at NOW."""
    return Clock()


@pytest.fixture
async def stores(
    home: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[OpenStore]:
    """Make stores over the home; all are closed at the end."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("LITEMEM_MODEL", raising=False)
    made: list[SQLiteMemoryStore] = []

    def make(**options: object) -> SQLiteMemoryStore:
        chosen = {"uri": home, "clock": clock} | options
        if "embedder" not in chosen:
            chosen.setdefault("model", "hash")
        made.append(SQLiteMemoryStore(**chosen))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for store in made:
        await store.close()


@pytest.fixture
def store(stores: OpenStore) -> SQLiteMemoryStore:
    """Return a store over a new home."""
    return stores()


def meant(text: str) -> list[float]:
    """Return a text's vector as a caller would bring it."""
    vector = HashEmbedder().embed_query(text)
    assert vector is not None
    return [*array("f", vector)]


def axis(*values: float) -> list[float]:
    """Return a vector with these first numbers, and zeros."""
    return [*values, *[0.0] * (DIMENSION - len(values))]
