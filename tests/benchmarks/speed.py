"""
How long searches take, what they find, and what they cost in memory and on disk.

    python -m tests.benchmarks speed [--rows 1000 10000 100000] [--keep DIR] [--json FILE]

Rows are made up; each query goes all ways in turn. What is to be reached at 1,000,000 rows is
judged where --rows names them: they take half an hour to make, once where --keep names a folder.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

from litemem.index.filters import resolve
from litemem.index.scan import centred, mean, nearest
from litemem.types import Scope, Vector
from tests.benchmarks.bare import Bare, sound
from tests.benchmarks.made import made
from tests.benchmarks.options import at_least, folder, parser, writable
from tests.benchmarks.ours import PROFILE, Ours, fill, whole
from tests.benchmarks.spent import save
from tests.benchmarks.synthetic import DIMENSION, Corpus, Query
from tests.benchmarks.times import Times, in_turn

HYBRID_MS = {10_000: 8.0, 100_000: 17.0, 1_000_000: 100.0}  # to reach
RATIO = 1.5  # to reach at 10,000 rows
RECALL = 0.985
DISK = 1.4
MEMORY_MIB = 150.0
EXACT_QUERIES = 20
WARM_UP = 10
FEW, MANY = 10_000, 100_000
RECALLED = "recall@10 of the exact nearest"
HYBRID, BARE = "hybrid", "bare apsw + vec0 + FTS5, RRF"
BARE_WORDS = "the same, stop words left out"

Way: TypeAlias = Callable[[Query], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured thing and what was asked of it."""

    name: str
    value: float
    unit: str = ""
    times: Times | None = None  # of searches; the value is their middle one
    to_reach: str = ""
    reached: bool = True

    def __str__(self) -> str:
        verdict = "" if not self.to_reach else ("reached" if self.reached else "MISSED")
        told = f"{self.value:.{4 if self.name == RECALLED else 2}f}{self.unit}"
        return f"  {self.name:38} {self.times or told:>26}   {self.to_reach:12} {verdict}"


def main(arguments: Sequence[str]) -> None:
    """Measure at each size and print what came out."""
    options = parser("speed", __doc__)
    options.add_argument("--rows", type=at_least(1), nargs="+", default=[1_000, 10_000, 100_000])
    options.add_argument("--queries", type=at_least(1), default=60)
    options.add_argument("--keep", type=folder, help="where files are made once and used again")
    options.add_argument("--json", type=writable, help="write the figures to this file too")
    asked = options.parse_args(arguments)
    found = []
    with tempfile.TemporaryDirectory() as temporary:
        for rows in asked.rows:
            print(f"\n{rows:,} rows, {asked.queries} queries, milliseconds")
            print(f"  {'':38} {'p50':>8} {'p95':>8} {'cpu p50':>8}")
            figures = measured(asked.keep or Path(temporary), rows, asked.queries)
            print(*figures, sep="\n", flush=True)
            found.append({"rows": rows, "figures": [asdict(figure) for figure in figures]})
            save(asked.json, found)


def measured(folder: Path, rows: int, queries: int) -> list[Figure]:
    """Return the figures at one size; files are made below the folder where they aren't there."""
    corpus = Corpus(rows)
    asked = corpus.queries(queries)
    path, bare_path = folder / f"ours-{rows}.db", folder / f"bare-{rows}.db"
    made(path, lambda part: fill(part, corpus), lambda file: whole(file, rows))
    made(bare_path, lambda part: Bare.fill(part, corpus), lambda file: sound(file, rows))
    ours, bare = Ours(path, asked), Bare(bare_path)
    with closing(ours.index), closing(bare.db):
        figures = [_load(ours), *searches(rows, ours, bare, asked), _recall(ours, asked)]
    return [*figures, _disk(path, rows), *_memory(path, asked, rows)]


def searches(rows: int, ours: Ours, bare: Bare, asked: Sequence[Query]) -> list[Figure]:
    """Ask everything in every way, once more for the first queries to warm up."""
    chat, alone = Scope(chat_id="chat3"), Scope(chat_id="chat3", chat_only=True)
    ways: dict[str, Way] = {
        HYBRID: ours.search,
        BARE: bare.search,
        BARE_WORDS: bare.search_without_stop_words,
        "semantic": lambda query: ours.search(query, "semantic"),
        "keyword": lambda query: ours.search(query, "keyword"),
        "hybrid, a chat and rows of none": lambda query: ours.search(query, scope=chat),
        "hybrid, a chat alone": lambda query: ours.search(query, scope=alone),
    }
    first = asked[:WARM_UP]
    times = in_turn(ways, [*first, *asked], warm_up=len(first))
    figures = [_time(name, taken, HYBRID_MS.get(rows)) for name, taken in times.items()]
    ratio, other = (times[HYBRID].cpu_p50_ms / times[one].cpu_p50_ms for one in (BARE, BARE_WORDS))
    return [
        *figures,
        _most("hybrid / bare, cpu p50", ratio, RATIO if rows == FEW else None),
        _most("hybrid / bare without stop words", other, None),
    ]


def _time(name: str, taken: Times, most: float | None) -> Figure:
    if name != HYBRID or most is None:
        return Figure(name=name, value=taken.p50_ms, times=taken)
    return Figure(
        name=name,
        value=taken.p50_ms,
        times=taken,
        to_reach=f"p50 <= {most:g}",
        reached=taken.p50_ms <= most,
    )


def _most(name: str, value: float, most: float | None) -> Figure:
    if most is None:
        return Figure(name=name, value=value)
    return Figure(name=name, value=value, to_reach=f"<= {most:g}", reached=value <= most)


def _load(ours: Ours) -> Figure:
    """Measure how long the process needs, once, to keep the vectors in memory."""
    started = time.perf_counter()
    ours.load()
    spent = time.perf_counter() - started
    return Figure(name="vectors loaded, once a process", value=spent, unit=" s")


def _recall(ours: Ours, asked: Sequence[Query]) -> Figure:
    """Compare the ten nearest with those of reading all vectors."""
    shares = []
    with ours.index.reading() as db:
        rows = resolve(db, Scope())
        if rows is None:
            raise ValueError("nothing is stored")
        _, centre = mean(db, rows.parts)
        for query in asked[:EXACT_QUERIES]:
            vector = centred(Vector(query.vector), centre, PROFILE.query_centering)
            exact = dict(nearest(db, vector, rows, 10))
            found = dict(ours.index.scanner.nearest(db, vector, rows, 100)[:10])
            shares.append(len(exact.keys() & found.keys()) / len(exact))
    share = sum(shares) / len(shares)
    return Figure(
        name=RECALLED,
        value=share,
        to_reach=f">= {RECALL}",
        reached=share >= RECALL,
    )


def _disk(path: Path, rows: int) -> Figure:
    ratio = path.stat().st_size / (rows * DIMENSION * 4)
    return _most("index file / raw float32 vectors", ratio, DISK if rows >= FEW else None)


def _memory(path: Path, asked: Sequence[Query], rows: int) -> list[Figure]:
    """Compare a process that searches with one that runs onnxruntime alone."""
    said = path.with_suffix(".json")
    said.write_text(json.dumps([(one.text, one.vector.hex()) for one in asked]), encoding="utf-8")
    command = [sys.executable, "-m", "tests.benchmarks.memory"]
    bare, searching = _resident(command), _resident([*command, str(path), str(said)])
    own, mapped = (after - before for before, after in zip(bare, searching, strict=True))
    most = MEMORY_MIB if rows <= MANY else None
    return [
        _most(f"MiB above {sum(bare):.0f} of onnxruntime", own + mapped, most),
        _most("those of the file, mapped", mapped, None),
    ]


def _resident(command: Sequence[str]) -> tuple[float, float]:
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    own, mapped = done.stdout.split()
    return float(own), float(mapped)
