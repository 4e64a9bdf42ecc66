"""
How well real questions find their answers, through the library as a user has it.

    python -m tests.benchmarks retrieval --data DIR [--sets locomo,...] [--model fast]
                                         [--by-category] [--json FILE] [--against FORMER.json]

DIR/SET/dev/corpus.jsonl has lines {"id", "conv", "session_id", "ts", "role", "text"}, queries.jsonl
{"id", "conv", "text", "gold", "gold_sessions", "category"}. Each conversation is one home, each row
one fact; a session is a chat and the role is the speaker. The data is not part of this project.
Beside each mean stands its 95 % bootstrap interval: over the conversations where a set has at least
eight (memdaily_zh, beam100k), as queries about one aren't independent; else over the queries.
--json writes after each set; FORMER.json is such a file, compared query by query.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import litemem
from litemem.embed.locate import DEFAULT_MODEL, MODEL_VARIABLE
from litemem.errors import FormatError
from litemem.memory.memory import Memory
from litemem.memory.new import NewFact
from litemem.memory.search import Mode
from tests.benchmarks.options import at_least, contents, dev_folders, parser, sets, writable
from tests.benchmarks.scores import DEPTH, Answer, Run, compared, read, table, write

KEYS = {
    "corpus.jsonl": {"id", "conv", "session_id", "ts", "role", "text"},
    "queries.jsonl": {"id", "conv", "text", "gold", "gold_sessions", "category"},
}


def load(memory: Memory, rows: Iterable[dict[str, Any]]) -> None:
    """Remember the rows of a conversation as facts."""
    memory.remember_many(
        NewFact(
            content=row["text"],
            chat_id=row["session_id"] or None,
            speaker=None if row["role"] == "note" else row["role"],
            created_at=datetime.fromisoformat(row["ts"]).replace(tzinfo=UTC) if row["ts"] else None,
            metadata={"id": row["id"]},
        )
        for row in rows
        if row["text"].strip()
    )


def ask(memory: Memory, query: dict[str, Any], mode: Mode, run: Run) -> None:
    """Search for one query."""
    started = time.perf_counter()
    results = memory.search(query["text"], DEPTH, mode=mode)
    seconds = time.perf_counter() - started
    hits = results.hits
    answer = Answer(
        id=query["id"],
        category=query["category"],
        gold=frozenset(query["gold"]),
        gold_sessions=frozenset(query["gold_sessions"]),
        ranked=tuple(hit.metadata["id"] for hit in hits),
        sessions=tuple(dict.fromkeys(hit.chat_id or "" for hit in hits)),
        seconds=seconds,
        conversation=query["conv"],
    )
    run.answers.append(answer)
    run.notes |= {results.note} if results.note else set()


def run_set(
    folder: Path,
    *,
    model: str | None = None,
    mode: Mode = "hybrid",
    threads: int = 0,
) -> Run:
    """Load each conversation of a set into a home of its own, and ask its questions."""
    corpus = by_conversation(folder / "corpus.jsonl")
    queries = by_conversation(folder / "queries.jsonl")
    model = "none" if mode == "keyword" else model or os.environ.get(MODEL_VARIABLE)
    judged = mode == "hybrid" and model in (None, "", DEFAULT_MODEL)
    run = Run(name=folder.parent.name, judged=judged)
    seed = random.Random(1)
    for conversation, rows in corpus.items():
        with (
            tempfile.TemporaryDirectory() as home,
            litemem.open(home, model=model, threads=threads, rng=seed.randbytes) as memory,
        ):
            started = time.perf_counter()
            load(memory, rows)
            run.load_s += time.perf_counter() - started
            run.rows += len(rows)
            for query in queries.get(conversation, ()):
                ask(memory, query, mode, run)
    return run


def by_conversation(path: Path) -> dict[str, list[dict[str, Any]]]:
    """
    Read a set's corpus.jsonl or queries.jsonl, its lines by conversation.

    Raises:
        FormatError: a line is no JSON, or lacks a key.
    """
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                one = json.loads(line)
                missing = KEYS[path.name] - one.keys()
            except (ValueError, AttributeError) as error:
                raise FormatError(path, number, f"no JSON object: {error}") from error
            if missing:
                raise FormatError(path, number, f"lacks {', '.join(sorted(missing))}")
            found[one["conv"]].append(one)
    return found


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark from the command line."""
    options = parser("retrieval", __doc__)
    options.add_argument("--data", type=sets, required=True, metavar="DIR")
    options.add_argument("--sets", help="default: all of DIR")
    options.add_argument("--model", help="a model's name or folder")
    options.add_argument("--mode", default="hybrid", choices=["hybrid", "semantic", "keyword"])
    options.add_argument("--threads", type=at_least(0), default=0)
    options.add_argument("--by-category", action="store_true")
    options.add_argument("--json", type=writable, help="write each query's ranking to this file")
    former = contents(read, "what --json wrote")
    options.add_argument("--against", type=former, help="compare with a file that --json wrote")
    said = options.parse_args(arguments)
    folders = dev_folders(options, said.data, said.sets)
    names = {folder.parent.name for folder in folders}
    if said.against is not None and names.isdisjoint(name for name, _ in said.against):
        options.error(f"argument --against: it has none of {', '.join(sorted(names))}")
    runs = []
    for folder in folders:
        runs.append(run_set(folder, model=said.model, mode=said.mode, threads=said.threads))
        print("\n".join(table(runs[-1:], by_category=said.by_category)), flush=True)
        if said.json is not None:
            write(runs, said.json)
    if said.against is not None:
        print("\n" + "\n".join(compared(runs, said.against, by_category=said.by_category)))
