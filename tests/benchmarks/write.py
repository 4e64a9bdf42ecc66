"""
What writing costs: facts added, changed and forgotten, files imported, the index kept current.

    python -m tests.benchmarks write [--only add,one,...] [--data DIR] [--json FILE]

Times of one fact or one open are CPU time: on a busy machine they hold still where wall time
doesn't. Texts are made up; with --data DIR the import takes those of DIR/SET/dev/corpus.jsonl.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

import litemem
from litemem.errors import EmbedError
from litemem.memory.memory import Memory
from tests.benchmarks.homes import Ready, facts, filled, more, real_facts, remember, write_lines
from tests.benchmarks.spent import Figure, Spent, cli, middle, rows, run, spent

HASH = "hash"
ADDED = 2_000
ADDED_CPU_S = 1.5
FIRST_RATIO = 2.0
IMPORT_RATIO = 1.25
FORGET_MS = 100.0
OPEN_MS = 10.0
KEYWORD_S = 2.0
FIRST_VECTORS_S = 5.0
SAMPLES = 30
LONG_DAY = 10_000

EMBED_ALONE = """
import json, sys
from datetime import datetime
from litemem.embed.locate import find_model
from litemem.embed.onnx import OnnxEmbedder
from litemem.text.head import head
embedder = OnnxEmbedder(find_model(sys.argv[2], {}))
texts = []
for line in open(sys.argv[1], encoding="utf-8"):
    fact = json.loads(line)
    at = datetime.fromisoformat(fact["created_at"])
    texts.append(head(fact["speaker"], at.date()) + fact["content"])
for start in range(0, len(texts), 256):
    embedder.embed_passages(texts[start : start + 256])
"""


class Bench:
    """Where homes are made and what was asked for."""

    def __init__(self, asked: argparse.Namespace, folder: Path) -> None:
        self.asked, self.kept = asked, asked.keep or folder
        self._folder, self._numbers = folder, count()

    def new(self) -> Path:
        """Return a path that doesn't exist yet."""
        return self._folder / f"home-{next(self._numbers)}"

    def home(self, size: int, *, days: int, model: str) -> Path:
        """Return a home of its own with so many facts."""
        return filled(self.kept, size, days=days, model=model, to=self.new())


def add(bench: Bench) -> Iterator[Figure]:
    """Add facts whose vectors are known."""
    given = list(facts(ADDED, days=20, vectors=True))
    bare = list(facts(ADDED, days=20))
    with litemem.open(bench.new(), model=bench.asked.model) as memory:
        took = spent(lambda: memory.remember_many(given))
        yield _seconds(f"{ADDED} facts with their vectors", took, ADDED_CPU_S)
    with litemem.open(bench.new(), embedder=Ready()) as memory:
        memory.remember_many(bare)
        other = memory.for_user("other")
        took = spent(lambda: other.remember_many(bare))
        yield _seconds(f"{ADDED} facts whose vectors are in the index", took, ADDED_CPU_S)


def one(bench: Bench) -> Iterator[Figure]:
    """Add one more fact, to stores and days of growing size."""
    for model in (HASH, bench.asked.model):
        first = middle(_first(bench, model) for _ in range(7))
        yield _ms(f"{model}: the first fact of a new home", first)
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
    with litemem.open(bench.home(size, days=days, model=model)) as memory:
        memory._space.embedders.required().embed_passages(["loads the model"])
        news = more(SAMPLES, day=days - 1)
        took = middle(spent(partial(remember, memory, new)) for new in news)
    ratio = took.cpu_s / first.cpu_s
    told = f"{1000 * took.cpu_s:.1f} ms CPU, {1000 * took.wall_s:.1f} wall"
    return Figure(
        name=f"{model}: one more, {what}", value=ratio, unit="x first", most=FIRST_RATIO, of=told
    )


def change(bench: Bench) -> Iterator[Figure]:
    """Update, forget, restate, and set a block."""
    facts, days = bench.asked.facts, bench.asked.days
    for size, logs, forget_ms in ((100, 1, None), (facts, days, FORGET_MS), (LONG_DAY, 1, None)):
        with litemem.open(bench.home(size, days=logs, model=bench.asked.model)) as memory:
            for name, do in _changes(memory):
                most = forget_ms if name == "forget" else None
                took = middle(spent(partial(do, n)) for n in range(10))
                yield _ms(f"{name}, {size:,} facts in {logs} logs", took, most)


def _changes(memory: Memory) -> list[tuple[str, Callable[[int], object]]]:
    known = memory.list()[:: max(1, len(memory.list()) // 40)]

    def restate(n: int) -> None:
        fact = known[10 + n]
        memory.remember(fact.content, chat_id=fact.chat_id, speaker=fact.speaker)

    return [
        ("update", lambda n: memory.update(known[n].id, importance=0.123)),
        ("restate", restate),
        ("block set", lambda n: memory.blocks.set("persona", f"number {n}")),
        ("forget", lambda n: memory.forget(known[20 + n].id)),
    ]


def start(bench: Bench) -> Iterator[Figure]:
    """Open a home in which nothing changed."""
    size, days = bench.asked.facts, bench.asked.days
    home = bench.home(size, days=days, model=bench.asked.model)
    opened = lambda: litemem.open(home).close()  # noqa: E731
    yield _ms(f"open, {days} logs", middle(spent(opened) for _ in range(10)), OPEN_MS)
    with litemem.open(home) as memory:
        remember(memory, more(1, day=days - 1)[0])
    took = middle(spent(opened) for _ in range(5))
    yield _ms(f"open within 2 s of a write, {days} logs", took, OPEN_MS)


def index(bench: Bench) -> Iterator[Figure]:
    """Lose the index, build it anew, and follow a log that was edited."""
    size, days, model = bench.asked.facts, bench.asked.days, bench.asked.model
    home = bench.home(size, days=days, model=model)
    with litemem.open(home) as memory:
        took = spent(memory.rebuild)
        yield _seconds("rebuild, every vector reused", took)
        yield _ms("sync of one edited log", middle(_edited(memory, n) for n in range(5)))
    _lose(home)
    took = cli(home, "search", "--mode", "keyword", "what was said", "--json")
    yield _seconds("keyword search without an index, whole process", took, KEYWORD_S)
    _lose(home)
    waited = _until_first_vectors(home)
    yield Figure(name="first vectors", value=waited, unit="s", most=FIRST_VECTORS_S)


def _edited(memory: Memory, n: int) -> Spent:
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


CASES = {
    "add": add,
    "one": one,
    "change": change,
    "open": start,
    "index": index,
    "import": load,
    "memory": memory,
}


def _seconds(name: str, took: Spent, most: float | None = None) -> Figure:
    told = f"{took.wall_s:.2f} s wall"
    return Figure(name=name, value=took.cpu_s, unit="s CPU", most=most, of=told)


def _ms(name: str, took: Spent, most: float | None = None) -> Figure:
    told = f"{1000 * took.wall_s:.1f} ms wall, {1 / took.cpu_s:,.0f} a CPU second"
    return Figure(name=name, value=1000 * took.cpu_s, unit="ms CPU", most=most, of=told)


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks write", description=__doc__)
    parser.add_argument("--only", help=f"of {','.join(CASES)}; default all")
    parser.add_argument("--facts", type=int, default=13_000)
    parser.add_argument("--days", type=int, default=129)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 13_000, 50_000])
    parser.add_argument("--day-lengths", type=int, nargs="+", default=[1, 100, 1_000, LONG_DAY])
    parser.add_argument("--imported", type=int, default=1_000, help="facts of case import")
    parser.add_argument("--pairs", type=int, default=2, help="runs of case import")
    parser.add_argument("--most", type=int, default=100_000, help="facts of case memory")
    parser.add_argument("--model", default="me5-small-q4")
    parser.add_argument("--data", type=Path, help="real texts for case import")
    parser.add_argument("--keep", type=Path, help="where homes are made once and used again")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    asked = parser.parse_args(arguments)
    names = asked.only.split(",") if asked.only else list(CASES)
    found: dict[str, list[Figure]] = {}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(asked, Path(folder))
        for name in names:
            print(f"\n{name}: {CASES[name].__doc__}", flush=True)
            for figure in CASES[name](bench):
                found.setdefault(name, []).append(figure)
                print(figure, flush=True)
    if asked.json is not None:
        written = {name: rows(figures) for name, figures in found.items()}
        asked.json.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
