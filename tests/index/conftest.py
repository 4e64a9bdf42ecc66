"""A new index for each test that asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from litemem.index.store import Index
from tests.index.made import FINGERPRINT


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the index of a test is."""
    return tmp_path / "index.db"


@pytest.fixture
def index(path: Path) -> Iterator[Index]:
    """Return a new index."""
    with Index.open(path, FINGERPRINT) as opened:
        yield opened
