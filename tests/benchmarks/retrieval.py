"""
How well real questions find their answers, through the library as a user has it.

    python -m tests.benchmarks retrieval --data DIR [--sets locomo,...] [--model fast] [--json FILE]

DIR/SET/dev/corpus.jsonl has lines {"id", "conv", "session_id", "ts", "role", "text"}, queries.jsonl
{"id", "conv", "text", "gold", "gold_sessions", "category"}. Each conversation is one home, each row
one fact; a session is a chat and the role is the speaker. The data is not part of this project.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import litemem
from litemem.memory.memory import Memory
from litemem.memory.new import NewFact
from litemem.memory.search import Mode
from litemem.types import Embedder

DEPTH = 50  # hits asked for; what is beyond counts as not found
METRICS = ("R@5", "R@10", "hit@5", "MRR", "nDCG@10", "sHit@5")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one query found."""

    id: str
    category: str
    gold: frozenset[str]
    gold_sessions: frozenset[str]
    ranked: tuple[str, ...]  # ids of rows, best first
    sessions: tuple[str, ...]  # of the rows, each once
    seconds: float


@dataclass(slots=True, kw_only=True)
class Run:
    """One set's answers."""

    name: str
    rows: int = 0
    load_s: float = 0.0
    answers: list[Answer] = field(default_factory=list)

    def score(self, metric: str, category: str | None = None) -> float:
        """Return the mean of a metric over the queries, in percent."""
        chosen = [one for one in self.answers if category in (None, one.category)]
        return 100 * sum(value_of(metric, one) for one in chosen) / max(1, len(chosen))


def value_of(metric: str, one: Answer) -> float:
    """Return one query's value: recall, any hit, reciprocal rank, or binary nDCG, 0..1."""
    gold, ranked = one.gold, one.ranked
    if metric.startswith("s"):
        metric, gold, ranked = metric[1:].lower(), one.gold_sessions, one.sessions
    name, _, depth = metric.partition("@")
    places = [place for place, id_ in enumerate(ranked) if id_ in gold]
    within = [place for place in places if place < int(depth or DEPTH)]
    if name == "R":
        return len(within) / len(gold)
    if name == "hit":
        return float(bool(within))
    if name == "MRR":
        return 1 / (places[0] + 1) if places else 0.0
    best = sum(1 / math.log2(place + 2) for place in range(min(len(gold), int(depth))))
    return sum(1 / math.log2(place + 2) for place in within) / best


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


def table(runs: Sequence[Run], *, by_category: bool) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield f"| set | queries | rows | {' | '.join(METRICS)} | load s | p50 ms |"
    yield f"|{'---|' * (5 + len(METRICS))}"
    for run in runs:
        times = sorted(one.seconds for one in run.answers)
        cells = [f"{run.score(metric):.1f}" for metric in METRICS]
        cells += [f"{run.load_s:.1f}", f"{1000 * times[len(times) // 2]:.1f}"]
        yield f"| {run.name} | {len(run.answers)} | {run.rows} | {' | '.join(cells)} |"
        for category in sorted({one.category for one in run.answers}) if by_category else ():
            cells = [f"{run.score(metric, category):.1f}" for metric in METRICS]
            count = sum(one.category == category for one in run.answers)
            yield f"| – {category} | {count} | | {' | '.join(cells)} | | |"


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
    said = parser.parse_args(arguments)
    names = said.sets.split(",") if said.sets else sorted(p.name for p in said.data.iterdir())
    runs = []
    for name in names:
        folder = said.data / name / "dev"
        runs.append(run_set(folder, model=said.model, mode=said.mode, threads=said.threads))
        print("\n".join(table(runs[-1:], by_category=said.by_category)), flush=True)
    if said.json is not None:
        with said.json.open("w", encoding="utf-8") as out:
            for run in runs:
                for one in run.answers:
                    ranked = {"set": run.name, "id": one.id, "ranked": one.ranked}
                    out.write(json.dumps(ranked) + "\n")
