"""
What one process holds in memory: `python -m tests.benchmarks.memory [INDEX QUERIES]`.

Prints the resident MiB, its own and those of mapped files (which the kernel can take back), after
onnxruntime has embedded one text and, where an index is named, after searches with the queries of a
file: a JSON list of texts and vectors in hex.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

from litemem.embed.locate import find_model
from litemem.embed.onnx import OnnxEmbedder
from tests.benchmarks.ours import Ours
from tests.benchmarks.synthetic import Query


def main() -> None:
    """Print the figures."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # who asked says enough
    embedder = OnnxEmbedder(find_model(None, {}), threads=1)
    embedder.embed_query("what did she say about the beach?")
    if len(sys.argv) < 3:
        _print_resident()
        return
    said = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    queries = [Query(text=text, vector=bytes.fromhex(vector)) for text, vector in said]
    ours = Ours(Path(sys.argv[1]), queries)
    with ours.index:
        for query in queries[: len(queries) // 2]:  # starts to load the vectors
            ours.search(query)
        ours.load()
        for query in queries:
            ours.search(query)
        _print_resident()


def _print_resident() -> None:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    fields = dict(line.split(":", 1) for line in status.splitlines())
    print(*(int(fields[name].split()[0]) / 1024 for name in ("RssAnon", "RssFile")))


if __name__ == "__main__":
    main()
