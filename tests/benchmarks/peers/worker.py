"""
One peer's process: `python -m tests.benchmarks.peers.worker MODULE FOLDER WORK`.

It reads commands as lines of JSON and answers each with one: what it took and what came out. What
fails ends the process, and its last line of stderr is the reason. Python code that wants to reach
another machine is told that there is no network, and what it wanted to reach is noted.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

from tests.benchmarks.peers.rows import Given, Row, Store, Traits, read

LOCAL = ("127.", "::1", "localhost")


class Offline:
    """Keeps Python code from the network."""

    def __init__(self) -> None:
        self.wanted: set[str] = set()

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:  # Any: of any event
        if event == "socket.getaddrinfo":
            self._refuse(str(arguments[0]))
        elif event == "socket.connect" and isinstance(arguments[1], tuple):
            self._refuse(str(arguments[1][0]))

    def _refuse(self, host: str) -> None:
        if host not in ("", "None") and not host.startswith(LOCAL):
            self.wanted.add(host)
            raise OSError(f"no network here: {host}")


class Worker:
    """One open store and what it is asked."""

    def __init__(self, module: str, folder: Path, work: Path, offline: Offline) -> None:
        self._work, self._offline = work, offline
        self._queries = read(work / "queries.jsonl")
        self._rows: list[Row] = []
        self._given = Given(self._queries)
        traits = Traits(**json.loads((work / "traits.json").read_text(encoding="utf-8")))
        make: type[Store] = import_module(f"tests.benchmarks.peers.{module}").Store
        self._store = make(folder, traits, self._given)

    def add(self, first: int, last: int) -> Callable[[], object]:
        """Store rows first..last - 1."""
        if not self._rows:
            self._rows = read(self._work / "rows.jsonl")
            self._given.know(self._rows)
        chosen = self._rows[first:last]
        return lambda: self._store.add(chosen)

    def search(self, query: int, k: int) -> Callable[[], object]:
        """Ask one of the queries."""
        text = self._queries[query].text
        return lambda: self._store.search(text, k)

    def delete(self, row: int) -> Callable[[], object]:
        """Remove a row."""
        id_ = self._rows[row].id
        return lambda: self._store.delete(id_)

    def ids(self) -> Callable[[], object]:
        """List what is stored."""
        return self._store.ids

    def wanted(self) -> Callable[[], object]:
        """List the hosts that Python code wanted to reach."""
        return lambda: sorted(self._offline.wanted)

    def resident(self) -> Callable[[], object]:
        """Return the resident memory in MiB; where the system tells no more, its peak."""
        status = Path("/proc/self/status")
        if status.exists():
            found = re.search(r"VmRSS:\s*(\d+)", status.read_text(encoding="utf-8"))
            return lambda: int(found[1]) / 1024 if found else 0.0
        peak = getrusage(RUSAGE_SELF).ru_maxrss
        return lambda: peak / (1024**2 if sys.platform == "darwin" else 1024)

    def close(self) -> Callable[[], object]:
        """End the store's work."""
        return self._store.close


def main() -> None:
    """Answer until there are no more commands."""
    offline = Offline()
    sys.addaudithook(offline)
    answers = sys.stdout
    sys.stdout = sys.stderr  # libraries that print don't answer
    module, folder, work = sys.argv[1:]
    worker = Worker(module, Path(folder), Path(work), offline)
    print(json.dumps({"result": "open"}), file=answers, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        do = getattr(worker, asked.pop("do"))(**asked)
        cpu, wall = time.process_time(), time.perf_counter()
        result = do()
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        said = {"wall_s": wall, "cpu_s": cpu, "result": result}
        print(json.dumps(said), file=answers, flush=True)


if __name__ == "__main__":
    main()
