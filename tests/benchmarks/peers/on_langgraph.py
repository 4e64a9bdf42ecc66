"""
LangGraph's SqliteStore with its vector index; an add of many rows is one batch.

It needs a `sqlite3` that loads extensions; where Python's own was built without, pysqlite3 is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from langgraph.store.base import PutOp
from langgraph.store.sqlite import SqliteStore

from tests.benchmarks.peers.rows import Given, Row, Traits

try:
    import pysqlite3 as sqlite3
except ImportError:
    import sqlite3

PLACE = ("rows",)


class Store:
    """One database file; search is by vector alone."""

    def __init__(self, folder: Path, traits: Traits, given: Given) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(
            folder / "store.db", check_same_thread=False, isolation_level=None
        )
        self._store = SqliteStore(
            self._db,
            index={
                "dims": traits.dimension,
                "embed": lambda texts: [given.floats(text) for text in texts],
            },
        )
        self._store.setup()

    def add(self, rows: Sequence[Row]) -> None:
        """Put rows."""
        self._store.batch(
            [
                PutOp(
                    namespace=PLACE,
                    key=row.id,
                    value={"text": row.text, "at": row.at},
                    index=["text"],
                )
                for row in rows
            ]
        )

    def search(self, text: str, k: int) -> list[str]:
        """Search by vector."""
        return [item.key for item in self._store.search(PLACE, query=text, limit=k)]

    def delete(self, id_: str) -> None:
        """Delete a row."""
        self._store.delete(PLACE, id_)

    def ids(self) -> list[str]:
        """List the rows."""
        return [item.key for item in self._store.search(PLACE, limit=1_000_000)]

    def close(self) -> None:
        """Close the file."""
        self._db.close()
