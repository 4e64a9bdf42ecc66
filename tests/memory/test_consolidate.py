"""Consolidation: proposed, written as one step, re-checked, undone from the files alone."""

from __future__ import annotations

import json
import os
import random
import signal
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import litemem
from litemem.embed.hashing import HashEmbedder
from litemem.errors import EmbedError, InvalidFact, UndoRefused, UnknownFact
from litemem.memory.consolidate import apply, plan
from litemem.memory.memory import Memory
from litemem.memory.new import NewFact
from litemem.types import Fact, Vector
from tests.conftest import NOW, OpenMemory

NAMES = ("User goes by Alex.", "The user is called Alex", "Name is Alex")


def tell(memory: Memory, *texts: str, first_day: int = 30, **more: object) -> list[str]:
    """Remember texts, one a day, and return their ids."""
    return [
        memory.remember(
            text,
            created_at=NOW - timedelta(days=first_day - day),
            **more,  # type: ignore[arg-type]
        ).id
        for day, text in enumerate(texts)
    ]


def current(memory: Memory) -> list[Fact]:
    return memory.list()


def test_without_apply_nothing_changes(memory: Memory) -> None:
    tell(memory, *NAMES)
    before = {path: path.read_bytes() for path in memory.home.rglob("*.md")}

    found = memory.consolidate()

    assert [one.kind for one in found.plan.proposals] == ["merge"]
    assert found.applied is None
    assert {path: path.read_bytes() for path in memory.home.rglob("*.md")} == before
    assert not (memory.home / "consolidation.json").exists()
    assert len(memory.consolidate().plan.proposals) == 1


def test_a_merge_keeps_one_text_and_all_else_of_its_facts(memory: Memory) -> None:
    ids = [
        memory.remember(text, importance=0.2 + day / 10, tags=[f"t{day}"]).id
        for day, text in enumerate(NAMES)
    ]
    memory.remember(NAMES[0])

    applied = memory.consolidate(apply=True).applied

    assert applied
    assert applied.step
    (fact,) = current(memory)
    assert fact.content in NAMES
    assert set(fact.parents) == set(ids)
    assert (fact.importance, set(fact.tags)) == (0.4, {"t0", "t1", "t2"})
    assert fact.seen
    assert fact.seen.n == 3
    assert fact.metadata == {"consolidation": applied.step}
    assert [old.id for old in memory.get(ids[0]).history][-1] == fact.id
    assert memory.search("Alex").hits[0].id == fact.id


def test_a_newer_value_replaces_an_older_one_with_dates(memory: Memory) -> None:
    tell(memory, "Works at Google", "Works at Microsoft")

    memory.consolidate(apply=True)

    (fact,) = current(memory)
    assert fact.content == (
        "Currently: Works at Microsoft, since 2026-01-10; "
        "before: Works at Google (until 2026-01-10)"
    )
    assert fact.created_at == NOW - timedelta(days=29)
    assert memory.consolidate(everything=True).plan.proposals == ()


def test_an_applied_step_is_one_write_to_the_log_of_today(memory: Memory) -> None:
    tell(memory, *NAMES, "Works at Google", "Works at Microsoft", "lives in Rome", "moved to Oslo")
    before = {path: path.read_bytes() for path in memory.home.rglob("*.md")}

    memory.consolidate(apply=True)

    after = {path: path.read_bytes() for path in memory.home.rglob("*.md")}
    (today,) = after.keys() - before.keys()
    assert today.name == "2026-02-08.md"
    assert today.read_text(encoding="utf-8").count("## ") == 1
    assert all(after[path] == text for path, text in before.items())


def test_chats_speakers_and_users_are_kept_apart(memory: Memory) -> None:
    tell(memory, "likes tea")
    tell(memory, "I like tea", chat_id="c1")
    tell(memory, "enjoys tea", speaker="Ann")
    tell(memory, "loves tea", metadata={"n": 1})
    tell(memory.for_user("ann"), "really likes tea")

    assert memory.consolidate().plan.proposals == ()


def test_without_a_model_only_word_for_word_counts(opened: OpenMemory) -> None:
    memory = opened(model="none")
    tell(memory, *NAMES, "likes tea", "likes tea with milk", "is 34", "turned 35")

    proposals = memory.consolidate(apply=True).plan.proposals

    assert [(one.kind, len(one.ids), one.cosine) for one in proposals] == [
        ("replace", 2, None),
        ("merge", 3, None),
    ]


def test_undo_makes_the_originals_current_again(memory: Memory) -> None:
    tell(memory, *NAMES, "Works at Google", "Works at Microsoft")
    before = current(memory)
    applied = memory.consolidate(apply=True).applied

    undone = memory.undo()

    assert applied
    assert undone.step == applied.step
    assert current(memory) == before
    assert set(undone.restored) == {fact.id for fact in before}
    assert memory.steps() == ()
    assert memory.consolidate(everything=True).plan.proposals == ()


def test_the_latest_step_is_undone_first_and_an_earlier_one_where_it_can(memory: Memory) -> None:
    tell(memory, "Works at Google", "Works at Microsoft")
    first = memory.consolidate(apply=True).applied
    tell(memory, "works at Apple", first_day=5)
    second = memory.consolidate(apply=True).applied

    assert first
    assert second
    assert [step.name for step in memory.steps()] == [second.step, first.step]
    with pytest.raises(UndoRefused, match=f"was replaced by {second.written[0].id}"):
        memory.undo(first.step)
    assert memory.undo().step == second.step
    assert memory.undo().step == first.step
    with pytest.raises(UnknownFact, match="no consolidation to undo"):
        memory.undo()
    with pytest.raises(UnknownFact, match="no consolidation step 'x'"):
        memory.undo("x")


def test_undo_refuses_where_a_text_would_be_lost(memory: Memory, home: Path) -> None:
    ids = tell(memory, *NAMES)
    applied = memory.consolidate(apply=True).applied
    assert applied
    log = home / "memory" / f"{NOW - timedelta(days=30):%Y-%m-%d}.md"
    whole = log.read_text(encoding="utf-8")
    log.write_text("", encoding="utf-8")

    with pytest.raises(UndoRefused, match=f"{ids[0]} is gone"):
        memory.undo()
    log.write_text(whole, encoding="utf-8")
    today = home / "memory" / "2026-02-08.md"
    text = today.read_text(encoding="utf-8")
    today.write_text(text.replace("- Name is", "- First name is"), encoding="utf-8")
    with pytest.raises(UndoRefused, match=r"was changed by hand since: .litemem forget --only"):
        memory.undo()
    today.write_text(text, encoding="utf-8")
    assert len(memory.undo().restored) == 3


def test_what_was_changed_of_a_merge_survives_its_undo(memory: Memory) -> None:
    *_, newest = tell(memory, *NAMES)
    memory.consolidate(apply=True)
    memory.update(newest, importance=0.9, tags=["me"])
    memory.remember(NAMES[-1])

    memory.undo()

    fact = memory.get(newest).fact
    assert (fact.id, fact.importance, fact.tags) == (newest, 0.9, ("me",))
    assert fact.seen
    assert fact.seen.n == 1


def test_a_fact_that_changed_since_the_plan_is_left_out(memory: Memory) -> None:
    ids = tell(memory, *NAMES)
    rome, oslo = tell(memory, "lives in Rome", "moved to Oslo")
    space = memory._space
    found = plan(space, "default")
    memory.remember("moved to Bergen", replaces=oslo)

    applied = apply(space, "default", found.proposals, of=found)

    assert [one.reason for one in applied.left_out] == [f"{oslo} was changed or forgotten"]
    assert [set(fact.parents) for fact in applied.written] == [set(ids)]
    assert memory.get(rome).fact.id == rome
    assert not json.loads((memory.home / "consolidation.json").read_text())["logs"]


def test_a_fact_that_was_forgotten_since_the_plan_does_not_come_back(memory: Memory) -> None:
    ids = tell(memory, *NAMES)
    space = memory._space
    found = plan(space, "default")
    memory.forget(*ids)

    applied = apply(space, "default", found.proposals, of=found)

    assert applied.step is None
    assert len(applied.left_out) == 1
    assert not any(b"Alex" in path.read_bytes() for path in memory.home.rglob("*.md"))


def test_a_fact_is_put_together_once_a_step(memory: Memory) -> None:
    tell(memory, *NAMES)
    space = memory._space
    (one,) = plan(space, "default").proposals

    applied = apply(space, "default", [one, one])

    assert len(applied.written) == 1
    assert "in another proposal too" in applied.left_out[0].reason


def test_a_merge_can_invent_no_text(memory: Memory) -> None:
    tell(memory, *NAMES)
    space = memory._space
    (one,) = plan(space, "default").proposals

    for wrong in (replace(one, content="is Bob"), replace(one, facts=one.facts[:1])):
        with pytest.raises(InvalidFact):
            apply(space, "default", [wrong])


def test_what_was_refused_comes_no_more_and_the_rest_is_not_compared_again(memory: Memory) -> None:
    tell(memory, *NAMES, "lives in Rome", "moved to Oslo")
    space = memory._space
    found = plan(space, "default")
    replaced, merged = found.proposals

    apply(space, "default", [merged], of=found, refused=[replaced])

    again = plan(space, "default")
    assert again.proposals == ()
    assert again.fresh < again.facts
    assert plan(space, "default", everything=True).proposals == ()


def test_a_new_fact_is_compared_with_all_old_ones(memory: Memory) -> None:
    tell(memory, "Name is Alex", "likes chess")
    memory.consolidate(apply=True)
    assert memory.consolidate().plan.fresh == 0
    tell(memory, "The user is called Alex", first_day=12)

    found = memory.consolidate().plan

    assert found.fresh == 1
    assert len(found.proposals) == 1


@pytest.mark.parametrize(
    "damage", ["", "[]", "{", '{"version": 2}', '{"version":1,"logs":[],"refused":[],"model":"x"}',
               '{"version":1,"logs":{},"refused":[[1]],"model":"x"}']
)  # fmt: skip
def test_a_damaged_watermark_costs_only_work(memory: Memory, damage: str) -> None:
    tell(memory, *NAMES)
    (memory.home / "consolidation.json").write_text(damage)

    found = memory.consolidate(apply=True)

    assert found.plan.note
    assert found.plan.fresh == found.plan.facts == 3
    assert memory.consolidate().plan.note is None


def test_a_hand_written_fact_gets_its_id_written_down(memory: Memory, home: Path) -> None:
    log = home / "memory" / "2026-01-01.md"
    log.parent.mkdir(exist_ok=True)
    log.write_text("- likes tea\n- I like tea\n", encoding="utf-8")
    memory.sync()

    memory.consolidate(apply=True)

    (fact,) = current(memory)
    assert all(f'"id":"{id_}"' in log.read_text(encoding="utf-8") for id_ in fact.parents)
    memory.undo()
    assert len(current(memory)) == 2


def test_forgetting_a_user_forgets_the_watermark(memory: Memory) -> None:
    tell(memory, *NAMES)
    memory.consolidate(apply=True)

    memory.forget_user()

    assert not (memory.home / "consolidation.json").exists()


def test_one_fact_restated_64_times_becomes_one(memory: Memory) -> None:
    forms = (*NAMES, "User is named Alex", "My name is Alex!", "I am called Alex")
    news = [
        NewFact(content=forms[n % 6], created_at=NOW - timedelta(hours=9 * n)) for n in range(64)
    ]
    memory.remember_many(news)

    memory.consolidate(apply=True)

    (fact,) = current(memory)
    assert fact.seen
    assert fact.seen.n == 63
    assert fact.seen.last == NOW
    assert len(memory.get(fact.id).history) == 65


def test_chinese_facts_are_put_together_in_chinese(memory: Memory) -> None:
    tell(memory, "我住在北京", "用户住在北京。", "我搬到了上海")

    memory.consolidate(apply=True)

    (fact,) = current(memory)
    assert (
        fact.content == "目前：我搬到了上海，自 2026-01-11 起；此前：用户住在北京（至 2026-01-11）"
    )


class Moody(HashEmbedder):
    """An embedder that fails while it's told to."""

    fails = False

    def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Embed, or fail."""
        if self.fails:
            raise EmbedError("the model is out of order")
        return super().embed_passages(texts)


def test_a_failing_embedder_delays_only_the_vectors(opened: OpenMemory) -> None:
    embedder = Moody()
    memory = opened(embedder=embedder, model=None)
    tell(memory, "lives in Rome", "moved to Oslo")
    embedder.fails = True

    assert memory.consolidate(apply=True).applied

    assert memory.search("Oslo", mode="keyword").hits
    assert memory._space.index.pending(9)
    embedder.fails = False
    assert memory.search("Oslo").hits
    assert not memory._space.index.pending(9)


TEXTS = (
    *NAMES,
    "likes tea",
    "I love tea",
    "likes tea with milk",
    "Works at Google",
    "Works at Microsoft",
    "lives in Rome",
    "moved to Oslo",
    "我住在北京",
    "我搬到了上海",
    "--> <!-- {",
    "# heading\n- [x] done",
)
told = st.lists(
    st.tuples(
        st.sampled_from(TEXTS) | st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
        st.integers(0, 40),
        st.sampled_from((None, None, "c1")),
    ).filter(lambda one: one[0].strip()),
    max_size=14,
)


@pytest.mark.timeout(300)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(told)
def test_apply_then_undo_changes_no_fact_and_a_rebuild_no_answer(
    some: Sequence[tuple[str, int, str | None]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        seed = random.Random(3)
        home = Path(folder) / "home"
        with litemem.open(home, model="hash", clock=lambda: NOW, rng=seed.randbytes) as memory:
            for text, day, chat in some:
                memory.remember(text, created_at=NOW - timedelta(days=day), chat_id=chat)
            before = current(memory)
            found = memory.consolidate(apply=True)

            assert (found.applied is None) is False
            if found.plan.proposals:
                after = current(memory)
                memory.rebuild()
                assert current(memory) == after
                memory.undo()
            assert current(memory) == before
            memory.rebuild()
            assert current(memory) == before


@pytest.mark.parametrize("turn", range(12))
def test_a_killed_apply_leaves_all_of_its_step_or_nothing(home: Path, turn: int) -> None:
    chance = random.Random(turn)
    with litemem.open(home, model="hash", clock=lambda: NOW) as memory:
        for n in range(12):
            tell(memory, f"lives in Town{n}", f"moved to City{n}", chat_id=f"c{n}")
    child = os.fork()
    if child == 0:
        try:
            with litemem.open(home, model="hash", clock=lambda: NOW) as memory:
                memory.consolidate(apply=True)
        finally:
            os._exit(0)
    time.sleep(chance.uniform(0, 0.08))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)

    with litemem.open(home, model="hash", clock=lambda: NOW) as memory:
        assert len(current(memory)) in (12, 24)
        memory.consolidate(apply=True)
        assert len(current(memory)) == 12
        memory.undo()
        assert len(current(memory)) == 24


def test_a_merge_that_was_edited_by_hand_gives_its_originals_back(
    memory: Memory, home: Path
) -> None:
    tell(memory, *NAMES)
    before = {fact.id: fact.content for fact in memory.list()}
    memory.consolidate(apply=True)
    (merged,) = memory.list()
    today = home / "memory" / "2026-02-08.md"
    text = today.read_text(encoding="utf-8")
    today.write_text(text.replace("- Name is", "- First name is"), encoding="utf-8")
    with pytest.raises(UndoRefused, match=f"forget --only {merged.id}"):
        memory.undo()
    memory.forget(merged.id, only=True)

    assert {fact.id: fact.content for fact in memory.list()} == before
