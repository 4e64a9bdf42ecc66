"""What is stored and asked, as files that every environment can read (standard library alone)."""

from __future__ import annotations

import base64
import json
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row or question; its vector is little-endian float32 in base64."""

    id: str
    text: str
    vector: str
    at: str = ""  # ISO 8601, UTC
    speaker: str = ""
    chat: str = ""
    importance: float = 0.5

    @property
    def floats(self) -> list[float]:
        """The vector as numbers."""
        return array("f", self.raw).tolist()

    @property
    def raw(self) -> bytes:
        """The vector as bytes."""
        return base64.b64decode(self.vector)


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What search may want to know of the vectors."""

    dimension: int
    typical_unrelated: float
    typical_related: float
    query_centering: float
    vector_weight: float


class Given:
    """The vectors of texts, for what insists on an embedder of its own; some strip texts first."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._rows: dict[str, Row] = {}
        self.know(rows)

    def know(self, rows: Iterable[Row]) -> None:
        """Learn further texts."""
        self._rows |= {row.text.strip(): row for row in rows}

    def floats(self, text: str) -> list[float]:
        """Return the vector of a known text. Raises KeyError for another."""
        return self._rows[text.strip()].floats

    def raw(self, text: str) -> bytes:
        """Return the vector of a known text as bytes. Raises KeyError for another."""
        return self._rows[text.strip()].raw


class Store(Protocol):
    """What each peer's module gives as `Store`, made with a folder, `Traits` and `Given`."""

    def __init__(self, folder: Path, traits: Traits, given: Given) -> None: ...

    def add(self, rows: Sequence[Row]) -> None:
        """Store rows; when it returns they are acknowledged and found."""
        ...

    def search(self, text: str, k: int) -> list[str]:
        """Return the ids of the k best rows."""
        ...

    def delete(self, id_: str) -> None:
        """Remove a row that this process added."""
        ...

    def ids(self) -> list[str]:
        """Return the ids of everything stored."""
        ...

    def close(self) -> None:
        """End."""
        ...


def write(path: Path, rows: Iterable[Row]) -> None:
    """Write rows, one a line."""
    with path.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(asdict(row)) + "\n")


def read(path: Path) -> list[Row]:
    """Read what `write` wrote."""
    with path.open(encoding="utf-8") as lines:
        return [Row(**json.loads(line)) for line in lines]
