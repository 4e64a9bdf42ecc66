"""sqlite-utils: a table with FTS5 kept current by triggers; any word of the question may match."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from sqlite_utils import Database

from tests.benchmarks.peers.rows import Given, Row, Traits


class Store:
    """One database file, words alone."""

    def __init__(self, folder: Path, traits: Traits, given: Given) -> None:
        del traits, given
        folder.mkdir(parents=True, exist_ok=True)
        self._db = Database(str(folder / "rows.db"))
        self._table = self._db["rows"]
        if not self._table.exists():
            self._table.create({"id": str, "text": str, "at": str, "speaker": str}, pk="id")
            self._table.enable_fts(["text"], create_triggers=True, tokenize="porter")

    def add(self, rows: Sequence[Row]) -> None:
        """Insert rows in one transaction."""
        self._table.insert_all(
            {"id": row.id, "text": row.text, "at": row.at, "speaker": row.speaker} for row in rows
        )

    def search(self, text: str, k: int) -> list[str]:
        """Search for any of the words, best bm25 first."""
        asked = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", text))
        return [found["id"] for found in self._table.search(asked, limit=k, columns=["id"])]

    def delete(self, id_: str) -> None:
        """Delete a row."""
        self._table.delete(id_)

    def ids(self) -> list[str]:
        """List the rows."""
        return [found["id"] for found in self._table.rows]

    def close(self) -> None:
        """Close the file."""
        self._db.close()
