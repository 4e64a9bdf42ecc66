"""Cases 23 to 25: without an embedder, and its first use."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

import litemem
from litemem import HashEmbedder
from litemem.errors import EmbedError
from litemem.memory.workspace import Embedders
from litemem.types import Embedder, Vector
from tests.cases.conftest import OpenStore

MODE = ("hybrid", "semantic")


async def test_without_a_model_the_words_of_the_same_query_are_searched(
    stores: OpenStore, home: Path
) -> None:
    """Case 23: no model: keyword search runs with the same query, user, chat and limit."""
    from litemem.aio.manager import MemoryManager

    store = stores(model="none")
    for user in ("ada", "bob"):
        for chat in ("c1", "c2", None):
            for n in range(4):
                await store.add_memory(f"tea {n} in {chat} of {user}", None, user, chat)
    manager = MemoryManager(store)

    found = await manager.search_memories("tea of ada", 5, "c1", "ada")

    assert found.note == "keyword only: this home has no embedding model"
    assert len(found) == 5
    assert {(hit["user_id"], hit["chat_id"]) for hit in found} <= {("ada", "c1"), ("ada", None)}
    await store.close()
    with litemem.open(home, user_id="ada") as memory:
        same = memory.search("tea of ada", 5, chat_id="c1", mode="keyword")
    assert [hit["id"] for hit in found] == [hit.id for hit in same]


def test_two_first_uses_start_the_model_once() -> None:
    """Case 24: two concurrent first uses start the model once."""
    started: list[Embedder] = []
    ready = threading.Barrier(8)

    def start() -> Embedder:
        time.sleep(0.05)
        started.append(HashEmbedder())
        return started[-1]

    embedders = Embedders(start)
    found: list[Embedder | None] = []

    def use() -> None:
        ready.wait()
        found.append(embedders.get())

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(started) == 1
    assert found == started * 8


async def test_two_concurrent_searches_of_a_new_store_open_one_home(stores: OpenStore) -> None:
    """Case 24: also where the home itself is opened by them."""
    store = stores()

    pages = await asyncio.gather(*(store.hybrid_search(None, "tea", "ada") for _ in range(8)))

    assert pages == [[]] * 8


class Late(HashEmbedder):
    """A model that isn't there yet."""

    is_there = False

    def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Embed, once it's there."""
        if not self.is_there:
            raise EmbedError("the model is not there yet")
        return super().embed_passages(texts)

    def embed_query(self, text: str) -> Vector | None:
        """Embed, once it's there."""
        if not self.is_there:
            raise EmbedError("the model is not there yet")
        return super().embed_query(text)


@pytest.mark.parametrize("is_reopened", [False, True])
def test_a_fact_written_without_an_embedder_gets_its_vector_later(
    home: Path, *, is_reopened: bool
) -> None:
    """Case 25: a fact written without an embedder is found by keyword; its vector comes later."""
    embedder = Late()
    memory = litemem.open(home, embedder=embedder)
    made = memory.remember("prefers green tea")

    found = memory.search("green tea")
    assert [hit.matched for hit in found] == [("keyword",)]
    assert found.note == "keyword only: the model is not there yet"

    if is_reopened:
        memory.close()
        memory = litemem.open(home, embedder=embedder)
    embedder.is_there = True
    (hit,) = memory.search("green tea")
    assert (hit.id, hit.matched) == (made.id, ("keyword", "vector"))
    assert (memory.stats().vectors, memory.stats().rows) == (1, 1)
    memory.close()


def test_a_home_without_a_model_gets_one(home: Path) -> None:
    """Case 25: a home made without any model has vectors once it's rebuilt with one."""
    with litemem.open(home, model="none") as memory:
        made = memory.remember("prefers green tea")
        memory.rebuild("hash")

        (hit,) = memory.search("green tea")
        assert (hit.id, hit.matched) == (made.id, ("keyword", "vector"))
        memory.rebuild("none")
        (hit,) = memory.search("green tea")
        assert (hit.id, hit.matched) == (made.id, ("keyword",))
