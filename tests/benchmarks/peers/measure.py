"""What is measured of each peer, pairs in turn: each piece of work goes round all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import TypeVar

from tests.benchmarks.peers.given import Work
from tests.benchmarks.peers.process import (
    Process,
    Took,
    can_trace,
    disk_bytes,
    first_search,
    syncs,
    times,
)
from tests.benchmarks.peers.venvs import Peer, Unavailable

THOUSAND = 1_000
SINGLES = 15  # adds and deletes of one row
FIRST_SEARCHES = 3
WARM = 10  # searches before any is measured: some peers load what they search beside the first ones
ACKNOWLEDGED = 10  # adds before the kill
K = 10
T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Found:
    """One peer's figures: name -> value; times in seconds or milliseconds as the name says."""

    peer: Peer
    version: str
    figures: dict[str, float] = field(default_factory=dict)
    trouble: str = ""  # why something is missing
    network: list[str] = field(default_factory=list)  # hosts that its Python code wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Who takes part, and with what."""

    found: Mapping[str, Found]
    pythons: Mapping[str, Path]
    work: Work
    folder: Path
    timeout_s: float

    @classmethod
    def of(
        cls,
        found: Sequence[Found],
        pythons: Mapping[str, Path],
        work: Work,
        folder: Path,
        timeout_s: float,
    ) -> Bench:
        """Return one without figures yet."""
        fresh = {one.peer.name: replace(one, figures={}, network=[]) for one in found}
        return cls(found=fresh, pythons=pythons, work=work, folder=folder, timeout_s=timeout_s)

    def start(self, name: str, folder: str, *, traced: Path | None = None) -> Process:
        """Start a peer's worker on a folder of its own."""
        peer = self.found[name].peer
        place = self.folder / folder / name
        return Process(
            peer,
            self.pythons[name],
            place,
            self.work.folder,
            timeout_s=self.timeout_s,
            traced=traced,
        )

    def tried(self, names: Sequence[str], do: Callable[[str], T]) -> dict[str, T]:
        """Do it for each peer that hasn't failed yet; one that fails now is noted."""
        done = {}
        for name in names:
            if self.found[name].trouble:
                continue
            try:
                done[name] = do(name)
            except Unavailable as error:
                self.found[name].trouble = str(error)
        return done


def speed(bench: Bench, queries: int) -> None:
    """Fill the stores to their size, and do single things in the full ones."""
    running = bench.tried(list(bench.found), lambda name: bench.start(name, "speed"))

    def everybody(what: str, **arguments: int) -> dict[str, Took]:
        return bench.tried(list(running), lambda name: running[name].do(what, **arguments))

    size = len(bench.work.rows)
    filled = size - SINGLES
    for first in range(0, filled, THOUSAND):
        last = min(first + THOUSAND, filled)
        took = everybody("add", first=first, last=last)
        if first == 0:
            _note(bench, "first 1,000", [took], THOUSAND / last)
    for n in range(WARM):
        everybody("search", query=n % queries, k=K)
    _note(bench, "search", [everybody("search", query=n, k=K) for n in range(queries)])
    _note(bench, "one more", [everybody("add", first=n, last=n + 1) for n in range(filled, size)])
    _note(bench, "delete", [everybody("delete", row=n) for n in range(filled, size)])
    _sizes(bench, running, queries)


def _sizes(bench: Bench, running: Mapping[str, Process], queries: int) -> None:
    def end(name: str) -> None:
        found, process = bench.found[name], running[name]
        found.network = process.do("wanted").result
        process.close()
        found.figures["disk MB"] = disk_bytes(process.folder) / 1e6
        again = bench.start(name, "speed")  # it hasn't read the rows
        for n in range(queries):
            again.do("search", query=n, k=K)
        found.figures["resident MiB"] = again.do("resident").result
        again.close()

    bench.tried(list(running), end)
    for _ in range(FIRST_SEARCHES):
        whole = bench.tried(
            list(running),
            lambda name: first_search(
                bench.found[name].peer,
                bench.pythons[name],
                running[name].folder,
                bench.work.folder,
            ),
        )
        for name, one in whole.items():
            figures = bench.found[name].figures
            for what, value in (("wall", one.wall_s), ("CPU", one.cpu_s)):
                key = f"first search, {what} s"
                figures[key] = min(value, figures.get(key, value))


def kills(bench: Bench) -> None:
    """Kill each right after an acknowledged add, and count what the next process finds."""
    for name in bench.found:
        bench.tried([name], lambda one: _killed(bench, one))
        if can_trace():
            bench.tried([name], lambda one: _traced(bench, one))


def _killed(bench: Bench, name: str) -> None:
    process = bench.start(name, "killed")
    for n in range(ACKNOWLEDGED):
        process.do("add", first=n, last=n + 1)
    process.kill()
    again = bench.start(name, "killed")
    there = set(again.do("ids").result)
    again.close()
    lost = sum(row.id not in there for row in bench.work.rows[:ACKNOWLEDGED])
    bench.found[name].figures["lost of 10"] = lost


def _traced(bench: Bench, name: str) -> None:
    trace = bench.folder / f"{name}.trace"
    process = bench.start(name, "traced", traced=trace)
    process.do("add", first=0, last=1)
    before = syncs(trace)
    for n in range(1, 1 + ACKNOWLEDGED):
        process.do("add", first=n, last=n + 1)
    bench.found[name].figures["syncs an add"] = (syncs(trace) - before) / ACKNOWLEDGED
    process.close()


def _note(
    bench: Bench, what: str, rounds: Sequence[Mapping[str, Took]], scale: float = 1.0
) -> None:
    for name in rounds[0]:
        wall, cpu = times([one[name] for one in rounds if name in one])
        figures = bench.found[name].figures
        figures[f"{what}, p50 ms"] = scale * median(wall)
        figures[f"{what}, CPU ms"] = scale * median(cpu)
        if len(wall) > 1:
            figures[f"{what}, p95 ms"] = wall[int(0.95 * len(wall))]
