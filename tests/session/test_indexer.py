"""Transcripts in chunks of so many tokens: true lines, nothing twice, four counts."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.embed.hashing import HashEmbedder
from litemem.errors import EmbedError, FileTrouble, InvalidValue
from litemem.index.schema import Fingerprint
from litemem.index.store import Index
from litemem.session import TranscriptManager
from litemem.session.indexer import IndexedTranscript, TranscriptIndexer
from litemem.text.chunk import chunks
from litemem.types import Vector

EMBEDDER = HashEmbedder()


class Counting(HashEmbedder):
    """Counts the texts it embeds, and fails when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.texts, self.broken = 0, False

    def embed_passages(self, texts: object) -> list[Vector | None]:
        """Count, then embed."""
        given = list(texts)  # type: ignore[call-overload]
        if self.broken:
            raise EmbedError("out of order")
        self.texts += len(given)
        return super().embed_passages(given)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """Return an empty index in a home."""
    made = Fingerprint(
        model=EMBEDDER.name, dimension=EMBEDDER.dimension, model_sha256=EMBEDDER.sha256
    )
    return Index.open(tmp_path / "index.db", made)


@pytest.fixture
def transcripts(tmp_path: Path) -> TranscriptManager:
    """Return the transcripts of the same home."""
    return TranscriptManager(tmp_path / "transcripts")


def test_only_new_turns_are_embedded_and_the_counts_are_true(
    index: Index, transcripts: TranscriptManager
) -> None:
    embedder = Counting()
    indexer = TranscriptIndexer(chunk_size=20, chunk_overlap=5)
    path = transcripts.base_dir / "s1.jsonl"
    transcripts.append_turn("s1", "user", "short")
    transcripts.append_turn("s1", "assistant", " ".join(f"word{n}" for n in range(60)))

    first = indexer.index_transcript(path, "s1", index, embedder, "default")
    before = embedder.texts
    again = indexer.index_transcript(path, "s1", index, embedder, "default")
    transcripts.append_turn("s1", "user", "one more")
    more = indexer.index_transcript(path, "s1", index, embedder, "default")

    assert first.total_turns == 2
    assert first.total_chunks == first.indexed > 3
    assert again == first
    assert (before, embedder.texts) == (first.total_chunks, first.total_chunks + 1)
    assert (more.total_turns, more.errors) == (3, 0)
    assert index.progress() == (more.total_chunks, more.total_chunks)


def test_a_failing_embedder_and_a_bad_line_are_errors(
    index: Index, transcripts: TranscriptManager
) -> None:
    embedder = Counting()
    embedder.broken = True
    transcripts.append_turn("s1", "user", "likes tea")
    path = transcripts.base_dir / "s1.jsonl"
    with path.open("ab") as file:
        file.write(b"{torn\n")

    failed = TranscriptIndexer().index_transcript(path, "s1", index, embedder, "default")
    embedder.broken = False
    healed = TranscriptIndexer().index_transcript(path, "s1", index, embedder, "default")

    assert failed == IndexedTranscript(total_turns=1, total_chunks=1, indexed=0, errors=2)
    assert healed == IndexedTranscript(total_turns=1, total_chunks=1, indexed=1, errors=1)


def test_a_missing_or_foreign_transcript_is_refused(
    index: Index, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    elsewhere = tmp_path_factory.mktemp("other") / "s.jsonl"
    elsewhere.touch()

    with pytest.raises(FileTrouble, match="there is no transcript"):
        TranscriptIndexer().index_transcript(tmp_path / "no.jsonl", "s", index, EMBEDDER, "u")
    with pytest.raises(InvalidValue, match="is not below"):
        TranscriptIndexer().index_transcript(elsewhere, "s", index, EMBEDDER, "u")


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (10, 10), (10, -1)])
def test_impossible_sizes_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(InvalidValue, match="chunk_size must be at least 1"):
        TranscriptIndexer(size, overlap)


@given(st.text(max_size=400), st.integers(1, 30), st.integers(0, 29))
def test_no_chunk_has_too_many_tokens_or_only_repeats(text: str, size: int, overlap: int) -> None:
    found = chunks(
        text,
        words=size,
        overlap=min(overlap, size - 1),
        max_tokens=size,
        count_tokens=EMBEDDER.count_tokens,
    )

    assert all(EMBEDDER.count_tokens(c.text) <= size or len(c.text) == 1 for c in found)
    assert all(later.end > earlier.end for earlier, later in pairwise(found))
