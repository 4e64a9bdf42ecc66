"""LanceDB by the reference's formula: 0.7 cosine + 0.3 words, and boosts; no vector index."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import lancedb
import numpy as np
import pyarrow as pa

from tests.benchmarks.peers.rows import Given, Row, Traits

POOL = 100  # candidates from each side
MANY = 100  # rows after which the keyword index takes in what was added; before, words are scanned
COSINE, WORDS, IMPORTANCE, RECENCY = 0.7, 0.3, 0.2, 0.1
DAY_S = 86_400


class Store:
    """One table."""

    def __init__(self, folder: Path, traits: Traits, given: Given) -> None:
        self._given = given
        db = lancedb.connect(str(folder))
        if "rows" in db.table_names():
            self._table = db.open_table("rows")
            return
        schema = pa.schema(
            [
                pa.field("id", pa.string()),
                pa.field("text", pa.string()),
                pa.field("at", pa.string()),
                pa.field("importance", pa.float64()),
                pa.field("vector", pa.list_(pa.float32(), traits.dimension)),
            ]
        )
        self._table = db.create_table("rows", schema=schema)
        self._table.create_fts_index("text")

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows in one call."""
        self._table.add(
            [
                {
                    "id": row.id,
                    "text": row.text,
                    "at": row.at,
                    "importance": row.importance,
                    "vector": row.floats,
                }
                for row in rows
            ]
        )
        if len(rows) >= MANY:
            self._table.optimize()

    def search(self, text: str, k: int) -> list[str]:
        """Search both ways and add up."""
        vector = np.asarray(self._given.floats(text), dtype=np.float32)
        near = self._table.search(vector).metric("cosine").limit(POOL).to_list()
        named = self._table.search(text, query_type="fts").limit(POOL).to_list()
        best = max((row["_score"] for row in named), default=1.0) or 1.0
        words = {row["id"]: row["_score"] / best for row in named}
        pool: dict[str, Any] = {row["id"]: row for row in (*named, *near)}  # Any: Arrow's rows
        now = datetime.now(UTC)
        scores = {
            id_: COSINE * float(np.dot(vector, row["vector"]))
            + WORDS * words.get(id_, 0.0)
            + IMPORTANCE * row["importance"]
            + RECENCY * _recency(row["at"], now)
            for id_, row in pool.items()
        }
        return sorted(scores, key=lambda id_: -scores[id_])[:k]

    def delete(self, id_: str) -> None:
        """Delete a row."""
        self._table.delete(f"id = '{id_}'")

    def ids(self) -> list[str]:
        """List the rows."""
        return [str(id_) for id_ in self._table.to_arrow()["id"].to_pylist()]

    def close(self) -> None:
        """Nothing: tables have no end of their own."""


def _recency(at: str, now: datetime) -> float:
    return 1 / (1 + (now - datetime.fromisoformat(at)).total_seconds() / DAY_S) if at else 0.0
