"""A peer's worker, told what to do and timed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any

from tests.benchmarks.peers.venvs import REPOSITORY, Peer, Unavailable

END_S = 30
SYNCS = "trace=fsync,fdatasync,msync,sync_file_range"


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """What one command took in the worker."""

    wall_s: float
    cpu_s: float  # of all its threads
    result: Any  # Any: what the command gives, as JSON


class Process:
    """One running worker."""

    def __init__(
        self,
        peer: Peer,
        python: Path,
        folder: Path,
        work: Path,
        *,
        timeout_s: float,
        traced: Path | None = None,
    ) -> None:
        """Start it; with `traced`, strace notes the calls that force bytes to the disk there."""
        self.peer, self.folder, self._timeout_s = peer, folder, timeout_s
        command = [str(python), "-m", "tests.benchmarks.peers.worker"]
        if traced is not None:
            command = ["strace", "-f", "-q", "-e", SYNCS, "-o", str(traced), *command]
        folder.mkdir(parents=True, exist_ok=True)
        self._errors = folder.with_suffix(".stderr")
        with self._errors.open("w") as errors:
            self._process = subprocess.Popen(
                [*command, peer.module, str(folder), str(work)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                cwd=REPOSITORY,
                env=os.environ | {"HF_HUB_OFFLINE": "1"},
            )
        self.pid = self._process.pid
        self._answer()

    def do(self, what: str, **arguments: int) -> Took:
        """
        Let it do one thing.

        Raises:
            Unavailable: it ended or didn't answer in time, with its last words.
        """
        assert self._process.stdin is not None
        line = json.dumps({"do": what, **arguments})
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            self.kill()
            raise Unavailable(self._last_words()) from error
        return Took(**self._answer())

    def kill(self) -> None:
        """End it at once, as `kill -9` does."""
        self._process.kill()
        with suppress(BrokenPipeError), self._process:
            pass  # closes its pipes and waits

    def close(self) -> None:
        """Close the store and end."""
        self.do("close")
        assert self._process.stdin is not None
        self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_S)
        self.kill()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        timer = Timer(self._timeout_s, self._process.kill)
        timer.daemon = True
        timer.start()
        started = time.monotonic()
        try:
            line = self._process.stdout.readline()
        except BaseException:  # Ctrl-C: it would go on writing into a folder that is removed
            self.kill()
            raise
        finally:
            timer.cancel()
        if line:
            said: dict[str, Any] = json.loads(line)
            return said
        late = time.monotonic() - started >= self._timeout_s
        self.kill()
        if late:
            raise Unavailable(f"no answer within {self._timeout_s:.0f} s")
        raise Unavailable(self._last_words())

    def _last_words(self) -> str:
        lines = self._errors.read_text(encoding="utf-8", errors="replace").splitlines()
        said = [line for line in lines if line.strip()]
        return (said or ["ended without a word"])[-1][:200]


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """What a whole process took."""

    wall_s: float
    cpu_s: float


def first_search(peer: Peer, python: Path, folder: Path, work: Path) -> Whole:
    """Start a process, open a store, search once and end."""
    command = [str(python), "-m", "tests.benchmarks.peers.worker", peer.module]
    asked = json.dumps({"do": "search", "query": 0, "k": 10}) + "\n"
    started = time.perf_counter()
    child = subprocess.Popen(
        [*command, str(folder), str(work)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=REPOSITORY,
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
    )
    assert child.stdin is not None
    with child.stdin:
        child.stdin.write(asked)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise Unavailable(f"a second process fails with {child.returncode}")
    wall = time.perf_counter() - started
    return Whole(wall_s=wall, cpu_s=used.ru_utime + used.ru_stime)


def disk_bytes(folder: Path) -> int:
    """Return what a folder's files hold."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def can_trace() -> bool:
    """Whether strace is there."""
    return shutil.which("strace") is not None


def syncs(trace: Path) -> int:
    """Return how many calls strace noted."""
    text = trace.read_text(encoding="utf-8", errors="replace")
    return sum(1 for line in text.splitlines() if "sync" in line and "resumed" not in line)


def times(found: Sequence[Took]) -> tuple[list[float], list[float]]:
    """Return wall and CPU times in milliseconds, sorted."""
    return (
        sorted(1000 * one.wall_s for one in found),
        sorted(1000 * one.cpu_s for one in found),
    )
