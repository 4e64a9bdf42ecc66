"""The invariant: delete the index, open again, every answer is the same."""

from __future__ import annotations

import contextlib
import json
import random
import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import litemem
from litemem.cli.output import fact_json, hit_json
from litemem.errors import UndoRefused, UnknownFact
from litemem.index.store import Index
from litemem.memory.memory import Memory
from litemem.memory.new import NewFact
from tests.conftest import NOW

QUERIES = ("tea", "works at", "where does she live?", "冲浪 海边", "Thanks!", "c++ :: NEAR(")
TEXTS = st.one_of(
    st.sampled_from(
        [
            "likes tea",
            "I love tea",
            "likes green tea and biscuits",
            "works at Google",
            "works at Microsoft now",
            "lives in Lisbon",
            "moved to Porto",
            "周末喜欢去海边冲浪",
            "Thanks!",
            "-->",
            "- [x] done\n# heading",
        ]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip),
)
KINDS = (
    *("remember", "remember", "replace", "merge", "update", "forget", "only", "block", "hand"),
    *("consolidate", "undo"),
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        TEXTS,
        st.integers(0, 1000),
    ),
    max_size=12,
)


def answers(memory: Memory) -> str:
    """Return all that a home answers, as one text."""
    found: list[object] = [[fact_json(fact) for fact in memory.list(sort="importance")]]
    found += [fact_json(fact) for fact in memory.list()]
    for fact in memory.list():
        chain = memory.get(fact.id)
        found.append([chain.source.path, [fact_json(old) for old in chain.history]])
    for query in QUERIES:
        for mode in ("hybrid", "semantic", "keyword"):
            hits = memory.search(query, 20, mode=mode, kinds=("fact", "block")).hits
            found += [_rounded(hit_json(hit, explain=True)) for hit in hits]
    found.append(memory.blocks.all())
    return json.dumps(found)


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return value


def step(memory: Memory, kind: str, text: str, number: int) -> None:
    """Do one random thing."""
    if kind in ("block", "hand", "consolidate", "undo"):
        step_at_large(memory, kind, text, number)
        return
    facts = memory.list()
    chosen = facts[number % len(facts)] if facts else None
    at = NOW - timedelta(days=number % 4, minutes=number)
    if kind == "remember" or chosen is None:
        memory.remember(text, created_at=at, importance=number % 11 / 10, tags=[f"t{number % 3}"])
    elif kind == "replace":
        memory.remember(text, replaces=chosen.id)
    elif kind == "merge":
        others = (facts[number * n % len(facts)].id for n in range(1 + number % 3))
        new = NewFact(content=text, replaces=chosen.id, merges=tuple(others))
        memory.remember_many([new])
    elif kind == "update":
        memory.update(chosen.id, importance=number % 11 / 10)
    else:
        memory.forget(chosen.id, only=kind == "only")


def step_at_large(memory: Memory, kind: str, text: str, number: int) -> None:
    """Do one random thing to no fact in particular."""
    if kind == "block":
        memory.blocks.set(("persona", "facts")[number % 2], text)
    elif kind == "hand":
        path = memory.home / "memory" / f"2026-01-0{1 + number % 3}.md"
        path.parent.mkdir(exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"- note {number} {text.split(maxsplit=1)[0]}\n")
        memory.sync()
    elif kind == "consolidate":
        memory.consolidate(apply=True, everything=bool(number % 2))
    else:
        with contextlib.suppress(UnknownFact, UndoRefused):
            memory.undo()


def opener(home: Path) -> Callable[[], Memory]:
    """Return a function that opens a home with the clock held still."""
    seed = random.Random(3)
    return lambda: litemem.open(home, model="hash", clock=lambda: NOW, rng=seed.randbytes)


@pytest.mark.timeout(300)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS)
def test_random_histories_survive_the_loss_of_the_index(steps: list[tuple[str, str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        reopen = opener(Path(folder) / "home")
        with reopen() as memory:
            for kind, text, number in steps:
                step(memory, kind, text, number)
            before = answers(memory)
            home = memory.home
        for path in home.glob("index.db*"):
            path.unlink()

        with reopen() as memory:
            assert answers(memory) == before
            memory.rebuild()
            assert answers(memory) == before


def filled(home: Path) -> str:
    """Fill a home with facts over some days, and return its answers."""
    with opener(home)() as memory:
        for number in range(60):
            memory.remember(
                f"fact {number % 20} about tea {'and pie ' * (number % 3)}",
                created_at=NOW - timedelta(days=number % 5, seconds=number),
                chat_id=f"c{number % 2}",
                metadata={"n": number},
            )
        return answers(memory)


def test_reading_the_files_in_another_order_gives_the_same_answers(tmp_path: Path) -> None:
    home = tmp_path / "home"
    before = filled(home)
    with opener(home)() as memory:
        logs = sorted((home / "memory").glob("*.md"))
        for path in logs:
            memory._space.index.drop_source(f"memory/{path.name}")
        hidden = {path: path.read_bytes() for path in logs}
        for path in logs:
            path.unlink()
        for path in reversed(logs):
            path.write_bytes(hidden[path])
            memory.sync()

        assert answers(memory) == before


@pytest.mark.parametrize("damage", [b"", b"not a database" * 500, None])
def test_a_damaged_index_heals_at_the_next_open(tmp_path: Path, damage: bytes | None) -> None:
    home = tmp_path / "home"
    before = filled(home)
    index = home / "index.db"
    whole = index.read_bytes()
    index.write_bytes(whole[: len(whole) // 2] if damage is None else damage)

    with opener(home)() as memory:
        assert answers(memory) == before


def test_another_embedder_is_noticed_and_embeds_anew(tmp_path: Path) -> None:
    home = tmp_path / "home"
    filled(home)
    with litemem.open(home, clock=lambda: NOW) as memory:
        memory.rebuild("none")
    settings_text = (home / "settings.json").read_text()

    with litemem.open(home, clock=lambda: NOW) as memory:
        found = memory.search("tea pie")

    assert '"none"' in settings_text
    assert found.hits
    assert found.note
    assert isinstance(memory._space.index, Index)


def test_a_rebuild_changes_nothing_and_embeds_nothing_twice(tmp_path: Path) -> None:
    home = tmp_path / "home"
    before = filled(home)
    with opener(home)() as memory:
        report = memory.rebuild()

        assert report.embedded == 0
        assert report.reused > 0
        assert answers(memory) == before
