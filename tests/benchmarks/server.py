"""
Many clients at one server, while the command line writes to the same home.

    python -m tests.benchmarks server [--clients 16] [--seconds 60] [--facts 1000] [--model NAME]
        [--remember 0.25] [--json FILE]

Each client asks one thing after the other: a search, or with the share of `--remember` a new fact.
The first quarter of the time is warm-up: it counts for errors alone. Memory is the server's
resident set, its median over the last tenth against that over the first tenth after the warm-up.
At the end every acknowledged fact is looked for.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import httpx

import litemem
from tests.benchmarks.options import at_least, model, parser, share, writable
from tests.benchmarks.spent import Figure, rows, save
from tests.benchmarks.start import LITEMEM, WORDS, make_home

WARM_UP = 0.25  # of the time
LEAST_S = 10  # memory is looked at twice a second, and compared by tenths
CLI_EVERY_S = 2.0
WORD_LIST = WORDS.split()


@dataclass(slots=True)
class Seen:
    """What the clients met."""

    searches: list[float] = field(default_factory=list)  # seconds, after the warm-up
    remembers: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)  # acknowledged
    memory_kb: list[tuple[float, int]] = field(default_factory=list)  # (seconds, kilobytes)
    commands: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What is run."""

    clients: int
    seconds: int
    facts: int
    model: str
    remember: float


class Load:
    """The clients of one server, for a while."""

    def __init__(self, told: Told, home: Path, url: str, process: int) -> None:
        token = (home / "server-token").read_text().strip()
        self._told, self._home, self._url, self._process = told, home, url, process
        self._headers = {"authorization": f"Bearer {token}"}
        self._started = time.monotonic()
        self.seen = Seen()

    async def run(self) -> Seen:
        """Run all clients, the command line and the look at memory, to the end."""
        clients = (self._client(n) for n in range(self._told.clients))
        await asyncio.gather(*clients, self._commands(), self._memory())
        return self.seen

    @property
    def _now(self) -> float:
        return time.monotonic() - self._started

    async def _client(self, number: int) -> None:
        rng = random.Random(number)
        async with httpx.AsyncClient(
            base_url=self._url, headers=self._headers, timeout=30
        ) as client:
            turn = 0
            while self._now < self._told.seconds:
                turn += 1
                await self._ask(client, rng, f"{number}.{turn}")

    async def _ask(self, client: httpx.AsyncClient, rng: random.Random, name: str) -> None:
        words = " ".join(rng.choices(WORD_LIST, k=rng.randint(2, 6)))
        writes = rng.random() < self._told.remember
        content = f"{words} of client {name}"
        started = time.perf_counter()
        try:
            if writes:
                answer = await client.post("/memory/archival", json={"content": content})
            else:
                answer = await client.get("/memory/archival", params={"query": words})
        except httpx.HTTPError as error:
            self.seen.errors.append(repr(error))
            return
        took_s = time.perf_counter() - started
        if answer.status_code != 200:
            self.seen.errors.append(f"{answer.status_code} {answer.text[:100]}")
            return
        if writes:
            self.seen.written.append(content)
        if self._now > WARM_UP * self._told.seconds:
            (self.seen.remembers if writes else self.seen.searches).append(took_s)

    async def _commands(self) -> None:
        while self._now < self._told.seconds - CLI_EVERY_S:
            self.seen.commands += 1
            content = f"Written by command {self.seen.commands}"
            child = await asyncio.create_subprocess_exec(
                *LITEMEM,
                "--home",
                str(self._home),
                "remember",
                content,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
            )
            _, said = await child.communicate()
            if child.returncode:
                self.seen.errors.append(f"command: {said.decode()[:200]}")
            else:
                self.seen.written.append(content)
            await asyncio.sleep(CLI_EVERY_S)

    async def _memory(self) -> None:
        status = Path(f"/proc/{self._process}/status")
        while self._now < self._told.seconds:
            found = re.search(r"VmRSS:\s*(\d+)", status.read_text())
            if found is not None:
                self.seen.memory_kb.append((self._now, int(found[1])))
            await asyncio.sleep(0.5)


def measured(told: Told, home: Path) -> list[Figure]:
    """Serve a home, load it, stop it, and return the figures."""
    server = subprocess.Popen(
        [*LITEMEM, "--home", str(home), "serve", "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    with server:
        assert server.stderr is not None
        first = server.stderr.readline()
        url = re.search(r"http://\S+", first)
        if url is None:
            server.terminate()
            sys.exit(first + server.stderr.read())
        try:
            seen = asyncio.run(Load(told, home, url[0], server.pid).run())
        finally:
            server.terminate()
            started = time.monotonic()
            code = server.wait()
    return figures(told, seen, home, time.monotonic() - started, code)


def figures(told: Told, seen: Seen, home: Path, end_s: float, code: int) -> list[Figure]:
    """Return what came out."""
    for error in seen.errors[:5]:
        print(f"  error: {error}", file=sys.stderr)
    with litemem.open(home) as memory:
        there = {fact.content for fact in memory.list()}
    lost = [content for content in seen.written if content not in there]
    measured_s = told.seconds * (1 - WARM_UP)
    commands = f"{seen.commands} commands beside"
    rate = (len(seen.searches) + len(seen.remembers)) / measured_s
    return [
        Figure(name="errors", value=len(seen.errors), unit="", most=0),
        Figure(name="acknowledged facts that are lost", value=len(lost), unit="", most=0),
        *of_times("search", seen.searches, ratio=10),
        *of_times("remember", seen.remembers),
        Figure(name="requests", value=rate, unit="1/s", of=commands),
        Figure(name="growth of memory", value=100 * growth(told, seen), unit="%", most=5),
        Figure(name="memory at the end", value=seen.memory_kb[-1][1] / 1024, unit="MiB"),
        Figure(name="SIGTERM to the end", value=end_s, unit="s", most=2, of=f"exit code {code}"),
    ]


def of_times(name: str, times: Sequence[float], ratio: float | None = None) -> Iterator[Figure]:
    """Yield a middle and a late time, and how far they're apart; nothing where none was taken."""
    if times:
        p50, p99 = quantile(times, 0.5), quantile(times, 0.99)
        yield Figure(name=f"{name} p50", value=1000 * p50, unit="ms", of=f"{len(times)} times")
        yield Figure(name=f"{name} p99", value=1000 * p99, unit="ms")
        yield Figure(name=f"{name} p99 / p50", value=p99 / p50, unit="x", most=ratio)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of the others is."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def growth(told: Told, seen: Seen) -> float:
    """Return by which share the resident set grew after the warm-up."""
    warm, part = WARM_UP * told.seconds, told.seconds / 10
    first = median(kb for at, kb in seen.memory_kb if warm <= at < warm + part)
    last = median(kb for at, kb in seen.memory_kb if at >= told.seconds - part)
    return last / first - 1


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark from the command line."""
    options = parser("server", __doc__)
    options.add_argument("--clients", type=at_least(1), default=16)
    options.add_argument("--seconds", type=at_least(LEAST_S), default=60)
    options.add_argument("--facts", type=at_least(1), default=1_000, help="there at the start")
    options.add_argument("--model", type=model, default="me5-small-q4")
    options.add_argument("--remember", type=share, default=0.25, help="share of the requests")
    options.add_argument("--json", type=writable, help="write the figures to this file too")
    said = options.parse_args(arguments)
    told = Told(
        clients=said.clients,
        seconds=said.seconds,
        facts=said.facts,
        model=said.model,
        remember=said.remember,
    )
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        make_home(home, told.facts, told.model)
        found = measured(told, home)
        print(f"{told.clients} clients, {told.seconds} s, {told.facts} facts, {told.model}")
        print("\n".join(str(one) for one in found))
        save(said.json, rows(found))
