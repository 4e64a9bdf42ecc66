"""
What sessions cost: loading against plain json.loads, appending, resuming, many writers.

    python -m tests.benchmarks sessions [--nodes 20000] [--writers 6 --turns 100 --size 1000000]
                                        [--json FILE]

Times are the shortest of nine, as CPU time and without fsync; they are judged from 20,000 nodes on.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from litemem.session import SessionGraph, SessionStore, hash_node
from litemem.text import jsjson
from tests.benchmarks.options import at_least, parser, writable
from tests.benchmarks.spent import Figure, rows, save

JUDGED_FROM = 20_000  # nodes
LOAD_RATIO, APPEND_RATIO, APPEND_MS = 1.2, 2.0, 3.0  # to reach

WRITER = """
import signal, sys
from litemem.errors import Conflict
from litemem.session import SessionStore
signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback of each writer
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


def loading(store: SessionStore, path: Path, nodes: int) -> Iterator[Figure]:
    """Measure what loading costs against plain json.loads of the same lines."""
    plain = best_ms(lambda: plain_loop(path))
    ours = best_ms(lambda: store.load_session("s"))
    newest = best_ms(lambda: SessionStore(store.folder.root).resume("s", last_n=50))
    told = f"{path.stat().st_size / 1e6:.1f} MB: {ours:.0f} and {plain:.0f} ms"
    name = f"load {nodes:,} nodes, to plain json.loads"
    most = LOAD_RATIO if nodes >= JUDGED_FROM else None
    yield Figure(name=name, value=ours / plain, unit="x", most=most, of=told)
    yield Figure(name="resume of the last 50 turns", value=newest, unit="ms CPU")


def appending(store: SessionStore, graph: SessionGraph, nodes: int) -> Iterator[Figure]:
    """Measure what the first and the last appends cost, each the best of 9 times 50."""
    chance = random.Random(2)
    first, last = (
        best_ms(lambda: [store.append_turn(target, a_turn(3, chance)) for _ in range(50)]) / 50  # noqa: B023
        for target in (store.load_session("fresh"), graph)
    )
    judged = nodes >= JUDGED_FROM
    yield Figure(name="append to a new session", value=first, unit="ms CPU")
    name = f"append after {nodes:,} nodes"
    yield Figure(name=name, value=last, unit="ms CPU", most=APPEND_MS if judged else None)
    most = APPEND_RATIO if judged else None
    yield Figure(name=f"{name}, to a new session", value=last / first, unit="x", most=most)


def parts() -> Iterator[Figure]:
    """Measure what every append does: its id and its line."""
    turn = a_turn(1, random.Random(3))
    thousand = best_ms(lambda: [hash_node(None, turn, n) for n in range(1000)])
    yield Figure(name="id of a node", value=thousand, unit="µs CPU")
    thousand = best_ms(lambda: [jsjson.encode(turn) for _ in range(1000)])
    yield Figure(name="JSON of a node", value=thousand, unit="µs CPU")


def many_writers(writers: int, turns: int, size: int) -> Iterator[Figure]:
    """Let processes append large turns to one session, and count what is lost."""
    with tempfile.TemporaryDirectory() as root:
        start = time.monotonic()
        command = [sys.executable, "-c", WRITER, root]
        running = [
            subprocess.Popen([*command, f"w{n}", str(turns), str(size)], stdout=subprocess.PIPE)
            for n in range(writers)
        ]
        try:
            said = [process.communicate()[0] for process in running]
        finally:
            for process in running:
                process.kill()  # those that are left after Ctrl-C
        seconds = time.monotonic() - start
        if any(process.returncode for process in running):
            sys.exit("a writer failed")
        graph = SessionStore(root).load_session("s", strict=True)
    lost = writers * turns - (len(graph.nodes_to(graph.leaf)) if graph.leaf else 0)
    told = f"of {writers} processes, {turns} each of {size} bytes, in {seconds:.0f} s"
    yield Figure(name="turns lost", value=lost, unit="", most=0, of=told)
    yield Figure(name="conflicts, each tried again", value=sum(map(int, said)), unit="")


def measured(nodes: int) -> Iterator[Figure]:
    """Measure one session of so many nodes."""
    with tempfile.TemporaryDirectory() as root:
        store = SessionStore(root, fsync=False)
        graph = fill(store, nodes)
        yield from loading(store, Path(root) / "s.jsonl", nodes)
        yield from appending(store, graph, nodes)
    yield from parts()


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark."""
    options = parser("sessions", __doc__)
    options.add_argument("--nodes", type=at_least(1), default=JUDGED_FROM)
    options.add_argument("--writers", type=at_least(0), default=0)
    options.add_argument("--turns", type=at_least(1), default=100, help="of each writer")
    options.add_argument("--size", type=at_least(0), default=1_000_000, help="bytes of such a turn")
    options.add_argument("--json", type=writable, help="write the figures to this file too")
    asked = options.parse_args(arguments)
    found: list[Figure] = []
    writers = many_writers(asked.writers, asked.turns, asked.size) if asked.writers else ()
    for figure in chain(measured(asked.nodes), writers):
        print(figure, flush=True)
        found.append(figure)
        save(asked.json, rows(found))
