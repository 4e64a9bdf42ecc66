"""
How soon an MCP client is answered, each time by a process it starts.

    python -m tests.benchmarks mcp [--runs 15] [--facts 200] [--model me5-small-q4] [--json FILE]

From the start of the process to the answer of the handshake, and to that of the first search, which
waits for the model. In turn with a server of the same SDK whose one tool does nothing. The
facts are made up.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks.options import at_least, model, parser, writable
from tests.benchmarks.spent import Figure, rows, save
from tests.benchmarks.start import LITEMEM, make_home

ANSWER_S = 1.5  # asked: from the start to the first answer, warm
BARE = """from mcp.server.mcpserver import MCPServer

server = MCPServer("bare")


@server.tool()
def search(query: str) -> str:
    return query


server.run()
"""
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


def answered(command: Sequence[str]) -> tuple[float, float]:
    """Start a server and return the seconds until its handshake, and until its first search."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    ) as server:

        def ask(method: str, params: dict[str, Any], id_: int | None = None) -> None:
            message = {"jsonrpc": "2.0", "method": method, "params": params}
            assert server.stdin is not None
            assert server.stdout is not None
            with suppress(BrokenPipeError):  # it ended, and its stderr says why
                server.stdin.write(json.dumps(message if id_ is None else {**message, "id": id_}))
                server.stdin.write("\n")
                server.stdin.flush()
            line = "" if id_ is None else server.stdout.readline()
            if id_ is not None and (not line or "result" not in json.loads(line)):
                said = server.communicate()[1]
                sys.exit(f"{' '.join(command)}: no answer to {method}: {line}{said}")

        ask("initialize", HELLO, 1)
        handshake = time.perf_counter() - started
        ask("notifications/initialized", {})
        ask("tools/call", {"name": "search", "arguments": {"query": "where is the piano"}}, 2)
        return handshake, time.perf_counter() - started


def figures(
    ours: Sequence[tuple[float, float]], bare: Sequence[tuple[float, float]]
) -> list[Figure]:
    """Return the medians, with how far they scatter."""
    made = []
    for name, place in (("handshake", 0), ("first search", 1)):
        times, floor = sorted(run[place] for run in ours), median(run[place] for run in bare)
        told = f"{times[0]:.2f} to {times[-1]:.2f}; a bare server {floor:.2f}"
        made.append(Figure(name=name, value=median(times), unit="s", most=ANSWER_S, of=told))
    return made


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark from the command line."""
    options = parser("mcp", __doc__)
    options.add_argument("--runs", type=at_least(1), default=15)
    options.add_argument("--facts", type=at_least(1), default=200)
    options.add_argument("--model", type=model, default="me5-small-q4")
    options.add_argument("--json", type=writable, help="write the figures to this file too")
    said = options.parse_args(arguments)
    import_module("mcp")  # an extra: before anything is made
    with tempfile.TemporaryDirectory() as folder:
        home, bare = Path(folder) / "home", Path(folder) / "bare.py"
        make_home(home, said.facts, said.model)
        bare.write_text(BARE, encoding="utf-8")
        commands = (*LITEMEM, "mcp", "--home", str(home)), (sys.executable, str(bare))
        runs = [[answered(command) for command in commands] for _ in range(said.runs + 1)]
    told = figures(*zip(*runs[1:], strict=True))  # the first wrote the bytecode
    print("\n".join(map(str, told)))
    save(said.json, rows(told))
