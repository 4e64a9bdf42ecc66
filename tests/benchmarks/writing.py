"""Cases of `write`: facts added, changed and forgotten, and homes opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import litemem
from litemem.memory.memory import Memory
from tests.benchmarks.bench import HASH, Bench, ms, seconds
from tests.benchmarks.homes import Ready, facts, more, remember
from tests.benchmarks.spent import Figure, Spent, middle, spent

ADDED = 2_000
ADDED_CPU_S = 1.5
FIRST_RATIO = 2.0
FORGET_MS = 100.0
OPEN_MS = 10.0
SAMPLES = 30
LONG_DAY = 10_000
ROUNDS = 10
LEAST_FACTS = 3 * ROUNDS  # `changes` takes others for each of three


def add(bench: Bench) -> Iterator[Figure]:
    """Add facts whose vectors are known."""
    given = list(facts(ADDED, days=20, vectors=True))
    bare = list(facts(ADDED, days=20))
    with litemem.open(bench.new(), embedder=Ready()) as memory:
        took = spent(lambda: memory.remember_many(given))
        yield seconds(f"{ADDED} facts with their vectors", took, ADDED_CPU_S)
    with litemem.open(bench.new(), embedder=Ready()) as memory:
        memory.remember_many(bare)
        other = memory.for_user("other")
        took = spent(lambda: other.remember_many(bare))
        yield seconds(f"{ADDED} facts whose vectors are in the index", took, ADDED_CPU_S)


def one(bench: Bench) -> Iterator[Figure]:
    """Add one more fact, to stores and days of growing size."""
    for model in (HASH, bench.asked.model):
        first = middle(_first(bench, model) for _ in range(7))
        yield ms(f"{model}: the first fact of a new home", first)
        for size in bench.asked.sizes:
            days = min(bench.asked.days, size)
            yield _more(bench, model, size, days, first, f"{size:,} facts in {days} logs")
        for size in bench.asked.day_lengths:
            yield _more(bench, model, size, 1, first, f"{size:,} facts in the day's log")


def _first(bench: Bench, model: str) -> Spent:
    new = more(1, day=1)[0]
    with litemem.open(bench.new(), model=model) as memory:
        memory.search("loads the model")
        memory._space.embedders.required().embed_passages(["loads the model"])
        return spent(lambda: remember(memory, new))


def _more(bench: Bench, model: str, size: int, days: int, first: Spent, what: str) -> Figure:
    took = one_more(bench, model, size, days)
    ratio = took.cpu_s / first.cpu_s
    told = f"{1000 * took.cpu_s:.1f} ms CPU, {1000 * took.wall_s:.1f} wall"
    return Figure(
        name=f"{model}: one more, {what}", value=ratio, unit="x first", most=FIRST_RATIO, of=told
    )


def one_more(bench: Bench, model: str, size: int, days: int) -> Spent:
    """Add single facts to a home of so many in so many logs, and return the medians."""
    with litemem.open(bench.home(size, days=days, model=model)) as memory:
        memory._space.embedders.required().embed_passages(["loads the model"])
        news = more(SAMPLES, day=days - 1)
        return middle(spent(partial(remember, memory, new)) for new in news)


def change(bench: Bench) -> Iterator[Figure]:
    """Update, forget, restate, and set a block."""
    facts, days = bench.asked.facts, bench.asked.days
    for size, logs, forget_ms in ((100, 1, None), (facts, days, FORGET_MS), (LONG_DAY, 1, None)):
        with litemem.open(bench.home(size, days=logs, model=bench.asked.model)) as memory:
            for name, do in changes(memory):
                most = forget_ms if name == "forget" else None
                took = middle(spent(partial(do, n)) for n in range(ROUNDS))
                yield ms(f"{name}, {size:,} facts in {logs} logs", took, most)


def changes(memory: Memory) -> list[tuple[str, Callable[[int], object]]]:
    """Return what can be done with the facts of a memory, each up to ROUNDS times."""
    known = memory.list()[:: max(1, len(memory.list()) // LEAST_FACTS)]

    def restate(n: int) -> None:
        fact = known[ROUNDS + n]
        memory.remember(fact.content, chat_id=fact.chat_id, speaker=fact.speaker)

    return [
        ("update", lambda n: memory.update(known[n].id, importance=0.123)),
        ("restate", restate),
        ("block set", lambda n: memory.blocks.set("persona", f"number {n}")),
        ("forget", lambda n: memory.forget(known[2 * ROUNDS + n].id)),
    ]


def start(bench: Bench) -> Iterator[Figure]:
    """Open a home in which nothing changed."""
    size, days = bench.asked.facts, bench.asked.days
    home = bench.home(size, days=days, model=bench.asked.model)
    opened = lambda: litemem.open(home).close()  # noqa: E731
    yield ms(f"open, {days} logs", middle(spent(opened) for _ in range(10)), OPEN_MS)
    with litemem.open(home) as memory:
        remember(memory, more(1, day=days - 1)[0])
    took = middle(spent(opened) for _ in range(5))
    yield ms(f"open within 2 s of a write, {days} logs", took, OPEN_MS)
