"""
What sessions cost: loading against plain json.loads, appending, resuming, many writers.

    python -m tests.benchmarks sessions [--nodes 20000] [--writers 6 --turns 100 --size 1000000]
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from litemem.session import SessionGraph, SessionStore, hash_node
from litemem.text import jsjson

WRITER = """
import sys
from litemem.errors import Conflict
from litemem.session import SessionStore
root, name, turns, size = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
store = SessionStore(root, lock_timeout_s=600)
graph = store.load_session("s")
conflicts = 0
for n in range(turns):
    turn = {"role": "user", "blocks": [], "by": name, "n": n, "pad": "x" * size}
    while True:
        try:
            store.append_turn(graph, turn)
            break
        except Conflict:
            conflicts += 1
            graph = store.load_session("s")
print(conflicts)
"""


def a_turn(n: int, chance: random.Random) -> dict[str, object]:
    """Return one turn of an agent at work, about 600 bytes of JSON."""
    words = " ".join(f"{chance.getrandbits(24):x}" for _ in range(60))
    match n % 4:
        case 0:
            return {"role": "user", "blocks": [{"kind": "text", "text": words}]}
        case 1:
            sought = {"pattern": words[:40], "paths": ["src", "lib"], "max": 10}
            call = {"kind": "tool_call", "id": f"call_{n}", "name": "grep", "input": sought}
            return {"role": "assistant", "blocks": [{"kind": "thinking", "text": words}, call]}
        case 2:
            block = {"kind": "tool_result", "callId": f"call_{n - 1}", "output": words * 2}
            return {"role": "tool", "blocks": [block]}
        case _:
            return {"role": "assistant", "blocks": [{"kind": "text", "text": f"{words} é"}]}


def fill(store: SessionStore, nodes: int) -> SessionGraph:
    """Write session "s" of so many nodes in one append, and load it."""
    chance, graph = random.Random(1), SessionGraph("s")
    store.append_nodes("s", [graph.append(a_turn(n, chance)) for n in range(nodes)])
    return store.load_session("s")


def best_ms(work: Callable[[], object], *, rounds: int = 9) -> float:
    """Return the shortest CPU time of some rounds, in milliseconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        kept = work()
        times.append(time.process_time() - start)
        del kept
    return min(times) * 1000


def plain_loop(path: Path) -> None:
    """Read every line with json.loads, and keep none."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            json.loads(line)


def loading(store: SessionStore, path: Path) -> None:
    """Print what loading costs against plain json.loads of the same lines."""
    plain = best_ms(lambda: plain_loop(path))
    ours = best_ms(lambda: store.load_session("s"))
    print(f"load {path.stat().st_size / 1e6:.1f} MB: {ours:.0f} ms, ", end="")
    print(f"plain json.loads {plain:.0f} ms, ratio {ours / plain:.2f}")
    newest = best_ms(lambda: SessionStore(store.folder.root).resume("s", last_n=50))
    print(f"resume of the last 50 turns: {newest:.2f} ms")


def appending(store: SessionStore, graph: SessionGraph) -> None:
    """Print what the first and the last appends cost, each the best of 9 times 50."""
    chance = random.Random(2)
    fresh = store.load_session("fresh")
    for name, target in (("first", fresh), ("last", graph)):
        ms = best_ms(lambda: [store.append_turn(target, a_turn(3, chance)) for _ in range(50)])  # noqa: B023
        print(f"append, the {name} ones: {ms / 50:.3f} ms")


def many_writers(writers: int, turns: int, size: int) -> None:
    """Let processes append large turns to one session, and check that none is lost."""
    with tempfile.TemporaryDirectory() as root:
        start = time.monotonic()
        command = [sys.executable, "-c", WRITER, root]
        running = [
            subprocess.Popen(
                [*command, f"w{n}", str(turns), str(size)], stdout=subprocess.PIPE, text=True
            )
            for n in range(writers)
        ]
        conflicts = sum(int(process.communicate()[0]) for process in running)
        seconds = time.monotonic() - start
        graph = SessionStore(root).load_session("s", strict=True)
        assert len(graph.nodes_to(str(graph.leaf))) == writers * turns
        print(f"{writers} processes x {turns} turns of {size} bytes: {seconds:.0f} s, ", end="")
        print(f"{conflicts} conflicts, every turn there, no bad line")


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="sessions")
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--writers", type=int, default=0)
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--size", type=int, default=1_000_000)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as root:
        store = SessionStore(root, fsync=False)
        graph = fill(store, options.nodes)
        loading(store, Path(root) / "s.jsonl")
        appending(store, graph)
        turn = a_turn(1, random.Random(3))
        print(f"node id: {best_ms(lambda: [hash_node(None, turn, n) for n in range(1000)]):.1f} µs")
        print(f"JSON: {best_ms(lambda: [jsjson.encode(turn) for _ in range(1000)]):.1f} µs")
    if options.writers:
        many_writers(options.writers, options.turns, options.size)
