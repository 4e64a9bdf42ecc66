"""mem0 without a model: each row as it is (infer=False), in its own local Qdrant."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.peers.rows import Given, Row, Traits

USER = "somebody"


class _Embedder:
    def __init__(self, given: Given) -> None:
        self._given = given

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """Return the vector that everybody got."""
        del memory_action
        return self._given.floats(text)

    def embed_batch(self, texts: Sequence[str], memory_action: str = "add") -> list[list[float]]:
        """Return the vectors that everybody got."""
        return [self.embed(text, memory_action) for text in texts]


class Store:
    """One memory. The client of a language model is made, because it insists, and never called."""

    def __init__(self, folder: Path, traits: Traits, given: Given) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder / "mem0")}
        from mem0 import Memory

        nobody = {"provider": "openai", "config": {"api_key": "none"}}
        vectors = {
            "collection_name": "rows",
            "path": str(folder / "qdrant"),
            "embedding_model_dims": traits.dimension,
            "on_disk": True,
        }
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": vectors},
                "llm": nobody,
                "embedder": nobody,
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._memory.embedding_model = _Embedder(given)
        self._ids: dict[str, str] = {}

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows one by one: there is no other way."""
        for row in rows:
            done = self._memory.add(
                row.text, user_id=USER, metadata={"row": row.id, "at": row.at}, infer=False
            )
            self._ids[row.id] = done["results"][0]["id"]

    def search(self, text: str, k: int) -> list[str]:
        """Search with its defaults."""
        found = self._memory.search(text, filters={"user_id": USER}, top_k=k)
        return [one["metadata"]["row"] for one in found["results"]]

    def delete(self, id_: str) -> None:
        """Delete a row."""
        self._memory.delete(self._ids[id_])

    def ids(self) -> list[str]:
        """List the rows."""
        found = self._memory.get_all(filters={"user_id": USER}, top_k=1_000_000)
        return [one["metadata"]["row"] for one in found["results"]]

    def close(self) -> None:
        """Close what it has open."""
        self._memory.close()
