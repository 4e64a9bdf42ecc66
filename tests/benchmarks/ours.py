"""The index under test, filled with made-up memories through its own API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from litemem.errors import LitememError
from litemem.files.state import FileState
from litemem.index.docs import Doc, Source
from litemem.index.filters import resolve
from litemem.index.schema import Fingerprint
from litemem.index.store import Index
from litemem.memory.search import Mode, Results, search
from litemem.memory.workspace import Embedders
from litemem.types import Profile, Scope, Vector
from tests.benchmarks.bare import sound
from tests.benchmarks.synthetic import DIMENSION, Batch, Corpus, Query

AT_ONCE = 1_000
FINGERPRINT = Fingerprint(model="given", dimension=DIMENSION, model_sha256="")
PROFILE = Profile(typical_unrelated=0.77, typical_related=0.84, query_centering=0.5)


class GivenVectors:
    """An embedder that knows the vectors of the queries: embedding isn't measured here."""

    name, dimension, sha256, profile = "given", DIMENSION, "", PROFILE

    def __init__(self, queries: Sequence[Query]) -> None:
        self._vectors: Mapping[str, Vector] = {one.text: Vector(one.vector) for one in queries}

    def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Not asked for."""
        raise NotImplementedError

    def embed_query(self, text: str) -> Vector:
        """Return the vector of a known query."""
        return self._vectors[text]


class Ours:
    """One open index."""

    def __init__(self, path: Path, queries: Sequence[Query]) -> None:
        self.index = Index.open(path, FINGERPRINT)
        embedder = GivenVectors(queries)
        self._embedders = Embedders(lambda: embedder)

    def load(self) -> None:
        """Load what the process keeps of the vectors, and wait for it."""
        with self.index.reading() as db:
            rows = resolve(db, Scope())
        if rows is not None:
            self.index.scanner.load(rows.parts)

    def search(self, query: Query, mode: Mode = "hybrid", scope: Scope | None = None) -> Results:
        """Search as `Memory.search` does."""
        scope = scope or Scope()
        return search(self.index, self._embedders, query.text, scope, mode=mode)


def fill(path: Path, corpus: Corpus) -> None:
    """Make the index file of a corpus."""
    with Index.open(path, FINGERPRINT) as index:
        for batch in corpus.batches():
            for start in range(0, len(batch.texts), AT_ONCE):
                _add(index, batch, range(start, min(start + AT_ONCE, len(batch.texts))))
        index.scrub()


def whole(path: Path, rows: int) -> bool:
    """Say whether a file is an index of this version with so many rows and vectors."""
    try:
        with Index.open(path, FINGERPRINT, create=False):
            return sound(path, rows)
    except LitememError:
        return False


def _add(index: Index, batch: Batch, places: range) -> None:
    source = Source(
        path=f"memory/{batch.first + places[0]}.md",
        user="default",
        state=FileState(size=0, mtime_ns=0, ctime_ns=0, inode=0),
        read_ns=0,
        lines=len(places),
        digests=b"",
    )
    docs = [
        Doc(
            kind="fact",
            id=f"m{(batch.first + place) * 2_654_435_761 % 2**36:09x}",
            line=place + 1,
            text=batch.texts[place],
            head="Ann (2023-05-08): ",
            speaker="Ann",
            at=datetime.fromtimestamp(batch.at[place] / 1e6, UTC),
            chat_id=batch.chats[place] or None,
            thread=batch.threads[place],
        )
        for place in places
    ]
    vectors = {i: Vector(batch.vectors[place].tobytes()) for i, place in enumerate(places)}
    index.extend_source(source, docs, vectors)
