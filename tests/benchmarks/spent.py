"""What a piece of work, or a whole process, takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

# The system counts what a process was before it became another one; VmHWM counts from then on.
_COMMAND = """
import re, sys
from pathlib import Path
from litemem.cli import run
peak = Path(sys.argv.pop(1))
try:
    run()
finally:
    status = Path("/proc/self/status").read_text()
    peak.write_text(re.search(r"VmHWM:\\s*(\\d+)", status)[1])
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Time and memory of one piece of work."""

    wall_s: float
    cpu_s: float  # of all threads: about what an idle machine with one core would take
    peak_mib: float = 0.0  # of a process


def spent(work: Callable[[], object]) -> Spent:
    """Do it, and return what it took in this process."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return Spent(wall_s=time.perf_counter() - wall, cpu_s=time.process_time() - cpu)


def middle(all_spent: Iterable[Spent]) -> Spent:
    """Return the medians."""
    found = list(all_spent)
    return Spent(
        wall_s=median(one.wall_s for one in found), cpu_s=median(one.cpu_s for one in found)
    )


def run(*arguments: str | Path, model: str | None = None) -> Spent:
    """Run a Python process to its end, and return what it took. Raises where it fails."""
    environ = dict(os.environ) | ({} if model is None else {"LITEMEM_MODEL": model})
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *map(str, arguments)], stdout=subprocess.DEVNULL, env=environ
    )
    try:
        _, status, usage = os.wait4(process.pid, 0)
    except KeyboardInterrupt:
        process.terminate()
        process.wait()  # it writes to a folder that is removed next
        raise
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    wall_s = time.perf_counter() - started
    return Spent(wall_s=wall_s, cpu_s=usage.ru_utime + usage.ru_stime)


def cli(home: Path, *arguments: str | Path, model: str | None = None) -> Spent:
    """Run a `litemem` command, and return its peak of memory too."""
    with tempfile.TemporaryDirectory() as folder:
        peak = Path(folder) / "peak"
        took = run("-c", _COMMAND, peak, "--home", home, *arguments, model=model)
        return replace(took, peak_mib=int(peak.read_text(encoding="utf-8")) / 1024)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured thing and what is asked of it."""

    name: str
    value: float
    unit: str
    most: float | None = None  # to reach
    of: str = ""  # what else was measured, for people

    @property
    def missed(self) -> bool:
        """Whether it's more than it may be."""
        return self.most is not None and self.value > self.most

    def __str__(self) -> str:
        asked = "" if self.most is None else f"<= {self.most:g}"
        verdict = "" if self.most is None else "MISSED" if self.missed else "reached"
        return f"  {self.name:52} {self.value:9.2f} {self.unit:7} {asked:8} {verdict:8} {self.of}"


def save(path: Path | None, found: object) -> None:
    """Write what was found until now as JSON, where a file was asked for."""
    if path is not None:
        path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def rows(figures: Sequence[Figure]) -> list[dict[str, object]]:
    """Return figures as JSON."""
    return [
        {"name": one.name, "value": one.value, "unit": one.unit, "most": one.most, "of": one.of}
        for one in figures
    ]
