"""
How costs grow, drawn as SVG.

    python -m tests.benchmarks plots
    python -m tests.benchmarks plots --measure --out DIR [--rows ...] [--day ...] [--turns ...]

Without --measure, growth.json and peers.json of tests/benchmarks/plots are drawn again, byte for
byte; with it, a new growth.json is written to DIR, part by part, and drawn there. Costs are CPU
times: on a busy machine they hold still where wall time doesn't. Needs the extra `bench`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.benchmarks.drawing import curves, machine, peers
from tests.benchmarks.options import at_least, parser

FOLDER = Path(__file__).parent / "plots"
SEARCHES = ("hybrid", "semantic", "keyword", "bare apsw + vec0 + FTS5, RRF")


def main(arguments: Sequence[str]) -> None:
    """Run it from the command line."""
    options = parser("plots", __doc__)
    options.add_argument("--measure", action="store_true")
    options.add_argument("--out", type=Path, help="a folder; default: beside the code")
    sizes = {"rows": (1_000, 3_000, 10_000, 30_000, 100_000), "day": (1, 10, 100, 1_000, 10_000)}
    for name, usual in (sizes | {"turns": (10, 100, 1_000, 10_000)}).items():
        options.add_argument(f"--{name}", type=at_least(1), nargs="+", default=usual)
    options.add_argument("--queries", type=at_least(1), default=60)
    said = options.parse_args(arguments)
    if said.measure and said.out is None:
        options.error("--measure needs --out: what is beside the code belongs to README")
    import_module("matplotlib")  # a missing one is told of before all else
    out = said.out or FOLDER
    out.mkdir(parents=True, exist_ok=True)
    if not said.measure:
        try:
            texts = (FOLDER.joinpath(name).read_bytes() for name in ("growth.json", "peers.json"))
            grown, found = map(json.loads, texts)
            draw(grown, out)
            peers(found, out / "peers.svg")
        except (ValueError, LookupError, TypeError) as error:
            options.error(f"what is in {FOLDER} can't be drawn: {error!r}")
    else:
        for grown in measured(said):
            (out / "growth.json").write_text(json.dumps(grown, indent=1) + "\n", encoding="utf-8")
            draw(grown, out)
    print(f"drawn in {out}")


def draw(grown: Mapping[str, Any], out: Path) -> None:
    """Draw what is there of a growth.json."""
    up, where = "ms CPU, median", grown["machine"]
    searches = {name: grown["search"][name] for name in SEARCHES}
    curves(out / "search.svg", searches, "rows", up, f"One search, {where}")
    if "day" in grown:
        one = {"one more fact": grown["day"]}
        title = f"One more fact, {where}"
        curves(out / "day.svg", one, "facts in the day's log", up, title, low=0.0)
    if "turns" in grown:
        one = {"one more turn": grown["turns"]}
        title = f"One append, {where}"
        curves(out / "session.svg", one, "turns in the session", up, title, low=0.0)


def measured(said: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield, after each part, name -> curve, a list of [size, ms]; `machine` says where."""
    from tests.benchmarks.bench import HASH, Bench
    from tests.benchmarks.growing import append
    from tests.benchmarks.speed import measured as searched
    from tests.benchmarks.writing import one_more

    search: dict[str, list[list[float]]] = {name: [] for name in SEARCHES}
    grown: dict[str, Any] = {"machine": machine(), "search": search}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for rows in said.rows:
            for figure in searched(folder, rows, said.queries):
                if figure.name in search and figure.times is not None:
                    search[figure.name].append([rows, figure.times.cpu_p50_ms])
            yield grown
        bench = Bench(argparse.Namespace(keep=None, session_lengths=said.turns), folder)
        grown["day"] = [[size, 1000 * one_more(bench, HASH, size, 1).cpu_s] for size in said.day]
        yield grown
        appended = [figure.value for figure in append(bench)]
    grown["turns"] = [list(pair) for pair in zip(said.turns, appended, strict=True)]
    yield grown
