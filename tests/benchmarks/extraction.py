"""
What the rules find in real conversations, and how much of it is right on the labelled sample.

    python -m tests.benchmarks extraction --data DIR [--sets locomo,...] [--json FILE]

DIR/SET/dev/ is as for `retrieval`. Every row that isn't an assistant's turn or a note counts as a
user's message; "gold" are those that answer one of the set's questions. The sample is
tests/data/extraction.jsonl, lines {"text", "facts": [a part of the text, ...]}.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

from litemem.extract.rules import extract
from litemem.extract.turn import ConversationTurn
from litemem.text.normal import normalise
from tests.benchmarks.options import dev_folders, parser, sets, writable
from tests.benchmarks.retrieval import by_conversation

SAMPLE = Path(__file__).parents[1] / "data" / "extraction.jsonl"
OTHERS = frozenset({"assistant", "note"})  # roles of rows that no user said


@dataclass(frozen=True, slots=True, kw_only=True)
class Yield:
    """What one set gave."""

    name: str
    messages: int
    facts: int
    gold: int
    gold_with_fact: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """How the labelled sample was met; a fact is right when it holds a label or is part of one."""

    messages: int
    labels: int
    met: int
    extracted: int
    wrong: tuple[str, ...]
    missed: tuple[str, ...]

    @property
    def precision(self) -> float:
        """Return the share of the extracted facts that are right, 0..1."""
        return 1 - len(self.wrong) / max(1, self.extracted)

    @property
    def recall(self) -> float:
        """Return the share of the labels that were met, 0..1."""
        return self.met / max(1, self.labels)


def contents(message: str) -> list[str]:
    """Return the facts of a user's message."""
    return [fact.content for fact in extract(ConversationTurn(user_message=message))]


def yield_of(folder: Path) -> Yield:
    """Extract from each user's message of a set."""
    rows = list(chain.from_iterable(by_conversation(folder / "corpus.jsonl").values()))
    queries = chain.from_iterable(by_conversation(folder / "queries.jsonl").values())
    gold = {id_ for query in queries for id_ in query["gold"]}
    said = [row for row in rows if row["role"] not in OTHERS]
    started = time.perf_counter()
    found = {row["id"]: len(contents(row["text"])) for row in said}
    seconds = time.perf_counter() - started
    return Yield(
        name=folder.parent.name,
        messages=len(found),
        facts=sum(found.values()),
        gold=len(gold & found.keys()),
        gold_with_fact=sum(1 for id_ in gold if found.get(id_)),
        seconds=seconds,
    )


def marks_of(sample: Path = SAMPLE) -> Marks:
    """Extract from each message of the sample, and compare."""
    lines = [json.loads(line) for line in sample.read_text(encoding="utf-8").splitlines()]
    labels, extracted, wrong, missed = 0, 0, list[str](), list[str]()
    for one in lines:
        found = contents(one["text"])
        labels += len(one["facts"])
        extracted += len(found)
        wrong += [fact for fact in found if not _meets(fact, one["facts"])]
        missed += [label for label in one["facts"] if not _meets(label, found)]
    return Marks(
        messages=len(lines),
        labels=labels,
        met=labels - len(missed),
        extracted=extracted,
        wrong=tuple(wrong),
        missed=tuple(missed),
    )


def _meets(text: str, others: Sequence[str]) -> bool:
    one = normalise(text)
    return any(one in other or other in one for other in map(normalise, others))


def table(yields: Sequence[Yield], marks: Marks) -> Iterator[str]:
    """Yield the lines of two Markdown tables."""
    yield "| set | messages | facts / 100 | gold messages | with a fact | ms / message |"
    yield f"|{'---|' * 6}"
    for one in yields:
        rate = 100 * one.facts / max(1, one.messages)
        share = 100 * one.gold_with_fact / max(1, one.gold)
        each = 1000 * one.seconds / max(1, one.messages)
        yield (
            f"| {one.name} | {one.messages} | {rate:.1f} | {one.gold} | {share:.1f} % "
            f"| {each:.2f} |"
        )
    yield ""
    yield "| labelled messages | labels | extracted | precision | recall |"
    yield f"|{'---|' * 5}"
    yield (
        f"| {marks.messages} | {marks.labels} | {marks.extracted} | {marks.precision:.3f} "
        f"| {marks.recall:.3f} |"
    )


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark from the command line."""
    options = parser("extraction", __doc__)
    options.add_argument("--data", type=sets, metavar="DIR", help="else only the labelled sample")
    options.add_argument("--sets", help="default: all of DIR that have a user's messages")
    options.add_argument("--json", type=writable, help="the figures, and what was wrong or missed")
    said = options.parse_args(arguments)
    if said.sets and said.data is None:
        options.error("--sets are of --data")
    folders = [] if said.data is None else dev_folders(options, said.data, said.sets)
    yields = [one for one in map(yield_of, folders) if one.messages]
    marks = marks_of()
    print("\n".join(table(yields, marks)))
    if said.json is not None:
        sample = {**asdict(marks), "precision": marks.precision, "recall": marks.recall}
        figures = {"sets": [asdict(one) for one in yields], "sample": sample}
        said.json.write_text(
            json.dumps(figures, ensure_ascii=False, indent=2) + "\n", encoding="utf-8"
        )
