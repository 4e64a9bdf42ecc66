from __future__ import annotations

import json

import pytest

from litemem.aio.manager import MemoryManager
from litemem.aio.store import SQLiteMemoryStore
from litemem.errors import InvalidValue, UndoRefused, UnknownFact
from tests.aio.conftest import Clock
from tests.aio.llms import REFUSED, Failing, Scripted


async def said(store: SQLiteMemoryStore, clock: Clock) -> list[str]:
    ids = []
    for day, text in enumerate(["Works at Google", "Works at Microsoft"], start=9):
        clock.at = clock.at.replace(day=day)
        ids.append(await store.add_memory(text, None, "ada"))
    return ids


def decided(verdict: str) -> str:
    return json.dumps({"decisions": [{"proposal": 1, "decision": verdict}]})


async def test_nothing_changes_until_it_is_told(store: SQLiteMemoryStore, clock: Clock) -> None:
    manager, ids = MemoryManager(store), await said(store, clock)
    found = await manager.consolidate("ada")

    assert [set(one.ids) for one in found.proposals] == [set(ids)]
    assert found.applied is None
    assert await store.get_memory_count("ada") == 2


async def test_what_is_applied_can_be_undone(store: SQLiteMemoryStore, clock: Clock) -> None:
    manager, ids = MemoryManager(store), await said(store, clock)
    done = await manager.consolidate("ada", apply=True)

    assert done.applied is not None
    (now,) = await store.list_memories("ada")
    assert "Microsoft" in now["content"]
    assert "Google" in now["content"]
    assert "2026-02-10" in now["content"]
    undone = await manager.undo("ada")
    assert undone.step == done.applied.step
    assert {row["id"] for row in await store.list_memories("ada")} == set(ids)
    with pytest.raises(UnknownFact):
        await manager.undo("ada")


async def test_a_step_that_was_built_upon_stays(store: SQLiteMemoryStore, clock: Clock) -> None:
    manager = MemoryManager(store)
    await said(store, clock)
    done = await manager.consolidate("ada", apply=True)
    assert done.applied is not None
    await store.update_memory(done.applied.written[0].id, "Works at Apple")

    with pytest.raises(UndoRefused):
        await manager.undo("ada")


async def test_a_model_decides_in_one_question(store: SQLiteMemoryStore, clock: Clock) -> None:
    llm = Scripted([decided("apply")])
    manager = MemoryManager(store, llm_for_extraction=llm)
    await said(store, clock)
    done = await manager.consolidate("ada", by_model=True)

    assert len(llm.asked) == 1
    assert "Works at Google" in llm.asked[0][0]
    assert done.applied is not None
    assert len(done.applied.written) == 1
    assert await store.get_memory_count("ada") == 1
    assert (await manager.consolidate("ada", by_model=True)).proposals == ()
    assert len(llm.asked) == 1


async def test_what_a_model_refuses_doesnt_come_again(
    store: SQLiteMemoryStore, clock: Clock
) -> None:
    manager = MemoryManager(store, llm_for_extraction=Scripted([decided("skip")]))
    await said(store, clock)
    done = await manager.consolidate("ada", by_model=True)

    assert len(done.refused) == 1
    assert await store.get_memory_count("ada") == 2
    assert (await manager.consolidate("ada", everything=True)).proposals == ()


@pytest.mark.parametrize("answer", ["yes to all", "[]", decided("maybe")])
async def test_an_unclear_answer_changes_nothing_and_is_said(
    store: SQLiteMemoryStore, clock: Clock, answer: str
) -> None:
    manager = MemoryManager(store, llm_for_extraction=Scripted([answer]))
    await said(store, clock)
    done = await manager.consolidate("ada", by_model=True)

    assert done.errors
    assert await store.get_memory_count("ada") == 2
    assert len((await manager.consolidate("ada")).proposals) == 1


async def test_a_failing_model_changes_nothing(store: SQLiteMemoryStore, clock: Clock) -> None:
    manager = MemoryManager(store, llm_for_extraction=Failing(REFUSED))
    await said(store, clock)
    done = await manager.consolidate("ada", by_model=True)

    assert done.errors == (str(REFUSED),)
    assert done.applied is None
    with pytest.raises(InvalidValue, match="llm_for_extraction"):
        await MemoryManager(store).consolidate("ada", by_model=True)
