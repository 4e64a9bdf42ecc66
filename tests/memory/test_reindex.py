from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from litemem import HashEmbedder
from litemem.errors import EmbedError, InvalidValue
from litemem.memory.memory import Memory
from litemem.memory.reindex import reindex
from litemem.types import Vector
from tests.conftest import OpenMemory

LINE = '- tea <!-- {"id":"m7q2k9x4c1","at":"2026-02-07T14:05:12Z"} -->\n'


class Broken(HashEmbedder):
    """An embedder whose model is gone."""

    def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
        raise EmbedError("the model is gone")


class Counting(HashEmbedder):
    """An embedder that tells what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
        self.given += texts
        return super().embed_passages(texts)


def write(home: Path, name: str, text: str) -> None:
    (home / "memory").mkdir(exist_ok=True)
    (home / "memory" / name).write_text(text)


def rows(memory: Memory) -> list[str]:
    return [hit.content for hit in memory.search("tea coffee", mode="keyword")]


def test_a_reindex_reads_what_changed_and_is_a_fixed_point(memory: Memory, home: Path) -> None:
    memory.remember("coffee")
    write(home, "2026-02-07.md", LINE)
    first = reindex(memory.space, "default")
    second = reindex(memory.space, "default")

    assert (first.total_files, first.total_facts, first.indexed, first.skipped) == (2, 2, 1, 1)
    assert (second.total_files, second.total_facts, second.indexed, second.skipped) == (2, 2, 0, 2)
    assert first.success
    assert memory.get("m7q2k9x4c1").fact.content == "tea"


def test_only_new_texts_are_embedded(memory: Memory, home: Path) -> None:
    embedder = Counting()
    write(home, "2026-02-07.md", LINE)
    reindex(memory.space, "default", embedder)
    write(home, "2026-02-07.md", LINE + "- coffee\n")
    reindex(memory.space, "default", embedder)

    assert embedder.given == ["(2026-02-07): tea", "(2026-02-07): coffee"]


@pytest.mark.parametrize("clear", [False, True])
def test_a_failing_embedder_changes_nothing(memory: Memory, home: Path, *, clear: bool) -> None:
    memory.remember("coffee")
    write(home, "2026-02-07.md", LINE)
    failed = reindex(memory.space, "default", Broken(), clear=clear)

    assert not failed.success
    assert failed.errors >= 1
    assert failed.trouble == "the model is gone"
    assert rows(memory) == ["coffee"]
    assert any("isn't current" in note for note in memory.doctor().notes)
    assert reindex(memory.space, "default").indexed == 1
    assert sorted(rows(memory)) == ["coffee", "tea"]


def test_a_rebuild_counts_all_facts_as_indexed(memory: Memory, home: Path) -> None:
    memory.remember("coffee")
    write(home, "2026-02-07.md", LINE)
    done = reindex(memory.space, "default", clear=True)

    assert (done.total_files, done.total_facts, done.indexed, done.errors) == (2, 2, 2, 0)


def test_vectors_of_another_model_are_never_mixed_in(memory: Memory) -> None:
    with pytest.raises(InvalidValue, match="vectors of two models don't compare"):
        reindex(memory.space, "default", HashEmbedder(dimension=128))


def test_without_a_model_words_are_indexed(opened: OpenMemory, home: Path) -> None:
    memory = opened(model="none")
    write(home, "2026-02-07.md", LINE)

    assert reindex(memory.space, "default").indexed == 1
    assert reindex(memory.space, "default", clear=True).errors == 0
    assert rows(memory) == ["tea"]


def test_removed_and_changed_files_are_followed(memory: Memory, home: Path) -> None:
    write(home, "2026-02-06.md", "- a\n- b\n")
    write(home, "2026-02-07.md", LINE)
    reindex(memory.space, "default")
    (home / "memory/2026-02-06.md").unlink()
    write(home, "2026-02-07.md", LINE + "- coffee\n")
    done = reindex(memory.space, "default")

    assert (done.total_files, done.total_facts, done.indexed, done.skipped) == (1, 2, 1, 1)


def test_a_file_that_cant_be_read_is_an_error(memory: Memory, home: Path) -> None:
    write(home, "2026-02-07.md", LINE)
    (home / "memory/2026-02-06.md").mkdir()
    done = reindex(memory.space, "default")

    assert (done.indexed, done.errors, done.success) == (1, 1, False)
    assert "2026-02-06.md" in (done.trouble or "")


def test_rows_that_wait_for_a_vector_get_it(opened: OpenMemory, home: Path) -> None:
    memory = opened(embedder=Broken())
    memory.remember("coffee")
    with pytest.raises(EmbedError):
        memory.embed_pending()
    done = reindex(memory.space, "default", HashEmbedder())

    assert (done.indexed, done.skipped) == (1, 0)
    assert memory.space.index.pending(1) == []
