"""
Whole commands and imports from a cold start, each beside `python -c "import click"`.

    python -m tests.benchmarks start [--runs 15] [--few 200] [--many 10000] [--model none]
                                     [--json FILE]

A ratio is the median over runs, each against a run of the floor just before it, so that a busy
machine slows both. The system itself counts the time and the peak of resident memory of each child;
that peak is at least what this process held when it started the child, about 17 MB. The medians of
CPU time and the peaks are what is judged. The facts are made up, in homes that are thrown away;
that of many facts has no model, so that loading it takes seconds.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.benchmarks.options import at_least, model, parser, writable
from tests.benchmarks.spent import save

LITEMEM = (sys.executable, "-c", "from litemem.cli import run; run()")
FLOOR = (sys.executable, "-c", "import click")
IMPORTS = (
    "litemem",
    "litemem.memory.memory",
    "litemem.index.store",
    "litemem.session",
    "litemem.run.compact",
    "litemem.aio.manager",
)
LIBRARIES = ("apsw", "numpy", "tokenizers", "onnxruntime")
KEYWORD, HYBRID = ("search", "piano", "--mode", "keyword"), ("search", "piano")
MOST = {KEYWORD: {"cpu_ms": 250.0, "peak_mb": 30.0}, HYBRID: {"cpu_ms": 1200.0}}  # to reach
UNITS = {"cpu_ms": "CPU ms", "peak_mb": "MB"}
WORDS = """tea coffee garden piano Lisbon train dog winter doctor bicycle recipe novel violin beach
budget deadline server password meeting flight allergy birthday sister apartment marathon camera
podcast guitar museum ticket salary headache neighbour printer passport contract"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one process took."""

    wall_s: float
    cpu_s: float
    peak_mb: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What is measured; `{}` in an argument becomes the number of the run."""

    name: str
    arguments: tuple[str, ...]
    most: Mapping[str, float] = field(default_factory=dict)  # of some figures, to reach
    pairs: list[tuple[Run, Run]] = field(default_factory=list)  # the floor's run, and its own

    def run(self, number: int) -> None:
        """Run the floor and the command once more."""
        arguments = [part.replace("{}", str(number)) for part in self.arguments]
        self.pairs.append((measure(FLOOR), measure(arguments)))

    def figures(self) -> dict[str, float]:
        """Return the medians, and the highest peak of memory."""
        runs = [run for _, run in self.pairs]
        return {
            "wall_ms": 1000 * median(run.wall_s for run in runs),
            "wall_ratio": median(run.wall_s / floor.wall_s for floor, run in self.pairs),
            "cpu_ms": 1000 * median(run.cpu_s for run in runs),
            "cpu_ratio": median(run.cpu_s / floor.cpu_s for floor, run in self.pairs),
            "peak_mb": max(run.peak_mb for run in runs),
        }

    def row(self) -> str:
        """Return the figures as a line of a table."""
        wall, wall_ratio, cpu, cpu_ratio, peak = self.figures().values()
        cells = f"{wall:.0f} | {wall_ratio:.2f} | {cpu:.0f} | {cpu_ratio:.2f} | {peak:.0f}"
        return f"| {self.name} | {cells} | {self.verdict()} |"

    def verdict(self) -> str:
        """Say what is to be reached, and whether it is."""
        found = self.figures()
        missed = any(found[what] > most for what, most in self.most.items())
        limits = ", ".join(f"{most:g} {UNITS[what]}" for what, most in self.most.items())
        return f"{limits}: {'MISSED' if missed else 'reached'}" if limits else ""


def measure(arguments: Sequence[str]) -> Run:
    """Run a process with its bytecode at hand; one that fails ends the benchmark."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    child = subprocess.Popen(
        arguments, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    with child:
        if child.returncode and child.stderr:
            sys.exit(f"{' '.join(arguments)}: {child.stderr.read().decode()}")
    peak_mb = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
    return Run(wall_s=wall, cpu_s=used.ru_utime + used.ru_stime, peak_mb=peak_mb)


def make_home(home: Path, facts: int, model: str) -> None:
    """Fill a new home with made-up facts of a hundred days."""
    rng, words = random.Random(5), WORDS.split()
    lines = (
        json.dumps(
            {
                "content": f"{' '.join(rng.choices(words, k=rng.randint(5, 15)))} {number}",
                "created_at": f"2025-{1 + number % 10:02}-{1 + number % 11:02}T12:00:00Z",
            }
        )
        for number in range(facts)
    )
    command = (*LITEMEM, "--home", str(home), "--model", model, "remember", "--file", "-")
    text = "\n".join(lines)
    subprocess.run(command, input=text, text=True, stdout=subprocess.DEVNULL, check=True)


def commands(few: Path, many: Path, model: str) -> Iterator[Command]:
    """Yield what is measured."""
    hybrid = () if model == "none" else ((few, HYBRID), (few, ("remember", "new {}")))
    for home, words in (
        (few, KEYWORD),
        (few, ("list", "-k", "20")),
        (few, ("block", "get", "persona")),
        (few, ("log", "2025-01-01")),
        (many, KEYWORD),
        (many, ("list", "-k", "20")),
        *hybrid,
    ):
        name = f"{' '.join(words)} ({home.name})"
        whole = (*LITEMEM, "--home", str(home), *words)
        yield Command(name=name, arguments=whole, most=MOST.get(words, {}))


def imports() -> Iterator[Command]:
    """Yield what imports are measured: ours, and of the libraries below."""
    yield Command(name="python alone", arguments=(sys.executable, "-c", ""))
    for name in (*IMPORTS, *LIBRARIES):
        arguments = (sys.executable, "-c", f"import {name}")
        yield Command(name=f"`import {name}`", arguments=arguments)


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark from the command line."""
    options, positive = parser("start", __doc__), at_least(1)
    options.add_argument("--runs", type=positive, default=15)
    options.add_argument("--few", type=positive, default=200, help="facts in the home with a model")
    options.add_argument("--many", type=positive, default=10_000, help="facts in the one without")
    options.add_argument(
        "--model", type=model, default="me5-small-q4", help="of the first; none: keywords only"
    )
    options.add_argument("--json", type=writable, help="write the figures to this file too")
    said = options.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        few, many = Path(folder) / "few", Path(folder) / "many"
        make_home(few, said.few, said.model)
        make_home(many, said.many, "none")
        floor = Command(name='`python -c "import click"`', arguments=FLOOR)
        measured = [floor, *commands(few, many, said.model), *imports()]
        for number in range(said.runs + 1):
            for command in measured:
                command.run(number)
    print("| command (home) | wall ms | x floor | CPU ms | x floor | peak MB | to reach |")
    print("|---|---|---|---|---|---|---|")
    for command in measured:
        del command.pairs[0]  # it wrote the bytecode
        print(command.row())
    save(said.json, {command.name: command.figures() for command in measured})
