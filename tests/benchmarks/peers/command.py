"""
The same work on litemem and its peers, each in its own environment, pairs in turn.

    python -m tests.benchmarks peers [--only litemem,chroma,...] [--rows 1000 10000]
                                     [--venvs DIR] [--json FILE] [--plot FILE.svg]
    python -m tests.benchmarks peers --data DIR/SET/dev [--model fast]

All get the same rows and the same vectors; what takes no vectors searches by words. Installing
needs a package index, the rest nothing: Python code that wants the network is refused it, and the
table says so. "CPU" is of all threads of the peer's process, "MiB" of a process that only searches.
"lost" is what a new process misses of ten single adds that were acknowledged before a `kill -9`;
"fsyncs" are the calls of it and its like for one add, where strace is there: without one, a power
cut may take an acknowledged add. A round of work goes round all peers before the next one begins.
With --data, each row of a public set is stored and its questions are asked (see `retrieval`); the
last column is what litemem finds more, question by question.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from litemem.embed.locate import find_model
from tests.benchmarks.drawing import machine
from tests.benchmarks.drawing import peers as draw
from tests.benchmarks.options import at_least, chosen, one_set, parser, writable
from tests.benchmarks.peers.given import made_up
from tests.benchmarks.peers.measure import SINGLES, Bench, Found, kills, speed
from tests.benchmarks.peers.quality import asked
from tests.benchmarks.peers.venvs import PEERS, Unavailable, python_of, versions

LEAST_ROWS = 2 * SINGLES
COLUMNS = {
    "first 1,000, CPU ms": "first 1,000: CPU s",
    "one more, p50 ms": "one more: p50 ms",
    "one more, CPU ms": "one more: CPU ms",
    "search, p50 ms": "search: p50 ms",
    "search, p95 ms": "search: p95 ms",
    "search, CPU ms": "search: CPU ms",
    "delete, p50 ms": "delete: p50 ms",
    "delete, CPU ms": "delete: CPU ms",
    "first search, wall s": "cold start and search: s",
    "first search, CPU s": "cold start and search: CPU s",
    "resident MiB": "searching: MiB",
    "disk MB": "disk MB",
    "lost of 10": "lost of 10",
    "syncs an add": "fsyncs an add",
}


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark from the command line."""
    options = parser("peers", __doc__)
    known = [peer.name for peer in PEERS]
    options.add_argument("--only", type=chosen(known), default=known, help=",".join(known))
    options.add_argument("--rows", type=at_least(LEAST_ROWS), nargs="+", default=[1_000, 10_000])
    options.add_argument("--queries", type=at_least(1), default=40)
    options.add_argument("--venvs", type=Path, help="where environments are made and kept")
    options.add_argument("--timeout", type=at_least(1), default=900, help="seconds for one command")
    options.add_argument("--data", type=one_set, metavar="DIR/SET/dev", help="ask its questions")
    options.add_argument("--model", help="makes the vectors of --data")
    options.add_argument("--json", type=writable, help="write the figures to this file too")
    options.add_argument("--plot", type=writable, help="draw rows against latency as SVG")
    said = options.parse_args(arguments)
    if said.plot is not None:
        if said.data is not None:
            options.error("--plot draws --rows, not --data")
        import_module("matplotlib")  # a missing one is told of before all else
    if said.data is not None:
        find_model(said.model, {})
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        found, pythons = _ready(said.only, said.venvs or folder / "venvs")
        measured = asked if said.data is not None else _sizes
        failed = measured(said, found, pythons, folder)
    if failed:
        sys.exit(f"error: not all is measured of {', '.join(failed)}")


def _ready(names: Sequence[str], venvs: Path) -> tuple[list[Found], dict[str, Path]]:
    found, pythons = [], {}
    for peer in (peer for peer in PEERS if peer.name in names):
        try:
            pythons[peer.name] = python_of(peer, venvs)
            found.append(Found(peer=peer, version=versions(peer, pythons[peer.name])))
        except Unavailable as error:
            found.append(Found(peer=peer, version="", trouble=str(error)))
    return found, pythons


def _sizes(
    said: argparse.Namespace, found: Sequence[Found], pythons: Mapping[str, Path], folder: Path
) -> list[str]:
    """Measure at each number of rows; return who failed."""
    written: list[dict[str, Any]] = []
    for size in said.rows:
        written.append(_sized(said, size, found, pythons, folder))
        if said.json is not None:
            said.json.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
        if said.plot is not None:
            draw(written, said.plot)
    failed = (name for one in written for name, it in one["peers"].items() if it["trouble"])
    return list(dict.fromkeys(failed))


def _sized(
    said: argparse.Namespace,
    size: int,
    found: Sequence[Found],
    pythons: Mapping[str, Path],
    folder: Path,
) -> dict[str, Any]:
    work = made_up(folder / f"work-{size}", size, said.queries)
    bench = Bench.of(found, pythons, work, folder / f"rows-{size}", said.timeout)
    speed(bench, said.queries)
    if size == said.rows[0]:  # what is lost doesn't hang on how much there is
        kills(bench)
    print(f"\n{size:,} rows, {said.queries} questions\n")
    print("\n".join(_table(list(bench.found.values()))), flush=True)
    peers = {
        name: {"version": one.version, "figures": one.figures, "trouble": one.trouble}
        for name, one in bench.found.items()
    }
    return {"rows": size, "machine": machine(), "peers": peers}


def _table(found: Sequence[Found]) -> Iterator[str]:
    yield f"| peer | searches by | {' | '.join(COLUMNS.values())} |"
    yield f"|{'---|' * (2 + len(COLUMNS))}"
    for one in found:
        cells = [_cell(one.figures, key) for key in COLUMNS]
        yield f"| {one.peer.name} {one.version} | {one.peer.kind} | {' | '.join(cells)} |"
    for one in found:
        if one.trouble:
            yield f"\n{one.peer.name}: {one.trouble}"
        if one.network:
            yield f"\n{one.peer.name} wanted the network: {', '.join(one.network)}"


def _cell(figures: Mapping[str, float], key: str) -> str:
    value = figures.get(key)
    if value is None:
        return "–"
    if key.startswith("first 1,000"):
        value /= 1000
    return f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.2f}"
