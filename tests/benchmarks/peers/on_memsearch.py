"""memsearch: a heading for each row in markdown files of a hundred, indexed by Milvus Lite."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

from memsearch import MemSearch
from memsearch import embeddings as providers

from tests.benchmarks.peers.rows import Given, Row, Traits

A_FILE = 100  # rows
HEADING = re.compile(r"^## (\S+)", re.MULTILINE)
T = TypeVar("T")


class Embedder:
    """Hands out the vectors that everybody got: a chunk is known by its heading."""

    model_name, batch_size = "given", 256
    dimension = 0
    given = Given()
    rows: dict[str, Row] = {}  # noqa: RUF012  # memsearch makes it without arguments

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """Return the vectors of chunks or of a question."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        named = HEADING.search(text)
        return self.rows[named[1]].floats if named else self.given.floats(text)


class Store:
    """A folder of markdown and its index."""

    def __init__(self, folder: Path, traits: Traits, given: Given) -> None:
        self._notes = folder / "notes"
        self._notes.mkdir(parents=True, exist_ok=True)
        Embedder.dimension, Embedder.given = traits.dimension, given
        providers._PROVIDERS["given"] = (__name__, "Embedder")
        self._index = MemSearch(
            [self._notes], embedding_provider="given", milvus_uri=str(folder / "milvus.db")
        )
        self._loop = asyncio.new_event_loop()
        self._files: dict[str, Path] = {}

    def add(self, rows: Sequence[Row]) -> None:
        """Append rows to the notes, and index the files that changed."""
        Embedder.rows |= {row.id: row for row in rows}
        changed = dict.fromkeys(self._append(row) for row in rows)
        for path in changed:
            self._wait(self._index.index_file(path))

    def search(self, text: str, k: int) -> list[str]:
        """Search both ways."""
        found = self._wait(self._index.search(text, top_k=k))
        return [id_ for one in found for id_ in HEADING.findall(one["content"])][:k]

    def delete(self, id_: str) -> None:
        """Take a row out of its file, and index that."""
        path = self._files[id_]
        kept = re.sub(rf"## {id_}\n.*?(?=## |\Z)", "", path.read_text("utf-8"), flags=re.DOTALL)
        path.write_text(kept, encoding="utf-8")
        self._wait(self._index.index_file(path))

    def ids(self) -> list[str]:
        """List the rows of the index."""
        return [
            id_ for one in self._index._store.query() for id_ in HEADING.findall(one["content"])
        ]

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def _append(self, row: Row) -> Path:
        path = self._notes / f"{len(self._files) // A_FILE:05}.md"
        self._files[row.id] = path
        text = " ".join(row.text.replace("#", " ").split())
        with path.open("a", encoding="utf-8") as out:
            out.write(f"## {row.id}\n\n{text}\n\n")
        return path

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(work)
