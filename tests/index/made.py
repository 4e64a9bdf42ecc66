"""Small rows, files and vectors for the tests of the index."""

from __future__ import annotations

import hashlib
from array import array
from datetime import UTC, datetime, timedelta

from litemem.files.state import FileState
from litemem.index.docs import Doc, Source
from litemem.index.schema import Fingerprint
from litemem.index.store import Index
from litemem.types import Vector

DAY = datetime(2026, 2, 8, tzinfo=UTC)
FINGERPRINT = Fingerprint(model="test", dimension=8, model_sha256="00")


def vector(text: str, dimension: int = 8) -> Vector:
    """Return a unit vector that depends on the text alone."""
    seed = hashlib.shake_128(text.encode()).digest(2 * dimension)
    raw = [int.from_bytes(seed[i : i + 2], "big") - 32_767.5 for i in range(0, len(seed), 2)]
    length = sum(x * x for x in raw) ** 0.5
    return Vector(array("f", [x / length for x in raw]).tobytes())


def source(path: str = "memory/a.md", user: str = "default", lines: int = 6) -> Source:
    """Return a file of which nothing is special."""
    state = FileState(size=1, mtime_ns=2, ctime_ns=3, inode=4)
    return Source(path=path, user=user, state=state, read_ns=5, lines=lines, digests=b"7" * 32)


def fact(name: str, text: str = "", *, minute: int = 0, replaces: str | None = None) -> Doc:
    """Return a fact that was said `minute` minutes into the day."""
    return Doc(
        kind="fact",
        id=name,
        line=minute + 1,
        text=text or f"text of {name}",
        at=DAY + timedelta(minutes=minute),
        chat_id=None,
        thread="day",
        replaces=replaces,
    )


def facts(*names: str) -> list[Doc]:
    """Return one fact a line."""
    return [fact(name, minute=n) for n, name in enumerate(names)]


def fill(index: Index) -> None:
    """Give every pending row the vector of its text; a text of blanks has none."""
    while found := index.pending(7):
        index.put_vectors([(row, vector(text) if text.strip() else None) for row, text in found])
