"""Several processes at once, and processes that are killed: nothing lost, nothing half."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import litemem

WRITER = """
import sys, litemem
home, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with litemem.open(home, model="hash") as memory:
    for number in range(count):
        print(memory.remember(f"fact {number} of {name}").id, flush=True)
"""
SEARCHER = """
import sys, time, litemem
end = time.monotonic() + float(sys.argv[2])
with litemem.open(sys.argv[1], model="hash") as memory:
    while time.monotonic() < end:
        for mode in ("keyword", "hybrid"):
            assert all("fact" in hit.content for hit in memory.search("fact", mode=mode))
print("fine")
"""
CHURN = """
import os, random, sys, litemem
home, name = sys.argv[1], sys.argv[2]
chance = random.Random(int(name))
with litemem.open(home, model="hash") as memory:
    known = []
    for number in range(10_000):
        what = chance.choice(["remember"] * 4 + ["block", "forget", "rebuild"])
        if what == "remember":
            text = f"fact {number} of {name}"
            known.append(memory.remember(text).id)
            print("+", known[-1], flush=True)
        elif what == "block":
            memory.blocks.set("persona", f"{number:>6}" * 2000)
        elif what == "rebuild":
            memory.rebuild()
        elif known:
            gone = known.pop(chance.randrange(len(known)))
            print("?", gone, flush=True)
            memory.forget(gone)
            print("-", gone, flush=True)
"""


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a Python process."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.timeout(300)
def test_eight_writers_and_a_searcher_share_an_empty_home(tmp_path: Path) -> None:
    home = tmp_path / "home"
    writers = [start(WRITER, home, f"w{n}", 50) for n in range(8)]
    searcher = start(SEARCHER, home, 4)

    ids = set()
    for writer in writers:
        out, err = writer.communicate()
        assert writer.returncode == 0, err
        ids |= set(out.split())
    out, err = searcher.communicate()

    assert (searcher.returncode, out) == (0, "fine\n"), err
    assert len(ids) == 400
    with litemem.open(home) as memory:
        assert {fact.id for fact in memory.list()} == ids
        logs = [memory.log(day) for day in memory.log_days()]
    assert sum(log.count("<!-- ") for log in logs) == 400
    assert [len(re.findall(r"^# \d", log, re.MULTILINE)) for log in logs] == [1] * len(logs)


def _killed(home: Path, name: int, delay_s: float) -> list[str]:
    """Run the churn, kill it after a while, and return what it had acknowledged."""
    process = start(CHURN, home, name)
    assert process.stdout is not None
    lines = [process.stdout.readline()]
    time.sleep(delay_s)
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read()  # not communicate(): it would miss what readline has buffered
    process.communicate()
    lines += [line for line in rest.splitlines(keepends=True) if line.endswith("\n")]
    return [line.strip() for line in lines]


def _check(home: Path, acknowledged: list[str]) -> None:
    kept = {line[2:] for line in acknowledged if line.startswith("+")}
    gone = {line[2:] for line in acknowledged if line.startswith("-")}
    unsure = {line[2:] for line in acknowledged if line.startswith("?")}
    with litemem.open(home) as memory:
        ids = {fact.id for fact in memory.list()}
        assert kept - unsure <= ids
        assert not gone & ids
        assert memory.search("fact", mode="keyword").hits or not ids
        persona = memory.blocks.get("persona")
        assert persona == persona[:6] * 2000
        assert not memory.doctor().problems
    assert not list(home.rglob("*.tmp"))


def _kill_often(home: Path, times: int) -> None:
    chance = random.Random(11)
    for name in range(times):
        _check(home, _killed(home, name, chance.uniform(0, 0.15)))


@pytest.mark.timeout(300)
def test_acknowledged_facts_survive_kills(tmp_path: Path) -> None:
    _kill_often(tmp_path / "home", 15)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_acknowledged_facts_survive_two_hundred_kills(tmp_path: Path) -> None:
    for part in range(10):
        _kill_often(tmp_path / str(part), 20)
