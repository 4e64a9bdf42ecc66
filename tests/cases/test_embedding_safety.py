"""Cases 12 to 14: an embedder that fails harms nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import litemem
from litemem import HashEmbedder
from litemem.aio.markdown import MarkdownIndexer, MarkdownMemoryStore
from litemem.aio.store import SQLiteMemoryStore
from litemem.embed.vectors import check_vector
from litemem.errors import EmbedError
from litemem.types import Vector
from tests.cases.conftest import OpenStore, meant


class Moody(HashEmbedder):
    """An embedder that fails while it's told to."""

    def __init__(self) -> None:
        super().__init__()
        self.fails = False

    def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Embed, or fail."""
        self._check()
        return super().embed_passages(texts)

    def embed_query(self, text: str) -> Vector | None:
        """Embed, or fail."""
        self._check()
        return super().embed_query(text)

    def _check(self) -> None:
        if self.fails:
            raise EmbedError("the model is out of order")


@pytest.fixture
def moody() -> Moody:
    """Return an embedder that works until it's told to fail."""
    return Moody()


@pytest.fixture
def store(stores: OpenStore, moody: Moody) -> SQLiteMemoryStore:
    """Return a store that embeds with it."""
    return stores(embedder=moody)


def log_of(home: Path) -> Path:
    """Return the log that the tests write by hand."""
    path = home / "memory" / "2026-01-01.md"
    path.parent.mkdir(exist_ok=True)
    return path


def test_a_failing_embedder_raises_and_yields_no_zero_vector(home: Path, moody: Moody) -> None:
    """Case 12: an embedder that fails raises; it never yields a zero vector."""
    with litemem.open(home, embedder=moody) as memory:
        moody.fails = True
        done = memory.remember("likes tea")
        with pytest.raises(EmbedError, match="out of order"):
            memory.embed_pending()

        assert done.warning is not None
        assert "out of order" in done.warning
        assert (memory.stats().vectors, memory.stats().rows) == (0, 1)
        moody.fails = False
        assert memory.embed_pending() == 1
        (vector,) = memory.space.index.cached_vectors([f"({memory.today()}): likes tea"]).values()
    assert check_vector([*memoryview(vector).cast("f")], 64) == vector


def test_a_text_without_tokens_has_no_vector(home: Path) -> None:
    """Case 12: what can't be embedded has no vector, not a zero one."""
    assert HashEmbedder().embed_passages(["", "\u200b"]) == [None, None]
    assert HashEmbedder().embed_query(" ") is None


async def test_a_failing_reindex_changes_nothing(
    store: SQLiteMemoryStore, moody: Moody, home: Path
) -> None:
    """Case 13: a failing embedder during re-index: nothing deleted or added, the file pending."""
    await store.add_memory("likes tea", None, "default")
    before = {row["id"] for row in await store.list_memories("default")}
    log_of(home).write_text("- likes cake\n", encoding="utf-8")
    markdown, indexer = MarkdownMemoryStore(home / "memory"), MarkdownIndexer()

    moody.fails = True
    failed = await indexer.reindex_from_markdown(markdown, store, moody, "default")
    assert (failed["total_files"], failed["errors"], failed["indexed"]) == (2, 1, 0)
    assert {row["id"] for row in await store.list_memories("default")} == before
    hits = await store.hybrid_search(meant("likes tea"), "tea", "default")
    assert [hit["content"] for hit in hits] == ["likes tea"]

    moody.fails = False
    done = await indexer.reindex_from_markdown(markdown, store, moody, "default")
    assert (done["errors"], done["indexed"], done["skipped"]) == (0, 1, 1)
    assert len(await store.list_memories("default")) == 2
    await markdown.close()


async def test_a_failing_rebuild_leaves_the_old_rows(
    store: SQLiteMemoryStore, moody: Moody, home: Path
) -> None:
    """Case 14: a full rebuild with a failing embedder: the old rows still answer, errors > 0."""
    await store.add_memory("likes tea", None, "default")
    markdown, indexer = MarkdownMemoryStore(home / "memory"), MarkdownIndexer()
    log_of(home).write_text("- likes cake\n", encoding="utf-8")

    moody.fails = True
    failed = await indexer.reindex_from_markdown(
        markdown, store, moody, "default", clear_existing=True
    )

    assert failed["errors"] > 0
    assert failed["indexed"] == 0
    hits = await store.semantic_search(meant("likes tea"), "default")
    assert [hit["content"] for hit in hits] == ["likes tea"]
    assert not [*home.glob("index.db.rebuild-*")]
    await markdown.close()


def test_a_failing_rebuild_of_a_memory_is_no_success(home: Path, moody: Moody) -> None:
    """Case 14: the rebuild raises, and everything is found as before."""
    with litemem.open(home, embedder=moody) as memory:
        memory.remember("likes tea")
        moody.fails = True
        memory.blocks.set("persona", "new words")

        with pytest.raises(EmbedError, match="out of order"):
            memory.rebuild()

        moody.fails = False
        assert [hit.matched for hit in memory.search("likes tea")] == [("keyword", "vector")]
