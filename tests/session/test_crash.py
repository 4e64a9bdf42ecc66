"""Writers killed at random moments, and several at once: old state or new state, nothing lost."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from litemem.session import SessionStore
from litemem.session.rewrite import read_lines
from litemem.text import jsjson
from tests.session.turns import path_of, turn

APPEND = """
import sys
from litemem.session import SessionStore
store = SessionStore(sys.argv[1], fsync=False)
graph = store.load_session("s")
for n in range(100_000):
    node = store.append_turn(graph, {"role": "user", "blocks": [], "pad": "x" * (n % 7 * 40_000)})
    print(node.id, flush=True)
"""
CHURN = """
import sys
from itertools import count
from litemem.session import SessionStore, redact_node, repair
store = SessionStore(sys.argv[1], fsync=False)
path = store.folder.root / "s.jsonl"
for n in count():
    graph = store.load_session("s")
    nodes = [store.append_turn(graph, {"role": "user", "blocks": [], "pad": "x" * 500})
             for _ in range(3)]
    store.compact(graph, {"role": "user", "blocks": [f"sum {n}"]}, at=2)
    with open(path, "ab") as file:
        file.write(b'{"torn')
    repair(store, "s")
    if n % 3 == 2:
        redact_node(store, "s", nodes[0].id)
    print(nodes[-1].id, flush=True)
"""
WRITER = """
import sys
from litemem.errors import Conflict
from litemem.session import SessionStore
root, name, turns, size, fork = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
store = SessionStore(root, fsync=False, lock_timeout_s=300)
graph = store.load_session("s")
for n in range(turns):
    turn = {"role": "user", "blocks": [], "by": name, "n": n, "pad": "x" * size}
    while True:
        try:
            store.append_turn(graph, turn, fork=bool(fork))
            break
        except Conflict:
            graph = store.load_session("s")
"""


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a Python process."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, text=True
    )


def killed(code: str, root: Path, chance: random.Random) -> list[str]:
    """Run code until a random moment after its first word, and return what it said."""
    with start(code, root) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(chance.uniform(0, 0.1))
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read()
    return [first.strip(), *(line for line in rest.split("\n")[:-1])]


@pytest.mark.timeout(240)
@pytest.mark.parametrize("code", [APPEND, CHURN], ids=["append", "repair"])
def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path: Path, code: str) -> None:
    store, chance = SessionStore(tmp_path, fsync=False), random.Random(3)
    acknowledged: list[str] = []
    for _ in range(8):
        acknowledged += killed(code, tmp_path, chance)
        graph = store.load_session("s")
        path = [node.id for node in graph.nodes_to(str(graph.leaf))]
        kinds = {finding.kind for finding in graph.report.findings}

        assert [node for node in path if node in set(acknowledged)] == acknowledged
        assert kinds <= {"torn line", "bad line", "node without head"}
        store.append_turn(graph, turn("after"))
        assert store.load_session("s", check_ids=True).report.of("id mismatch") == ()


def records(path: Path) -> list[object]:
    return [jsjson.loads(line.decode()) for line in read_lines(path)]


def run_writers(root: Path, *, writers: int, turns: int, size: int, fork: int) -> None:
    running = [start(WRITER, root, f"w{n}", turns, size, fork) for n in range(writers)]
    for process in running:
        process.communicate()
        assert process.returncode == 0


@pytest.mark.timeout(240)
@pytest.mark.parametrize("fork", [0, 1], ids=["chained", "forked"])
def test_six_processes_lose_no_turn(store: SessionStore, fork: int) -> None:
    run_writers(store.folder.root, writers=6, turns=12, size=20_000, fork=fork)
    graph = store.load_session("s", strict=True, check_ids=True)
    turns = [node.turn for node in graph.all()]

    assert len(records(path_of(store))) == 2 * 72
    for n in range(6):
        assert [turn["n"] for turn in turns if turn["by"] == f"w{n}"] == list(range(12))
    assert fork or len(graph.nodes_to(str(graph.leaf))) == 72
