"""How well rankings meet what was sought: metrics, their intervals, and former rankings."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.benchmarks.intervals import Mean, difference, mean

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
    conversation: str = ""  # answers about one aren't independent


@dataclass(slots=True, kw_only=True)
class Run:
    """One set's answers."""

    name: str
    rows: int = 0
    load_s: float = 0.0
    answers: list[Answer] = field(default_factory=list)

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
    yield f"| set | queries | rows | {' | '.join(METRICS)} | load s | p50 ms |"
    yield f"|{'---|' * (5 + len(METRICS))}"
    for run in runs:
        times = sorted(one.seconds for one in run.answers)
        cells = [run.mean(metric).percent() for metric in METRICS]
        cells += [f"{run.load_s:.1f}", f"{1000 * times[len(times) // 2]:.1f}"]
        yield f"| {run.name} | {len(run.answers)} | {run.rows} | {' | '.join(cells)} |"
        for category in run.categories if by_category else ():
            cells = [run.mean(metric, category).percent() for metric in METRICS]
            yield f"| – {category} | {len(run.of(category))} | | {' | '.join(cells)} | | |"


def write(runs: Sequence[Run], path: Path) -> None:
    """Write each query's ranking as a line of JSON, for a later comparison."""
    with path.open("w", encoding="utf-8") as out:
        for run in runs:
            for one in run.answers:
                of = {"set": run.name, "id": one.id, "category": one.category}
                found = {"ranked": one.ranked, "sessions": one.sessions}
                out.write(json.dumps(of | found) + "\n")


def read(path: Path) -> dict[tuple[str, str], Mapping[str, list[str]]]:
    """Read what `write` wrote: (set, id of the query) -> rankings."""
    with path.open(encoding="utf-8") as lines:
        return {(one["set"], one["id"]): one for one in map(json.loads, lines)}


def compared(
    runs: Sequence[Run],
    former: Mapping[tuple[str, str], Mapping[str, list[str]]],
    *,
    by_category: bool,
) -> Iterator[str]:
    """Yield a table of paired differences; `*` where their interval leaves zero out."""
    yield f"| now − former | queries of both | {' | '.join(METRICS)} |"
    yield f"|{'---|' * (2 + len(METRICS))}"
    for run in runs:
        for category in (None, *(run.categories if by_category else ())):
            pairs = list(_pairs(run, category, former))
            cells = [_cell(metric, pairs) if pairs else "" for metric in METRICS]
            name = run.name if category is None else f"– {category}"
            yield f"| {name} | {len(pairs)} | {' | '.join(cells)} |"


def _pairs(
    run: Run,
    category: str | None,
    former: Mapping[tuple[str, str], Mapping[str, list[str]]],
) -> Iterator[tuple[Answer, Answer]]:
    for one in run.of(category):
        then = former.get((run.name, one.id))
        if then is not None:
            sessions = tuple(then.get("sessions", one.sessions))
            yield one, replace(one, ranked=tuple(then["ranked"]), sessions=sessions)


def _cell(metric: str, pairs: Sequence[tuple[Answer, Answer]]) -> str:
    ours, others = zip(*pairs, strict=True)
    found = difference(
        [value_of(metric, one) for one in ours],
        [value_of(metric, one) for one in others],
        conversations(ours),
    )
    return found.percent("+") + ("*" if found.surely_not_zero else "")
