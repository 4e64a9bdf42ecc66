"""
What one process holds in memory: `python -m tests.benchmarks.memory [INDEX ROWS]`.

Prints MiB after onnxruntime has embedded one text and, where an index is named, after searches.
Pages of the file that are only mapped count too.
"""

from __future__ import annotations

import sys
from pathlib import Path

from litemem.embed.locate import find_model
from litemem.embed.onnx import OnnxEmbedder
from tests.benchmarks.ours import Ours
from tests.benchmarks.synthetic import Corpus


def main() -> None:
    """Print the figure."""
    embedder = OnnxEmbedder(find_model(None, {}), threads=1)
    embedder.embed_query("what did she say about the beach?")
    if len(sys.argv) > 2:
        queries = Corpus(int(sys.argv[2])).queries(20)
        ours = Ours(Path(sys.argv[1]), queries)
        for query in queries:
            ours.search(query)
        ours.index.close()
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    fields = dict(line.split(":", 1) for line in status.splitlines())
    print(int(fields["VmRSS"].split()[0]) / 1024)
    print({k: fields[k].strip() for k in ("VmHWM", "RssAnon", "RssFile")}, file=sys.stderr)


if __name__ == "__main__":
    main()
