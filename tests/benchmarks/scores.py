"""How well rankings meet what was sought: metrics, their intervals, and former rankings."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import TypeAlias

from tests.benchmarks.intervals import Mean, difference, mean

DEPTH = 50  # hits asked for; what is beyond counts as not found
METRICS = ("R@5", "R@10", "hit@5", "MRR", "nDCG@10", "sHit@5")
TO_REACH = {  # set -> metric -> least, in percent: of the default model's hybrid search
    "locomo": {"R@10": 82.0, "sHit@5": 95.0},
    "realtalk": {"R@10": 60.0},
    "beam100k": {"R@10": 56.0},
    "madial_zh": {"R@10": 69.0},
    "memdaily_zh": {"R@5": 76.0},
    "cranfield": {"nDCG@10": 53.0},
}

Rankings: TypeAlias = Mapping[tuple[str, str], Mapping[str, list[str]]]
"""(set, id of the query) -> "ranked" and "sessions"."""


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
    conversation: str = ""  # answers about one aren't independent


@dataclass(slots=True, kw_only=True)
class Run:
    """One set's answers."""

    name: str
    rows: int = 0
    load_s: float = 0.0
    answers: list[Answer] = field(default_factory=list)
    judged: bool = False  # whether it has to reach something
    notes: set[str] = field(default_factory=set)  # what its searches lacked, e.g. vectors

    def of(self, category: str | None = None) -> list[Answer]:
        """Return the answers of a category, or all."""
        return [one for one in self.answers if category in (None, one.category)]

    def score(self, metric: str, category: str | None = None) -> float:
        """Return the mean of a metric over the queries, in percent."""
        chosen = self.of(category)
        return 100 * sum(value_of(metric, one) for one in chosen) / max(1, len(chosen))

    def mean(self, metric: str, category: str | None = None) -> Mean:
        """Return the mean of a metric over the queries, 0..1, with its interval."""
        chosen = self.of(category)
        return mean([value_of(metric, one) for one in chosen], conversations(chosen))

    def verdict(self) -> str:
        """Say which of the means that it has to reach it does."""
        least = TO_REACH.get(self.name, {}) if self.judged else {}
        return ", ".join(
            f"{metric} {most:g}: {'reached' if self.score(metric) >= most else 'MISSED'}"
            for metric, most in least.items()
        )

    @property
    def categories(self) -> list[str]:
        """The categories of the queries, sorted."""
        return sorted({one.category for one in self.answers})


def conversations(answers: Sequence[Answer]) -> list[str]:
    """Return the conversation of each answer."""
    return [one.conversation for one in answers]


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


def table(runs: Sequence[Run], *, by_category: bool) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield f"| set | queries | rows | {' | '.join(METRICS)} | load s | p50 ms | to reach |"
    yield f"|{'---|' * (6 + len(METRICS))}"
    for run in runs:
        times = [one.seconds for one in run.answers]
        cells = [run.mean(metric).percent() for metric in METRICS]
        cells += [f"{run.load_s:.1f}", f"{1000 * median(times):.1f}" if times else "–"]
        cells.append(run.verdict())
        yield f"| {run.name} | {len(run.answers)} | {run.rows} | {' | '.join(cells)} |"
        for category in run.categories if by_category else ():
            cells = [run.mean(metric, category).percent() for metric in METRICS]
            yield f"| – {category} | {len(run.of(category))} | | {' | '.join(cells)} | | | |"
        yield from (f"\n{run.name}: {note}" for note in sorted(run.notes))


def write(runs: Sequence[Run], path: Path) -> None:
    """Write each query's ranking as a line of JSON, for a later comparison."""
    with path.open("w", encoding="utf-8") as out:
        for run in runs:
            for one in run.answers:
                of = {"set": run.name, "id": one.id, "category": one.category}
                found = {"ranked": one.ranked, "sessions": one.sessions}
                out.write(json.dumps(of | found) + "\n")


def read(path: Path) -> Rankings:
    """
    Read what `write` wrote.

    Raises:
        ValueError, LookupError, TypeError: it's something else, or nothing.
    """
    with path.open(encoding="utf-8") as lines:
        found = {
            (one["set"], one["id"]): {"ranked": one["ranked"], "sessions": one["sessions"]}
            for one in map(json.loads, lines)
        }
    if not found:
        raise ValueError("it's empty")
    return found


def compared(
    runs: Sequence[Run],
    former: Rankings,
    *,
    by_category: bool,
) -> Iterator[str]:
    """Yield a table of paired differences; `*` where their interval leaves zero out."""
    yield f"| now − former | queries of both | {' | '.join(METRICS)} |"
    yield f"|{'---|' * (2 + len(METRICS))}"
    for run in runs:
        for category in (None, *(run.categories if by_category else ())):
            pairs = list(_pairs(run, category, former))
            cells = [_cell(metric, pairs) for metric in METRICS]
            name = run.name if category is None else f"– {category}"
            yield f"| {name} | {len(pairs)} | {' | '.join(cells)} |"


def _pairs(
    run: Run,
    category: str | None,
    former: Rankings,
) -> Iterator[tuple[Answer, Answer]]:
    for one in run.of(category):
        then = former.get((run.name, one.id))
        if then is not None:
            ranked, sessions = tuple(then["ranked"]), tuple(then["sessions"])
            yield one, replace(one, ranked=ranked, sessions=sessions)


def _cell(metric: str, pairs: Sequence[tuple[Answer, Answer]]) -> str:
    found = difference(
        [value_of(metric, now) for now, _ in pairs],
        [value_of(metric, then) for _, then in pairs],
        conversations([now for now, _ in pairs]),
    )
    return found.percent("+") + ("*" if found.surely_not_zero else "")
