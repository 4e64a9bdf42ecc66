"""
The same work on litemem and its peers, each in its own environment, pairs in turn.

    python -m tests.benchmarks peers [--only litemem,chroma,...] [--rows 1000 10000]
                                     [--venvs DIR] [--json FILE] [--plot FILE.svg]
    python -m tests.benchmarks peers --data DIR/SET/dev [--model fast]

All get the same rows and the same vectors; what takes no vectors searches by words. Installing
needs a package index, the rest nothing: Python code that wants the network is refused it, and the
table says so. "CPU" is of all threads of the peer's process, "MiB" of a process that only searches.
"lost" is what a new process misses of ten single adds that were acknowledged before a `kill -9`;
"syncs" are the calls of fsync and its like for one add, where strace is there: without one, a power
cut may take an acknowledged add. A round of work goes round all peers before the next one begins.
With --data, each row of a public set is stored and its questions are asked (see `retrieval`); the
last column is what litemem finds more, question by question.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.benchmarks.peers.given import made_up
from tests.benchmarks.peers.measure import Bench, Found, kills, speed
from tests.benchmarks.peers.quality import asked
from tests.benchmarks.peers.venvs import PEERS, Unavailable, python_of, versions

COLUMNS = {
    "first 1,000, CPU ms": "first 1,000: CPU s",
    "one more, p50 ms": "one more: ms",
    "one more, CPU ms": "CPU ms",
    "search, p50 ms": "search: p50 ms",
    "search, p95 ms": "p95 ms",
    "search, CPU ms": "CPU ms",
    "delete, p50 ms": "delete: ms",
    "delete, CPU ms": "CPU ms",
    "first search, wall s": "cold start and search: s",
    "first search, CPU s": "CPU s",
    "resident MiB": "searching: MiB",
    "disk MB": "disk MB",
    "lost of 10": "lost of 10",
    "syncs an add": "syncs an add",
}


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks peers")
    parser.add_argument("--only", help=f"of {','.join(peer.name for peer in PEERS)}; default all")
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--venvs", type=Path, help="where environments are made and kept")
    parser.add_argument("--timeout", type=float, default=900, help="seconds for one command")
    parser.add_argument("--data", type=Path, help="a set's folder, e.g. DIR/locomo/dev")
    parser.add_argument("--model", help="makes the vectors of --data")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    parser.add_argument("--plot", type=Path, help="draw rows against latency as SVG")
    said = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        found, pythons = _ready(said, said.venvs or folder / "venvs")
        written = (
            asked(said, found, pythons, folder)
            if said.data
            else [_sized(said, size, found, pythons, folder) for size in said.rows]
        )
    if said.json is not None:
        said.json.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    if said.plot is not None and not said.data:
        from tests.benchmarks.drawing import peers

        peers(written, said.plot)


def _ready(said: argparse.Namespace, venvs: Path) -> tuple[list[Found], dict[str, Path]]:
    names = said.only.split(",") if said.only else [peer.name for peer in PEERS]
    found, pythons = [], {}
    for peer in (peer for peer in PEERS if peer.name in names):
        try:
            pythons[peer.name] = python_of(peer, venvs)
            found.append(Found(peer=peer, version=versions(peer, pythons[peer.name])))
        except Unavailable as error:
            found.append(Found(peer=peer, version="", trouble=str(error)))
    return found, pythons


def _sized(
    said: argparse.Namespace,
    size: int,
    found: Sequence[Found],
    pythons: Mapping[str, Path],
    folder: Path,
) -> dict[str, object]:
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
    return {"rows": size, "peers": peers}


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
