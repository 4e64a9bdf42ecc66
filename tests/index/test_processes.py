"""Several processes share one index; some are killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from litemem.index.rebuild import side_index, swap
from litemem.index.store import Index
from tests.index.made import FINGERPRINT, fact, facts, fill, source

START = """
import sys
from pathlib import Path
from litemem.index.store import Index
from tests.index.made import FINGERPRINT, fact, fill, source
path, me = Path(sys.argv[1]), sys.argv[2]
"""
WRITE = """
with Index.open(path, FINGERPRINT) as index:
    for n in range(20):
        index.extend_source(source(f"{me}.md"), [fact(f"{me}-{n}", minute=n)])
"""
READ = """
with Index.open(path, FINGERPRINT) as index:
    print("ready", flush=True)
    while not Path(sys.argv[3]).exists():
        ids = {one.doc.id[0] for one in index.facts("default")}
        assert len(ids) == 1, ids
        with index.reading() as db:
            rows = db.execute("select count(*) from doc where state = 0").get
            words = db.execute("select count(*) from words where words match 'text'").get
            vectors = db.execute("select count(*) from vec").get
            assert rows == words == vectors == 50, (rows, words, vectors)
"""
WRITE_ON = """
with Index.open(path, FINGERPRINT) as index:
    print("ready", flush=True)
    n = 0
    while True:
        n += 1
        index.extend_source(source(f"{me}.md"), [fact(f"{me}-{n}", minute=n)])
        if n % 10 == 0:
            fill(index)
            index.put_source(source(f"{me}.md"), [fact(f"{me}-{i}", minute=i) for i in range(5)])
"""


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a process that uses the index."""
    command = [sys.executable, "-c", START + script, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(processes: Sequence[subprocess.Popen[str]]) -> list[str]:
    """Wait for processes; return what they complained of."""
    return [process.communicate(timeout=100)[1] for process in processes]


def wait_until_ready(process: subprocess.Popen[str]) -> None:
    """Wait until a process has opened the index."""
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"


def test_processes_that_make_the_index_together_lose_nothing(path: Path) -> None:
    complaints = ended([start(WRITE, path, f"p{n}") for n in range(6)])

    assert complaints == [""] * 6
    with Index.open(path, FINGERPRINT) as index:
        assert len(index.facts("default")) == 120


def test_readers_see_the_old_or_the_new_index_during_swaps(path: Path, tmp_path: Path) -> None:
    stop = tmp_path / "stop"
    with Index.open(path, FINGERPRINT) as index:
        index.put_source(source(), facts(*(f"a{n}" for n in range(50))))
        fill(index)
    readers = [start(READ, path, n, stop) for n in range(2)]
    for reader in readers:
        wait_until_ready(reader)
    for letter in "bcdefghi":
        with side_index(path, FINGERPRINT) as side:
            side.put_source(source(), facts(*(f"{letter}{n}" for n in range(50))))
            fill(side)
            swap(path, side)
    stop.touch()

    assert ended(readers) == ["", ""]


def test_writers_go_on_after_a_swap(path: Path, tmp_path: Path) -> None:
    writer = start(WRITE_ON, path, "w")
    wait_until_ready(writer)
    for _ in range(5):
        with side_index(path, FINGERPRINT) as side:
            swap(path, side)
        time.sleep(0.1)
    with Index.open(path, FINGERPRINT) as index:
        deadline = time.monotonic() + 20
        while not index.sources() and time.monotonic() < deadline:
            time.sleep(0.01)
        seen = list(index.sources())
        writer.kill()
        writer.communicate()

        assert seen == ["w.md"]
        with index.reading() as db:
            assert db.execute("pragma integrity_check").get == "ok"


@pytest.mark.parametrize("delay_ms", [0, 7, 31, 83, 151])
def test_a_killed_writer_leaves_a_whole_index(path: Path, delay_ms: int) -> None:
    writer = start(WRITE_ON, path, "w")
    wait_until_ready(writer)
    time.sleep(delay_ms / 1000)
    writer.send_signal(signal.SIGKILL)
    writer.communicate()

    with Index.open(path, FINGERPRINT) as index:
        index.extend_source(source("after.md"), [fact("after")])
        fill(index)
        current = len(index.facts("default"))
        with index.reading() as db:
            assert db.execute("pragma integrity_check").get == "ok"
            assert db.execute("select count(*) from words_docsize").get == current
            assert db.execute("select count(*) from vec").get == current
            assert db.execute("select sum(n) from centre").get == current
