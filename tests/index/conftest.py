"""Small rows, files and vectors for the tests of the index."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from litemem.files.state import FileState
from litemem.index.docs import Doc, Source
from litemem.index.schema import Fingerprint
from litemem.index.store import Index
from litemem.types import Problem, Vector

DAY = datetime(2026, 2, 8, tzinfo=UTC)


class Make:
    """Makes values with as few words as possible."""

    dimension = 8
    fingerprint = Fingerprint(model="test", dimension=8, model_sha256="00")

    def vector(self, text: str, dimension: int = 8) -> Vector:
        """Return a unit vector that depends on the text alone."""
        seed = hashlib.shake_128(text.encode()).digest(2 * dimension)
        raw = [int.from_bytes(seed[i : i + 2]) - 32_767.5 for i in range(0, len(seed), 2)]
        length = sum(x * x for x in raw) ** 0.5
        return Vector(array("f", [x / length for x in raw]).tobytes())

    def source(self, path: str = "memory/a.md", user: str = "default", **other: Any) -> Source:
        """Return a file of which nothing is special."""
        values: dict[str, Any] = {
            "state": FileState(size=1, mtime_ns=2, ctime_ns=3, inode=4),
            "read_ns": 5,
            "lines": 6,
            "digests": b"7" * 32,
        }
        return Source(path=path, user=user, **(values | other))

    def problem(self, path: str, line: int) -> Problem:
        """Return something that couldn't be read."""
        return Problem(path=path, line=line, reason="odd")

    def fact(self, id: str, text: str = "", *, minute: int = 0, **other: Any) -> Doc:
        """Return a fact that was said `minute` minutes into the day."""
        values: dict[str, Any] = {
            "kind": "fact",
            "line": 1,
            "at": DAY + timedelta(minutes=minute),
            "chat_id": None,
            "thread": "day",
        }
        return Doc(id=id, text=text or f"text of {id}", **(values | other))

    def facts(self, *ids: str, **other: Any) -> list[Doc]:
        """Return one fact a line."""
        return [self.fact(id, line=n, minute=n, **other) for n, id in enumerate(ids, start=1)]

    def fill(self, index: Index) -> None:
        """Give every pending row the vector of its text; a text of blanks has none."""
        while found := index.pending(7):
            index.put_vectors(
                [(row, self.vector(text) if text.strip() else None) for row, text in found]
            )


@pytest.fixture(scope="session")
def make() -> Make:
    """Return the maker of test values."""
    return Make()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the index of a test is."""
    return tmp_path / "index.db"


@pytest.fixture
def index(path: Path, make: Make) -> Iterator[Index]:
    """Return a new index."""
    with Index.open(path, make.fingerprint) as opened:
        yield opened
