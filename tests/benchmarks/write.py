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
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.bench import Bench
from tests.benchmarks.growing import append, grow
from tests.benchmarks.indexing import index, load, memory, vectors
from tests.benchmarks.spent import Figure, rows
from tests.benchmarks.writing import LONG_DAY, add, change, one, start

CASES = {
    "add": add,
    "one": one,
    "change": change,
    "open": start,
    "index": index,
    "vectors": vectors,
    "grow": grow,
    "append": append,
    "import": load,
    "memory": memory,
}


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks write", description=__doc__)
    parser.add_argument("--only", help=f"of {','.join(CASES)}; default all")
    parser.add_argument("--facts", type=int, default=13_000)
    parser.add_argument("--days", type=int, default=129)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 13_000, 50_000])
    parser.add_argument("--day-lengths", type=int, nargs="+", default=[1, 100, 1_000, LONG_DAY])
    parser.add_argument("--session-lengths", type=int, nargs="+", default=[10, 1_000, 10_000])
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
