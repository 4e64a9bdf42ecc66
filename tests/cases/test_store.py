"""Cases 1 to 11: the store, its blocks and its search."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from litemem.aio.manager import MemoryManager
from litemem.aio.store import SQLiteMemoryStore
from litemem.errors import InvalidName, InvalidQuery, InvalidVector
from tests.cases.conftest import Clock, OpenStore, axis, meant
from tests.conftest import NOW

ODD = [
    "",
    '"',
    "c++",
    "a:b",
    "NEAR(",
    " OR ",
    "x AND NOT",
    "'; drop table doc; --",
    "100% _ *",
    "🦄",
    "冲浪",
    "x",
    "\0",
    "\ud800",
    "tea " * 10_000,
]


async def test_a_set_persona_is_read_back_and_set_again(store: SQLiteMemoryStore) -> None:
    """Case 1: set persona for user1, read it back; no user is unset; again: only the new text."""
    manager = MemoryManager(store)

    assert await manager.update_memory_block("persona", "Brief.", user_id="user1")
    assert (await manager.get_core_memory(user_id="user1"))["persona"] == "Brief."
    assert (await manager.get_core_memory())["persona"] == ""
    assert await manager.update_memory_block("persona", "Funny.", user_id="user1")
    assert (await manager.get_core_memory(user_id="user1"))["persona"] == "Funny."


async def test_a_memory_is_found_changed_and_deleted(store: SQLiteMemoryStore) -> None:
    """Case 2: add, find by meaning; update the text, the new one is found; delete, no hit."""
    id_ = await store.add_memory(
        "prefers green tea",
        meant("prefers green tea"),
        "ada",
        metadata={"from": "chat"},
        importance=0.8,
    )

    async def found(query: str) -> list[tuple[str, float]]:
        hits = await store.semantic_search(meant(query), "ada", floor=0.3)
        return [(hit["content"], hit["importance"]) for hit in hits]

    assert await found("green tea") == [("prefers green tea", 0.8)]
    assert await store.update_memory(id_, "prefers black coffee")
    assert await found("black coffee") == [("prefers black coffee", 0.8)]
    assert await found("green tea") == []
    assert await store.delete_memory(id_)
    assert await found("black coffee") == []


async def test_the_apple_is_found_first(store: SQLiteMemoryStore) -> None:
    """Case 3: of "apple is red" and "banana is yellow", the query apple finds apple first."""
    for text in ("banana is yellow", "apple is red"):
        await store.add_memory(text, None, "ada")

    manager = MemoryManager(store)
    for hits in (
        await store.hybrid_search(meant("apple"), "apple", "ada"),
        await manager.search_memories("apple", user_id="ada"),
    ):
        assert "apple" in hits[0]["content"]


async def test_each_search_counts_as_one_access(store: SQLiteMemoryStore) -> None:
    """Case 4: one search makes accesses 1, a second 2; the statistics follow."""
    tea = await store.add_memory("likes tea", None, "ada")
    await store.add_memory("owns a boat", None, "ada")

    async def counted() -> tuple[int, int, int, float]:
        stats = await store.get_memory_stats("ada")
        memory = await store.get_memory(tea, "ada")
        assert memory is not None
        return memory["access_count"], stats["used"], stats["cold"], stats["rate"]

    assert await counted() == (0, 0, 2, 0.0)
    await store.hybrid_search(None, "tea", "ada")
    assert await counted() == (1, 1, 1, 0.5)
    await MemoryManager(store).search_memories("tea", user_id="ada")
    assert (await counted())[:2] == (2, 1)
    await store.hybrid_search(None, "nothing of the kind", "ada")
    assert (await counted())[:2] == (2, 1)


MATRIX = [
    ({}, "G"),
    ({"user_id": "u1"}, "U"),
    ({"chat_id": "c1"}, "C"),
    ({"user_id": "u1", "chat_id": "c1"}, "UC"),
    ({"user_id": "u2"}, "G"),
    ({"user_id": "u1", "chat_id": "c2"}, "U"),
    ({"user_id": "u2", "chat_id": "c1"}, "C"),
]


@pytest.mark.parametrize(("scope", "text"), MATRIX)
async def test_a_block_is_the_one_of_the_narrowest_scope(
    store: SQLiteMemoryStore, scope: dict[str, str], text: str
) -> None:
    """Case 5: the scope matrix, seven lookups, through both lookup methods."""
    await store.set_memory_block("user", "G")
    await store.set_memory_block("user", "U", user_id="u1")
    await store.set_memory_block("user", "C", chat_id="c1")
    await store.set_memory_block("user", "UC", user_id="u1", chat_id="c1")

    assert await store.get_memory_block("user", **scope) == text
    assert (await store.get_all_memory_blocks(**scope))["user"] == text


async def test_of_eight_concurrent_sets_one_remains(stores: OpenStore) -> None:
    """Case 6: eight concurrent sets of one block leave one text, one of the eight."""
    texts = [f"text {n} " * 2_000 for n in range(8)]
    both = (stores(), stores())

    await asyncio.gather(
        *(
            both[n % 2].set_memory_block("persona", text, user_id="ada")
            for n, text in enumerate(texts)
        )
    )

    assert await both[0].get_memory_block("persona", user_id="ada") in texts


async def test_the_score_is_the_reference_s_formula(store: SQLiteMemoryStore, clock: Clock) -> None:
    """Case 7: 0.7 semantic + 0.3 keyword + 0.2 importance + 0.1 / (1 + days), to 1e-6."""
    facts = [
        ("alpha beta", axis(1.0), 0.9, 3.5),
        ("alpha alpha gamma", axis(0.6, 0.8), 0.1, 10.0),
        *((f"delta epsilon {n}", axis(0.0, 0.0, 1.0), 0.5, 0.0) for n in range(4)),
    ]
    for text, vector, importance, days in facts:
        clock.at = NOW - timedelta(days=days)
        await store.add_memory(text, vector, "ada", importance=importance)
    clock.at = NOW

    hits = await store.hybrid_search(axis(1.0), "alpha", "ada")

    mean = (2 + 3 + 4 * 3) / 6  # words a fact

    def bm25(times: int, length: int) -> float:
        return times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / mean))

    keyword = {"alpha beta": bm25(1, 2), "alpha alpha gamma": bm25(2, 3)}
    found = {hit["content"]: hit for hit in hits}
    for (text, _, importance, days), cosine in zip(facts[:3], (1.0, 0.6, 0.0), strict=True):
        expected = (
            0.7 * cosine
            + 0.3 * keyword.get(text, 0.0) / max(keyword.values())
            + 0.2 * importance
            + 0.1 / (1 + days)
        )
        assert found[text]["score"] == pytest.approx(expected, abs=1e-6)
        assert found[text]["similarity"] == pytest.approx(cosine, abs=1e-6)
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


async def test_an_unrelated_query_finds_nothing(store: SQLiteMemoryStore) -> None:
    """Case 8: an unrelated query with a floor has no hits."""
    await store.add_memory("likes tea", axis(1.0), "ada", importance=1.0)

    assert await store.hybrid_search(axis(0.0, 1.0), "zxqv", "ada", floor=0.5) == []
    assert await MemoryManager(store).search_memories("zxqv blorp", user_id="ada") == []


USERS = ["a b", "é", "'; drop table doc; --", "100%", "_", "%", "日本", "default users"]


@pytest.mark.parametrize("user", USERS)
async def test_special_strings_are_queries_and_users(store: SQLiteMemoryStore, user: str) -> None:
    """Case 9: special strings as query or user id never raise and never match another user."""
    await store.add_memory("tea for ada", None, "ada")
    await store.add_memory("tea for default", None, "default")

    for query in ODD:
        assert await store.hybrid_search(meant("tea"), query, user) == []
        assert await store.hybrid_search(None, query, user) == []
    await store.add_memory("tea for me", None, user)
    hits = await store.hybrid_search(meant("tea"), "tea", user)
    assert [hit["content"] for hit in hits] == ["tea for me"]


@pytest.mark.parametrize("user", ["", "..", "../default", "a/b", "a\0b", "Default", "users\\x"])
async def test_an_id_that_is_no_name_is_an_error(store: SQLiteMemoryStore, user: str) -> None:
    """Case 9: an id that can't be a folder's name is a clear error, never another user."""
    with pytest.raises(InvalidName, match="user id"):
        await store.hybrid_search(None, "tea", user)


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"limit": -1}, {"offset": -1}])
async def test_pages_that_can_t_be_are_errors(
    store: SQLiteMemoryStore, wrong: dict[str, int]
) -> None:
    """Case 10: limits below 1 are errors."""
    for search in (store.hybrid_search, store.semantic_search):
        arguments = (
            (meant("tea"), "tea", "ada") if search == store.hybrid_search else (meant("tea"), "ada")
        )
        with pytest.raises(InvalidQuery, match="must be at least"):
            await search(*arguments, **wrong)  # type: ignore[arg-type]


async def test_pages_are_disjoint(store: SQLiteMemoryStore) -> None:
    """Case 10: an offset with a query gives disjoint pages, all in the one order."""
    for n in range(23):
        await store.add_memory(f"tea number {n}", None, "ada")

    async def page(offset: int, limit: int) -> list[str]:
        found = await store.hybrid_search(
            meant("tea number 3"), "tea number 3", "ada", limit, offset=offset
        )
        return [hit["id"] for hit in found]

    whole = await page(0, 100)
    pages = [await page(offset, 5) for offset in range(0, 25, 5)]
    assert len(set(whole)) == 23
    assert [id_ for one in pages for id_ in one] == whole


WRONG = {"zero": axis(0.0), "NaN": axis(float("nan")), "short": [1.0], "long": [1.0] * 65}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("is_query", [False, True])
async def test_a_vector_that_is_none_is_refused(
    store: SQLiteMemoryStore, name: str, *, is_query: bool
) -> None:
    """Case 11: zero, NaN and wrong-length vectors are refused, stored and asked with."""
    asked = (
        store.hybrid_search(WRONG[name], "tea", "ada")
        if is_query
        else store.add_memory("likes tea", WRONG[name], "ada")
    )
    with pytest.raises(InvalidVector):
        await asked

    assert await store.get_memory_count("ada") == 0


async def test_without_an_embedder_words_find(stores: OpenStore) -> None:
    """Case 11: no embedder, keyword hits."""
    store = stores(model="none")
    await store.add_memory("likes tea", None, "ada")

    hits = await store.hybrid_search(None, "tea", "ada")

    assert [(hit["content"], hit["similarity"]) for hit in hits] == [("likes tea", None)]
    assert hits[0]["matched"] == ["keyword"]
