"""
How costs grow, drawn as SVG beside the code.

    python -m tests.benchmarks plots [--measure [--rows ...] [--day ...] [--turns ...]]

Without --measure, tests/benchmarks/plots/growth.json is drawn again, byte for byte; with it that is
measured and written first. Costs are CPU times: on a busy machine they hold still where wall time
doesn't. Drawing needs the extra `bench`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.drawing import curves, machine

FOLDER = Path(__file__).parent / "plots"
SEARCHES = ("hybrid", "semantic", "keyword", "bare apsw + vec0 + FTS5, RRF")


def main(arguments: Sequence[str]) -> None:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks plots")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument(
        "--rows", type=int, nargs="+", default=[1_000, 3_000, 10_000, 30_000, 100_000]
    )
    parser.add_argument("--day", type=int, nargs="+", default=[1, 10, 100, 1_000, 10_000])
    parser.add_argument("--turns", type=int, nargs="+", default=[10, 100, 1_000, 10_000])
    parser.add_argument("--queries", type=int, default=60)
    said = parser.parse_args(arguments)
    kept = FOLDER / "growth.json"
    if said.measure:
        kept.write_text(json.dumps(measured(said), indent=1) + "\n", encoding="utf-8")
    grown = json.loads(kept.read_text(encoding="utf-8"))
    searches = {name: grown["search"][name] for name in SEARCHES}
    curves(
        FOLDER / "search.svg", searches, "rows", "ms CPU, median", f"One search, {grown['machine']}"
    )
    one = {"one more fact": grown["day"]}
    curves(
        FOLDER / "day.svg",
        one,
        "facts in the day's log",
        "ms CPU, median",
        "One more fact",
        low=0.0,
    )
    turn = {"one more turn": grown["turns"]}
    curves(
        FOLDER / "session.svg",
        turn,
        "turns in the session",
        "ms CPU, median",
        "One append",
        low=0.0,
    )
    print(f"search.svg, day.svg and session.svg are in {FOLDER}")


def measured(said: argparse.Namespace) -> dict[str, Any]:
    """Return name -> curve, each a list of [size, ms]; `machine` says where."""
    from tests.benchmarks.bench import HASH, Bench
    from tests.benchmarks.growing import append
    from tests.benchmarks.speed import measured as searched
    from tests.benchmarks.writing import one_more

    search: dict[str, list[list[float]]] = {name: [] for name in SEARCHES}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for rows in said.rows:
            for figure in searched(folder, rows, said.queries):
                if figure.name in search and figure.times is not None:
                    search[figure.name].append([rows, figure.times.cpu_p50_ms])
        bench = Bench(argparse.Namespace(keep=None, session_lengths=said.turns), folder)
        day = [[size, 1000 * one_more(bench, HASH, size, 1).cpu_s] for size in said.day]
        appended = [figure.value for figure in append(bench)]
    turns = [list(pair) for pair in zip(said.turns, appended, strict=True)]
    return {"machine": machine(), "search": search, "day": day, "turns": turns}
