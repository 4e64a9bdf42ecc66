"""Cases of `write`: the index lost, built anew and kept current; files imported."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import litemem
from litemem.errors import EmbedError
from litemem.memory.memory import Memory
from tests.benchmarks.bench import HASH, Bench, ms, seconds
from tests.benchmarks.homes import facts, more, real_facts, write_lines
from tests.benchmarks.spent import Figure, Spent, cli, middle, run, spent

IMPORT_RATIO = 1.25
KEYWORD_S = 2.0
FIRST_VECTORS_S = 5.0
ALL_VECTORS_S = 150.0  # of 13,000 facts, on two cores
SLOWER = 3.0  # a search while vectors are made, to one at rest
EDITED = 5  # logs
SEARCHES = 200
PAUSE_S = 0.1  # between searches: of a person or an agent, not of a load test

EMBED_ALONE = """
import json, signal, sys
from datetime import datetime
from litemem.embed.locate import find_model
from litemem.embed.onnx import OnnxEmbedder
from litemem.text.head import head
signal.signal(signal.SIGINT, signal.SIG_DFL)
embedder = OnnxEmbedder(find_model(sys.argv[2], {}))
texts = []
for line in open(sys.argv[1], encoding="utf-8"):
    fact = json.loads(line)
    at = datetime.fromisoformat(fact["created_at"])
    texts.append(head(fact["speaker"], at.date()) + fact["content"])
for start in range(0, len(texts), 256):
    embedder.embed_passages(texts[start : start + 256])
"""


def index(bench: Bench) -> Iterator[Figure]:
    """Lose the index, build it anew, and follow a log that was edited."""
    size, days, model = bench.asked.facts, bench.asked.days, bench.asked.model
    home = bench.home(size, days=days, model=model)
    with litemem.open(home) as memory:
        took = spent(memory.rebuild)
        yield seconds("rebuild, every vector reused", took)
        yield ms("sync of one edited log", middle(edited(memory, n) for n in range(EDITED)))
    _lose(home)
    took = cli(home, "search", "--mode", "keyword", "what was said", "--json")
    yield seconds("keyword search without an index, whole process", took, KEYWORD_S)
    _lose(home)
    waited = _until_first_vectors(home)
    yield Figure(name="first vectors", value=waited, unit="s", most=FIRST_VECTORS_S)


def vectors(bench: Bench) -> Iterator[Figure]:
    """Search while a lost index gets its vectors; then let it have the cores alone."""
    asked = bench.asked
    home = bench.home(asked.facts, days=asked.days, model=asked.model)
    with litemem.open(home) as memory:
        rest = _late(memory)
    _lose(home)
    with litemem.open(home) as memory:
        busy = _late(memory)
        done = memory.stats().vectors
        told = f"{1000 * busy:.0f} ms to {1000 * rest:.0f} at rest; {done:,} vectors meanwhile"
        yield Figure(name="p95 of a search", value=busy / rest, unit="x", most=SLOWER, of=told)
    _lose(home)
    with litemem.open(home) as memory:
        took = spent(memory.embed_pending)
        name = f"all {asked.facts:,} vectors"
        told = f"{took.cpu_s:.0f} s CPU"
        yield Figure(name=name, value=took.wall_s, unit="s", most=ALL_VECTORS_S, of=told)


def _late(memory: Memory) -> float:
    """Return the 95th percentile of what a search takes, in seconds."""
    times = []
    for new in more(SEARCHES + 10, day=0):
        started = time.perf_counter()
        memory.search(new.content, wait=False)
        times.append(time.perf_counter() - started)
        time.sleep(PAUSE_S)
    return sorted(times[10:])[int(SEARCHES * 0.95)]  # the first ones load the model


def edited(memory: Memory, n: int) -> Spent:
    """Write a line into the n-th log by hand, and follow it."""
    path = sorted((memory.home / "memory").glob("20*.md"))[n]
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\n- written by hand\n", encoding="utf-8")
    return spent(memory.sync)


def _lose(home: Path) -> None:
    for path in home.glob("index.db*"):
        path.unlink()


class _EnoughError(EmbedError):
    """The first vectors are there."""


def _until_first_vectors(home: Path) -> float:
    def stop(done: int, _: int) -> None:
        if done:
            raise _EnoughError

    started = time.perf_counter()
    with litemem.open(home) as memory, suppress(_EnoughError):
        memory.embed_pending(progress=stop)
    return time.perf_counter() - started


def load(bench: Bench) -> Iterator[Figure]:
    """Import a file, beside embedding its texts alone."""
    asked = bench.asked
    days = max(1, asked.imported * asked.days // asked.facts)
    texts = facts(asked.imported, days=days)
    if asked.data is not None:
        texts = real_facts(asked.data, asked.imported, days=days)
    path = write_lines(bench.new(), texts)
    alone, whole = [], []
    for _ in range(asked.pairs):
        alone.append(run("-c", EMBED_ALONE, path, asked.model))
        whole.append(cli(bench.new(), "remember", "--file", path, model=asked.model))
    name = f"{asked.imported:,} facts from a file, to embedding alone"
    for what in ("cpu_s", "wall_s"):  # the least: what else the machine does only adds
        import_s, embed_s = (min(getattr(took, what) for took in runs) for runs in (whole, alone))
        told = f"{what[:-2]}: {import_s:.1f} and {embed_s:.1f} s"
        yield Figure(name=name, value=import_s / embed_s, unit="x", most=IMPORT_RATIO, of=told)


def memory(bench: Bench) -> Iterator[Figure]:
    """Import files of growing size without a model, and see how much memory it takes."""
    for size in (1_000, bench.asked.facts, bench.asked.most):
        path = write_lines(bench.new(), facts(size, days=bench.asked.days))
        took = cli(bench.new(), "remember", "--file", path, model=HASH)
        told = f"{size / took.cpu_s:,.0f} facts a CPU second, {path.stat().st_size / 1e6:.0f} MB"
        name = f"peak memory, {size:,} facts from a file"
        yield Figure(name=name, value=took.peak_mib, unit="MiB", of=told)
