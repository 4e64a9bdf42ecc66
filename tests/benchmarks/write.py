"""
What writing costs: facts added, changed and forgotten, files imported, the index kept current.

    python -m tests.benchmarks write [--only add,one,...] [--data DIR] [--json FILE]

Times of one fact or one open are CPU time: on a busy machine they hold still where wall time
doesn't. Texts are made up; with --data DIR the import takes those of DIR/SET/dev/corpus.jsonl.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.bench import Bench
from tests.benchmarks.growing import append, grow
from tests.benchmarks.indexing import EDITED, index, load, memory, vectors
from tests.benchmarks.options import at_least, chosen, model, parser, sets, writable
from tests.benchmarks.options import folder as kept
from tests.benchmarks.spent import rows, save
from tests.benchmarks.writing import LEAST_FACTS, LONG_DAY, add, change, one, start

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
    asked = _asked(arguments)
    found: dict[str, list[dict[str, object]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(asked, Path(folder))
        for name in asked.only:
            print(f"\n{name}: {CASES[name].__doc__}", flush=True)
            for figure in CASES[name](bench):
                print(figure, flush=True)
                found.setdefault(name, []).extend(rows([figure]))
                save(asked.json, found)


def _asked(arguments: Sequence[str]) -> argparse.Namespace:
    options, many, cases = parser("write", __doc__), at_least(LEAST_FACTS), list(CASES)
    options.add_argument("--only", type=chosen(cases), default=cases, help=",".join(cases))
    options.add_argument("--facts", type=many, default=13_000)
    options.add_argument("--days", type=at_least(EDITED), default=129)
    options.add_argument("--sizes", type=many, nargs="+", default=[1_000, 13_000, 50_000])
    lengths: dict[str, Any] = {"type": at_least(1), "nargs": "+"}  # Any: arguments of argparse
    options.add_argument("--day-lengths", **lengths, default=[1, 100, 1_000, LONG_DAY])
    options.add_argument("--session-lengths", **lengths, default=[10, 1_000, 10_000])
    options.add_argument("--imported", type=at_least(1), default=1_000, help="facts of case import")
    options.add_argument("--pairs", type=at_least(1), default=2, help="runs of case import")
    options.add_argument("--most", type=at_least(1), default=100_000, help="facts of case memory")
    options.add_argument("--model", type=model, default="me5-small-q4")
    options.add_argument("--data", type=sets, metavar="DIR", help="real texts for case import")
    options.add_argument("--keep", type=kept, help="where homes are made once and used again")
    options.add_argument("--json", type=writable, help="write the figures to this file too")
    asked = options.parse_args(arguments)
    if asked.model == "none" or (asked.model == "hash" and "import" in asked.only):
        options.error(f"argument --model: {asked.model} embeds nothing that could be measured")
    return asked
