"""Cases of `write` at growing sizes: what one change, one rebuild and one append cost."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from functools import partial

import litemem
from litemem.session import SessionStore
from tests.benchmarks.bench import Bench, ms
from tests.benchmarks.indexing import EDITED, edited
from tests.benchmarks.sessions import a_turn, fill
from tests.benchmarks.spent import Figure, middle, spent
from tests.benchmarks.writing import ROUNDS, changes

APPENDS = 30


def grow(bench: Bench) -> Iterator[Figure]:
    """Change, forget, sync and rebuild stores of growing size."""
    for size in bench.asked.sizes:
        days = min(bench.asked.days, size)
        with litemem.open(bench.home(size, days=days, model=bench.asked.model)) as memory:
            for name, do in changes(memory):
                took = middle(spent(partial(do, n)) for n in range(ROUNDS))
                yield ms(f"{name}, {size:,} facts", took)
            took = middle(edited(memory, n) for n in range(EDITED))
            yield ms(f"sync of one edited log, {size:,} facts", took)
            took = spent(memory.rebuild)
            told = f"{took.wall_s:.2f} s wall, {size / took.cpu_s:,.0f} facts a CPU second"
            name = f"rebuild, every vector reused, {size:,} facts"
            yield Figure(name=name, value=took.cpu_s, unit="s CPU", of=told)


def append(bench: Bench) -> Iterator[Figure]:
    """Append one turn to sessions of growing length."""
    for size in bench.asked.session_lengths:
        with tempfile.TemporaryDirectory() as root:
            graph, chance = fill(SessionStore(root, fsync=False), size), random.Random(2)
            store = SessionStore(root)
            took = middle(
                spent(partial(store.append_turn, graph, a_turn(3, chance))) for _ in range(APPENDS)
            )
        yield ms(f"one more turn, {size:,} in the session", took)
