"""A changed or removed line leaves the index as reading the whole log again would."""

from __future__ import annotations

import random
import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import litemem
from litemem.errors import UnknownFact
from litemem.index.docs import StoredDoc
from litemem.memory.edit import rewrite_facts
from litemem.memory.memory import Memory
from litemem.memory.new import NewFact
from litemem.memory.reading import read_source
from litemem.memory.rows import fact_of
from litemem.memory.sources import source_files
from tests.conftest import NOW, OpenMemory

TEXTS = st.one_of(
    st.sampled_from(
        ["likes tea", "likes pie", "one\n\n  two\n- three", "```\ncode", "ends #so", "-"]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip),
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["remember", "restate", "replace", "update", "tag", "forget", "only"]),
        TEXTS,
        st.integers(0, 1000),
    ),
    max_size=15,
)


def rows(memory: Memory) -> dict[int, StoredDoc]:
    """Return all rows of a memory, superseded ones too."""
    index = memory._space.index
    with index.reading(vectors=False) as db:
        found = [row for (row,) in db.execute("select rowid from doc")]
    return index.by_rowids(found)


def assert_as_read_again(memory: Memory) -> None:
    """Read every log again, whole; nothing may change in the index."""
    space = memory._space
    before = rows(memory)
    sources = space.index.sources()
    for file in source_files(space.home, memory.user_id):
        reading = read_source(file, space.zone)
        assert reading is not None
        changes = space.index.put_source(reading.source, reading.docs)
        assert (changes.added, changes.removed, changes.updated) == (0, 0, 0)
        known = sources.pop(file.key)
        assert replace(known, read_ns=reading.source.read_ns) == reading.source
    assert sources == {}
    assert rows(memory) == before


def step(memory: Memory, kind: str, text: str, number: int) -> None:
    """Do one random thing."""
    facts = memory.list()
    chosen = facts[number % len(facts)] if facts else None
    if kind == "remember" or chosen is None:
        at = NOW - timedelta(days=number % 2, minutes=number)
        memory.remember(text, created_at=at, chat_id=(None, "c1", " odd")[number % 3])
    elif kind == "restate":
        memory.remember(chosen.content, chat_id=chosen.chat_id, importance=number / 1000)
    elif kind == "replace":
        memory.remember(text, replaces=chosen.id)
    elif kind == "update":
        memory.update(chosen.id, importance=number / 1000)
    elif kind == "tag":
        memory.update(chosen.id, tags=["a", "b c"][: number % 3])
    else:
        memory.forget(chosen.id, only=kind == "only")


@pytest.mark.timeout(300)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS)
def test_the_index_is_as_if_each_log_was_read_again(steps: list[tuple[str, str, int]]) -> None:
    seed = random.Random(5)
    with (
        tempfile.TemporaryDirectory() as folder,
        litemem.open(folder, model="hash", clock=lambda: NOW, rng=seed.randbytes) as memory,
    ):
        for kind, text, number in steps:
            step(memory, kind, text, number)

        assert_as_read_again(memory)


def test_facts_that_a_batch_restates_are_rewritten_together(memory: Memory) -> None:
    memory.remember_many([NewFact(content=f"fact {n}", created_at=NOW) for n in range(5)])
    again = [NewFact(content=f"Fact {n % 5}.", importance=0.1 * n) for n in range(10)]
    done = memory.remember_many(again)

    facts = sorted(memory.list(), key=lambda fact: fact.content)
    assert [one.created for one in done] == [False] * 10
    assert [fact.seen.n for fact in facts if fact.seen] == [2] * 5
    assert [round(fact.importance, 1) for fact in facts] == [0.5, 0.6, 0.7, 0.8, 0.9]
    assert_as_read_again(memory)


def test_a_log_edited_by_hand_meanwhile_is_read_again(memory: Memory) -> None:
    done = memory.remember("likes tea")
    memory.remember("likes pie")
    log = memory.home / "memory" / "2026-02-08.md"
    text = log.read_text()
    log.write_text(text.replace("# 2026-02-08\n", "# 2026-02-08\n\n- likes figs\n"))
    memory.remember("likes tea", importance=0.9)

    assert {fact.content for fact in memory.list()} == {"likes tea", "likes pie", "likes figs"}
    assert memory.get(done.id).fact.importance == 0.9
    assert_as_read_again(memory)


def test_a_fact_that_left_its_log_meanwhile_is_unknown(memory: Memory) -> None:
    done = memory.remember("likes tea")
    stored = memory._space.index.find("default", done.id)
    assert stored is not None
    (memory.home / "memory" / "2026-02-08.md").write_text("- likes pie\n")

    with pytest.raises(UnknownFact, match="any more; run 'litemem index sync'"):
        rewrite_facts(memory._space, [(stored, fact_of(stored.doc))])


def test_only_facts_of_daily_logs_are_rewritten(memory: Memory) -> None:
    done = memory.remember("likes tea")
    stored = memory._space.index.find("default", done.id)
    assert stored is not None

    with pytest.raises(ValueError, match="not a daily log"):
        rewrite_facts(
            memory._space, [(replace(stored, path="memory/user.md"), fact_of(stored.doc))]
        )


def test_a_hand_written_fact_keeps_its_equals_ids_when_it_changes(
    opened: OpenMemory, home: Path
) -> None:
    opened().close()
    (home / "memory").mkdir()
    (home / "memory" / "2026-02-01.md").write_text("- likes tea\n- likes tea\n- likes pie\n")
    memory = opened()
    ids = {fact.id for fact in memory.list()}
    memory.update(memory.list()[0].id, importance=0.9)

    assert {fact.id for fact in memory.list()} == ids
    assert_as_read_again(memory)
