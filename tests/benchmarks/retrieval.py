"""
How well real questions find their answers, through the library as a user has it.

    python -m tests.benchmarks retrieval --data DIR [--sets locomo,...] [--model fast]
                                         [--by-category] [--json FILE] [--against FORMER.json]

DIR/SET/dev/corpus.jsonl has lines {"id", "conv", "session_id", "ts", "role", "text"}, queries.jsonl
{"id", "conv", "text", "gold", "gold_sessions", "category"}. Each conversation is one home, each row
one fact; a session is a chat and the role is the speaker. The data is not part of this project.
Beside each mean stands its 95 % bootstrap interval: over the conversations where a set has at least
eight (memdaily_zh, beam100k), as queries about one aren't independent; else over the queries.
FORMER.json is what --json wrote before; differences to it are taken query by query.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import litemem
from litemem.memory.memory import Memory
from litemem.memory.new import NewFact
from litemem.memory.search import Mode
from litemem.types import Embedder
from tests.benchmarks.scores import DEPTH, Answer, Run, compared, read, table, write


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


def ask(memory: Memory, query: dict[str, Any], mode: Mode) -> Answer:
    """Search for one query."""
    started = time.perf_counter()
    hits = memory.search(query["text"], DEPTH, mode=mode).hits
    seconds = time.perf_counter() - started
    return Answer(
        id=query["id"],
        category=query["category"],
        gold=frozenset(query["gold"]),
        gold_sessions=frozenset(query["gold_sessions"]),
        ranked=tuple(hit.metadata["id"] for hit in hits),
        sessions=tuple(dict.fromkeys(hit.chat_id or "" for hit in hits)),
        seconds=seconds,
        conversation=query["conv"],
    )


def run_set(
    folder: Path,
    *,
    model: str | None = None,
    embedder: Embedder | None = None,
    mode: Mode = "hybrid",
    threads: int = 0,
) -> Run:
    """Load each conversation of a set into a home of its own, and ask its questions."""
    corpus, queries = (
        by_conversation(folder / "corpus.jsonl"),
        by_conversation(folder / "queries.jsonl"),
    )
    run = Run(name=folder.parent.name)
    seed = random.Random(1)
    for conversation, rows in corpus.items():
        with (
            tempfile.TemporaryDirectory() as home,
            litemem.open(
                home,
                model=None if embedder else model,
                embedder=embedder,
                threads=threads,
                rng=seed.randbytes,
            ) as memory,
        ):
            started = time.perf_counter()
            load(memory, rows)
            run.load_s += time.perf_counter() - started
            run.rows += len(rows)
            run.answers += [ask(memory, query, mode) for query in queries.get(conversation, ())]
    return run


def by_conversation(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Read a JSONL file, its lines by conversation."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            one = json.loads(line)
            found[one["conv"]].append(one)
    return found


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks retrieval")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sets", help="default: all folders of DATA")
    parser.add_argument("--model", help="a model's name or folder")
    parser.add_argument("--mode", default="hybrid", choices=["hybrid", "semantic", "keyword"])
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--by-category", action="store_true")
    parser.add_argument("--json", type=Path, help="write each query's ranking to this file")
    parser.add_argument("--against", type=Path, help="compare with a file that --json wrote")
    said = parser.parse_args(arguments)
    names = said.sets.split(",") if said.sets else sorted(p.name for p in said.data.iterdir())
    runs = []
    for name in names:
        folder = said.data / name / "dev"
        runs.append(run_set(folder, model=said.model, mode=said.mode, threads=said.threads))
        print("\n".join(table(runs[-1:], by_category=said.by_category)), flush=True)
    if said.against is not None:
        former = read(said.against)
        print("\n" + "\n".join(compared(runs, former, by_category=said.by_category)))
    if said.json is not None:
        write(runs, said.json)
