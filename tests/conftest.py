"""What all tests share: a home in a fresh folder, a clock held still, ids from a seed."""

from __future__ import annotations

import random
import resource
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

import litemem

if TYPE_CHECKING:
    from litemem.memory.memory import Memory

# How long an example takes says how busy the machine is, not whether the claim holds.
hypothesis.settings.register_profile("litemem", deadline=None)
hypothesis.settings.load_profile("litemem")

NOW = datetime(2026, 2, 8, 14, 5, 12, tzinfo=UTC)

OpenMemory = Callable[..., "Memory"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder that doesn't exist yet."""
    return tmp_path / "home"


@pytest.fixture
def opened(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenMemory]:
    """Open the home with the model-free embedder, in UTC, at NOW; all are closed at the end."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("LITEMEM_MODEL", raising=False)
    seed = random.Random(7)
    made: list[Memory] = []

    def open_home(**options: object) -> Memory:
        defaults = {"home": home, "model": "hash", "clock": lambda: NOW, "rng": seed.randbytes}
        memory = litemem.open(**(defaults | options))  # type: ignore[arg-type]
        made.append(memory)
        return memory

    yield open_home
    for memory in made:
        memory.close()


@pytest.fixture
def memory(opened: OpenMemory) -> Memory:
    """Return the default user's memory in a new home."""
    return opened()


@pytest.fixture
def file_size_limit() -> Callable[[int], AbstractContextManager[None]]:
    """Let no file of this process grow beyond a size for a while, as on a disk that gets full."""
    return _file_size_limit


@contextmanager
def _file_size_limit(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
