"""Chroma's persistent client: HNSW over the given vectors; its search has no words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import chromadb
from chromadb.config import Settings

from tests.benchmarks.peers.rows import Given, Row, Traits


class Store:
    """One collection."""

    def __init__(self, folder: Path, traits: Traits, given: Given) -> None:
        del traits
        self._given = given
        client = chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))
        self._rows = client.get_or_create_collection(
            "rows", metadata={"hnsw:space": "cosine"}, embedding_function=None
        )

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows in one call."""
        self._rows.add(
            ids=[row.id for row in rows],
            embeddings=[row.floats for row in rows],
            documents=[row.text for row in rows],
            metadatas=[{"at": row.at, "speaker": row.speaker} for row in rows],
        )

    def search(self, text: str, k: int) -> list[str]:
        """Search by vector."""
        found = self._rows.query(query_embeddings=[self._given.floats(text)], n_results=k)
        return list(found["ids"][0])

    def delete(self, id_: str) -> None:
        """Delete a row."""
        self._rows.delete(ids=[id_])

    def ids(self) -> list[str]:
        """List the rows."""
        return list(self._rows.get(include=[])["ids"])

    def close(self) -> None:
        """Nothing: the client has no end of its own."""
