"""litemem as a user has it: markdown with an fsync a fact, then the index."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import litemem
from litemem.memory.new import NewFact
from litemem.types import Profile, Vector
from tests.benchmarks.peers.rows import Given, Row, Traits


class _Embedder:
    """Hands out the vectors that everybody got."""

    name, sha256 = "given", ""

    def __init__(self, traits: Traits, given: Given) -> None:
        self.dimension, self._given = traits.dimension, given
        self.profile = Profile(
            typical_unrelated=traits.typical_unrelated,
            typical_related=traits.typical_related,
            query_centering=traits.query_centering,
            vector_weight=traits.vector_weight,
        )

    def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Not asked for: each fact comes with its vector."""
        raise NotImplementedError

    def embed_query(self, text: str) -> Vector:
        """Return the vector of a known question."""
        return Vector(self._given.raw(text))


class Store:
    """One home."""

    def __init__(self, folder: Path, traits: Traits, given: Given) -> None:
        self._memory = litemem.open(folder, embedder=_Embedder(traits, given))
        self._ids: dict[str, str] = {}

    def add(self, rows: Sequence[Row]) -> None:
        """Remember facts."""
        done = self._memory.remember_many(_fact(row) for row in rows)
        for row, one in zip(rows, done, strict=True):
            self._ids[row.id] = one.id

    def search(self, text: str, k: int) -> list[str]:
        """Search both ways."""
        return [hit.metadata["id"] for hit in self._memory.search(text, k).hits]

    def delete(self, id_: str) -> None:
        """Forget a fact, in files and index."""
        self._memory.forget(self._ids[id_])

    def ids(self) -> list[str]:
        """List the facts."""
        return [str(fact.metadata["id"]) for fact in self._memory.list(limit=1_000_000)]

    def close(self) -> None:
        """Close the home."""
        self._memory.close()


def _fact(row: Row) -> NewFact:
    return NewFact(
        content=row.text,
        created_at=datetime.fromisoformat(row.at) if row.at else None,
        speaker=row.speaker or None,
        chat_id=row.chat or None,
        importance=row.importance,
        metadata={"id": row.id},
        vector=Vector(row.raw),
    )
