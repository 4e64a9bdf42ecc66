from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import litemem
from litemem.aio.shapes import MemoryRow
from litemem.aio.store import SQLiteMemoryStore
from litemem.errors import (
    Closed,
    EmbedError,
    InvalidBlock,
    InvalidFact,
    InvalidValue,
    InvalidVector,
)
from litemem.memory.memory import Memory
from tests.aio.conftest import Clock, OpenStore


def spike(at: int, size: int = 64) -> list[float]:
    return [float(place == at) for place in range(size)]


async def test_what_is_added_is_in_the_files_and_found(
    store: SQLiteMemoryStore, home: Path
) -> None:
    id_ = await store.add_memory(
        "Lives in Lisbon", None, "ada", "c1", {"from": "chat"}, importance=0.8
    )
    found = await store.hybrid_search(None, "lisbon", "ada", chat_id="c1")

    assert "Lives in Lisbon" in (home / "users/ada/memory/2026-02-08.md").read_text()
    row: MemoryRow = found[0]
    assert (row["id"], row["content"], row["importance"]) == (id_, "Lives in Lisbon", 0.8)
    assert (row["metadata"], row["chat_id"], row["user_id"]) == ({"from": "chat"}, "c1", "ada")
    assert row["created_at"] == "2026-02-08T14:05:12Z"
    assert row["source"]["path"] == "users/ada/memory/2026-02-08.md"


async def test_a_block_set_on_the_store_is_a_file(store: SQLiteMemoryStore, home: Path) -> None:
    assert await store.set_memory_block("persona", "Be brief.", user_id="ada") is True
    assert (home / "users/ada/memory/persona.md").read_text() == "Be brief."
    assert await store.get_memory_block("persona", user_id="ada") == "Be brief."
    assert (await store.get_all_memory_blocks(user_id="bob"))["persona"] == ""
    with pytest.raises(InvalidBlock):
        await store.set_memory_block("mood", "x")
    with pytest.raises(InvalidBlock):
        await store.set_memory_block("persona", 3, user_id="ada")  # type: ignore[arg-type]
    assert await store.get_memory_block("persona", user_id="ada") == "Be brief."


async def test_a_callers_vector_is_searched_by(store: SQLiteMemoryStore) -> None:
    await store.add_memory("one", spike(1), "ada")
    await store.add_memory("two", spike(2), "ada")
    found = await store.semantic_search(spike(2), "ada")

    assert [(row["content"], row["similarity"]) for row in found] == [("two", 1.0), ("one", 0.0)]
    assert [row["score"] for row in found] == pytest.approx([1.0, 0.0])
    assert [row["content"] for row in await store.semantic_search(spike(2), "ada", floor=0.5)] == [
        "two"
    ]


@pytest.mark.parametrize("wrong", [[0.0] * 64, [1.0] * 63, [float("nan")] * 64, ["x"]])
async def test_a_vector_that_is_none_is_refused(
    store: SQLiteMemoryStore, home: Path, wrong: list[float]
) -> None:
    with pytest.raises(InvalidVector):
        await store.add_memory("one", wrong, "ada")
    with pytest.raises(InvalidVector):
        await store.hybrid_search(wrong, "one", "ada")

    assert not [*home.rglob("2026*.md")]


async def test_a_changed_text_is_a_new_line_under_the_old_id(
    store: SQLiteMemoryStore, clock: Clock, home: Path
) -> None:
    id_ = await store.add_memory("Works at Google", None, "ada", metadata={"a": 1}, importance=0.9)

    assert await store.update_memory(id_, "Works at Microsoft") is True
    now = await store.get_memory(id_)
    assert now is not None
    assert (now["content"], now["replaces"]) == ("Works at Microsoft", id_)
    assert (now["importance"], now["metadata"]) == (0.9, {"a": 1})
    text = (home / "users/ada/memory/2026-02-08.md").read_text()
    assert "Works at Google" in text
    assert [row["content"] for row in await store.list_memories("ada")] == ["Works at Microsoft"]


async def test_metadata_importance_and_tags_change_in_place(store: SQLiteMemoryStore) -> None:
    id_ = await store.add_memory("Likes tea", None, "ada")

    assert await store.update_memory(id_, metadata={"b": 2}, importance=0.7, tags=["food"]) is True
    now = await store.get_memory(id_, "ada")
    assert now is not None
    assert (now["id"], now["metadata"], now["importance"]) == (id_, {"b": 2}, 0.7)
    assert now["tags"] == ["food"]
    with pytest.raises(InvalidFact):
        await store.update_memory(id_, importance=1.5)
    with pytest.raises(InvalidFact):
        await store.update_memory(id_, metadata={"b": float("nan")})
    with pytest.raises(InvalidValue, match="new content"):
        await store.update_memory(id_, embedding=spike(1))


async def test_unknown_ids_are_said_to_be_unknown(store: SQLiteMemoryStore) -> None:
    id_ = await store.add_memory("Likes tea", None, "ada")

    assert await store.get_memory("m000000000") is None
    assert await store.get_memory(id_, "bob") is None
    assert await store.update_memory("m000000000", "x") is False
    assert await store.delete_memory("m000000000") is False
    assert await store.delete_memory(id_, "bob") is False
    assert await store.get_memory(id_) is not None


async def test_an_id_of_two_users_needs_the_user(store: SQLiteMemoryStore, home: Path) -> None:
    line = '# 2026-02-08\n\n- tea <!-- {"id":"m7q2k9x4c1","at":"2026-02-08T14:05:12Z"} -->\n'
    for user in ("ada", "bob"):
        (home / f"users/{user}/memory").mkdir(parents=True)
        (home / f"users/{user}/memory/2026-02-08.md").write_text(line)
        await store.list_memories(user)

    with pytest.raises(InvalidValue, match="name the user"):
        await store.get_memory("m7q2k9x4c1")
    assert await store.delete_memory("m7q2k9x4c1", "ada") is True
    assert await store.get_memory("m7q2k9x4c1", "bob") is not None


async def test_lists_and_counts_follow(store: SQLiteMemoryStore, clock: Clock) -> None:
    for number, (chat, importance) in enumerate([("c1", 0.2), ("c2", 0.9), ("c1", 0.5)]):
        clock.at = clock.at.replace(hour=number)
        await store.add_memory(f"fact {number}", None, "ada", chat, importance=importance)

    listed = await store.list_memories("ada", order_by="importance", limit=2)
    assert [row["content"] for row in listed] == ["fact 1", "fact 2"]
    assert [row["content"] for row in await store.list_memories("ada", offset=1, limit=1)] == [
        "fact 1"
    ]
    assert await store.get_memory_count("ada") == 3
    assert await store.get_memory_count("ada", "c1") == 2
    assert (await store.get_memory_stats("ada"))["by_category"] == {"general": 3}


async def test_another_dimension_than_the_models_says_what_to_do(stores: OpenStore) -> None:
    store = stores(embedding_dim=768)

    with pytest.raises(InvalidValue, match=r"have 64 numbers.*not 768: leave embedding_dim out"):
        await store.connect()
    await stores(embedding_dim=64).connect()


async def test_a_closed_store_says_so_and_closes_twice(store: SQLiteMemoryStore) -> None:
    await store.add_memory("one", None, "ada")
    await store.close()
    await store.close()

    with pytest.raises(Closed):
        await store.add_memory("two", None, "ada")
    with pytest.raises(Closed):
        await store.hybrid_search(None, "one", "ada")


async def test_closing_finishes_what_was_asked(stores: OpenStore, home: Path) -> None:
    store = stores()
    adding = [asyncio.ensure_future(store.add_memory(f"fact {n}", None, "ada")) for n in range(20)]
    await asyncio.sleep(0)
    await store.close()
    ids = await asyncio.gather(*adding)

    with litemem.open(home, user_id="ada") as memory:
        assert {fact.id for fact in memory.list()} == set(ids)


async def test_a_cancelled_add_is_whole_or_not_there(stores: OpenStore, home: Path) -> None:
    store = stores()
    await store.connect()
    adding = [asyncio.ensure_future(store.add_memory(f"fact {n}", None, "ada")) for n in range(50)]
    await asyncio.sleep(0.02)
    for task in adding:
        task.cancel()
    done = await asyncio.gather(*adding, return_exceptions=True)
    await store.close()

    with litemem.open(home, user_id="ada") as memory:
        kept = {fact.id for fact in memory.list()}
        assert {id_ for id_ in done if isinstance(id_, str)} <= kept
        assert len({fact.content for fact in memory.list()}) == len(kept)
        assert memory.doctor().problems == ()


async def test_use_is_counted_once_a_search(store: SQLiteMemoryStore) -> None:
    id_ = await store.add_memory("apple is red", None, "ada")
    await store.add_memory("banana is yellow", None, "ada")
    for _ in range(2):
        await store.hybrid_search(None, "apple", "ada")
    stats = await store.get_memory_stats("ada")
    found = await store.get_memory(id_)

    assert found is not None
    assert found["access_count"] == 2
    assert (stats["used"], stats["cold"], stats["rate"]) == (1, 1, 0.5)


async def test_two_first_uses_open_the_home_once(stores: OpenStore) -> None:
    store, starts = stores(), list[int]()
    start = store.home._start

    def counted() -> Memory:
        starts.append(1)
        return start()

    store.home._start = counted
    await asyncio.gather(*(store.hybrid_search(None, "x", f"user{n}") for n in range(8)))

    assert starts == [1]


async def test_two_stores_on_one_home_lose_and_double_nothing(stores: OpenStore) -> None:
    first, second = stores(), stores()
    ids = await asyncio.gather(
        *(one.add_memory(f"fact {n}", None, "ada") for n in range(20) for one in (first, second))
    )

    assert len(set(ids)) == 20
    assert await first.get_memory_count("ada") == await second.get_memory_count("ada") == 20


async def test_the_store_expects_what_its_manager_says(stores: OpenStore) -> None:
    store = stores(model=None)
    store.expect(model="hash", dimension=64)
    await store.connect()

    store.expect(model="hash", dimension=64)
    with pytest.raises(InvalidValue, match="embedding_model"):
        store.expect(model="fast")
    with pytest.raises(InvalidValue, match="embedding_dimension"):
        store.expect(dimension=384)


async def test_the_model_may_be_loaded_beforehand(stores: OpenStore) -> None:
    await stores().warm_up()
    with pytest.raises(EmbedError, match="no embedding model"):
        await stores(uri=stores().folder.root / "other", model="none").warm_up()


async def test_a_store_is_a_context_manager(stores: OpenStore) -> None:
    async with stores() as store:
        assert store.home.core is not None
    assert store.home.core is None


async def test_a_use_that_cant_be_counted_is_logged(
    store: SQLiteMemoryStore, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: object) -> None:
        raise OSError("no room")

    store.home.later(fail)
    await store.connect()
    await store.close()
    store.home.later(fail)

    assert caplog.messages == ["work in the background failed: no room"]


async def test_a_store_that_was_never_open_closes(stores: OpenStore, home: Path) -> None:
    store = stores()
    await store.close()

    assert not home.exists()
    with pytest.raises(Closed):
        await store.connect()
