"""`litemem watch` as a process."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import Run

WITHOUT = "import sys; sys.modules['watchfiles'] = None; from litemem.cli import run; run()"


class Watch:
    """A running `litemem watch`."""

    def __init__(self, *arguments: str, without: bool = False) -> None:
        start = ("-c", WITHOUT) if without else ("-m", "litemem.cli")
        self.process = subprocess.Popen(
            [sys.executable, *start, "watch", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._lines = queue.Queue[str]()
        assert self.process.stderr is not None
        self.first = self.process.stderr.readline()
        threading.Thread(target=self._read, daemon=True).start()
        time.sleep(0.3)

    def line(self) -> str:
        """Return the next line that it prints."""
        return self._lines.get(timeout=5)

    def end(self, by: int) -> tuple[int, str]:
        """Send a signal; return the exit code and what is on stderr."""
        self.process.send_signal(by)
        code = self.process.wait(5)
        assert self.process.stderr is not None
        return code, self.process.stderr.read()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))


@contextmanager
def watching(*arguments: str, without: bool = False) -> Iterator[Watch]:
    watch = Watch(*arguments, without=without)
    try:
        yield watch
    finally:
        watch.process.kill()
        watch.process.wait()
        for stream in (watch.process.stdout, watch.process.stderr):
            assert stream is not None
            stream.close()


@pytest.fixture
def memory_dir(run: Run, tmp_path: Path) -> Path:
    run("remember", "likes tea")
    return tmp_path / "home" / "memory"


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_each_change_is_a_line_and_a_signal_ends_it(memory_dir: Path, by: signal.Signals) -> None:
    with watching() as watch:
        begun = time.monotonic()
        (memory_dir / "2026-02-01.md").write_text("- owns a kayak\n")

        assert watch.first == f"watching {memory_dir.parent}; Ctrl-C ends it\n"
        assert watch.line() == "added   memory/2026-02-01.md"
        assert time.monotonic() - begun < 2
        assert watch.end(by) == (0, "")


def test_a_line_that_cant_be_read_is_named(memory_dir: Path) -> None:
    with watching() as watch:
        (memory_dir / "2026-02-01.md").write_text('- tea <!-- {"id":7} -->\n')

        assert watch.line() == "added   memory/2026-02-01.md"
        _, said = watch.end(signal.SIGTERM)
        assert said.startswith("litemem: memory/2026-02-01.md:1: ")


def test_each_change_may_be_a_line_of_json(memory_dir: Path) -> None:
    with watching("--json") as watch:
        (memory_dir / "2026-02-01.md").write_text('- tea <!-- {"id":7} -->\n')

        said = json.loads(watch.line())
        assert (said["kind"], said["path"]) == ("added", "memory/2026-02-01.md")
        assert said["problems"][0]["line"] == 1


def test_one_user_may_be_watched_alone(memory_dir: Path) -> None:
    ada = memory_dir.parent / "users" / "ada" / "memory"
    ada.mkdir(parents=True)
    with watching("--user", "ada") as watch:
        (memory_dir / "2026-02-01.md").write_text("- owns a kayak\n")
        (ada / "2026-02-02.md").write_text("- owns a kayak\n")

        assert watch.line() == "added   users/ada/memory/2026-02-02.md"


def test_without_the_package_it_looks_and_says_so_once(memory_dir: Path) -> None:
    with watching(without=True) as watch:
        for number in (1, 2):
            begun = time.monotonic()
            (memory_dir / f"2026-02-0{number}.md").write_text("- owns a kayak\n")
            assert watch.line() == f"added   memory/2026-02-0{number}.md"
            assert time.monotonic() - begun < 2

        code, said = watch.end(signal.SIGTERM)
        assert code == 0
        assert said.count("watchfiles isn't installed") == said.count("\n") == 1


def test_looking_alone_can_be_asked_for(memory_dir: Path) -> None:
    with watching("--poll", without=True) as watch:
        (memory_dir / "2026-02-01.md").write_text("- owns a kayak\n")

        assert watch.line() == "added   memory/2026-02-01.md"
        assert watch.end(signal.SIGINT) == (0, "")
