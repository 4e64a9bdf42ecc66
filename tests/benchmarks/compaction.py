"""
What the offline summariser keeps of real conversations, and how right tokens are counted.

    python -m tests.benchmarks compaction --data DIR [--sets locomo,beam100k] [--json FILE]
    python -m tests.benchmarks compaction --tokens SESSION.jsonl

DIR/SET/dev/ is as for `retrieval`; queries.jsonl has an "answer" too. A conversation is shortened
to a share of its characters. "answer" is the share of the answer's content words that are left,
"whole" that of the answers that are left whole, "evidence" that of the messages with the answer of
which half of the word triples are left; each with its 95 % bootstrap interval as of `retrieval`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

from litemem.embed.locate import find_model
from litemem.embed.onnx import OnnxEmbedder
from litemem.run.estimate import CHARS_PER_TOKEN
from litemem.run.offline import OfflineSummariser
from litemem.run.transcript import render_transcript
from litemem.run.turns import text_turn
from litemem.types import Embedder
from tests.benchmarks.intervals import Mean, mean
from tests.benchmarks.kept import Kept, Row, extract, gold_first, kept, recent_tail, size
from tests.benchmarks.options import contents, dev_folders, parser, sets, share, writable
from tests.benchmarks.retrieval import by_conversation
from tests.benchmarks.tokens import token_lines, turns_of

SETS = "locomo,beam100k"
SHARES = (0.05, 0.1, 0.2)
TO_REACH = {  # at a tenth: the answer's words and the evidence, in percent
    ("locomo", 0.1): (48.0, 15.0),
    ("beam100k", 0.1): (76.0, 70.0),
}
OURS = "offline summariser"

Shortener: TypeAlias = Callable[[Sequence[Row], int, set[str]], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one way of shortening kept of one set."""

    name: str
    way: str
    share: float  # asked for
    size: float  # share of the characters that its texts have
    of: list[Kept]

    def mean(self, what: str) -> Mean:
        """Return the mean over the questions of which something can be said."""
        said = [one for one in self.of if getattr(one, what) is not None]
        return mean([getattr(one, what) for one in said], [one.conversation for one in said])

    def row(self) -> str:
        """Write it as a line of a table."""
        cells = [self.mean(what).percent() for what in ("answer", "whole", "evidence")]
        left = f"{100 * self.size:.1f} %"
        return (
            f"| {self.name} | {self.share:.0%} | {self.way} | {left} | {' | '.join(cells)} "
            f"| {len(self.of)} | {self.verdict()} |"
        )

    def verdict(self) -> str:
        """Say whether the summariser keeps what it has to."""
        least = TO_REACH.get((self.name, self.share))
        if least is None or self.way != OURS:
            return ""
        found = (100 * self.mean("answer").value, 100 * self.mean("evidence").value)
        reached = all(value >= most for value, most in zip(found, least, strict=True))
        return f"{'reached' if reached else 'MISSED'}: {least[0]:g}, {least[1]:g}"


def ours(embedder: Embedder | None) -> Shortener:
    """Return the offline summariser, given turns as an agent has them."""
    summariser = OfflineSummariser(embedder)

    def shorten(rows: Sequence[Row], most: int, _: set[str]) -> str:
        roles = (row["role"] if row["role"] == "assistant" else "user" for row in rows)
        turns = [text_turn(role, row["text"]) for role, row in zip(roles, rows, strict=True)]
        return summariser.condense(render_transcript(turns), max_tokens=most // CHARS_PER_TOKEN)

    return shorten


def outcomes(folder: Path, shares: Sequence[float], ours: Shortener) -> Iterator[Outcome]:
    """Shorten each conversation of a set in every way."""
    corpus = by_conversation(folder / "corpus.jsonl")
    queries = by_conversation(folder / "queries.jsonl")
    ways: dict[str, Shortener] = {
        OURS: ours,
        "recent tail": lambda rows, most, _: recent_tail(rows, most),
        "tf-idf extract": lambda rows, most, _: extract(rows, most),
        "gold first (nobody can know)": gold_first,
    }
    for budget in shares:
        for way, shorten in ways.items():
            found: list[Kept] = []
            sizes = []
            for conversation, rows in corpus.items():
                asked, whole = queries[conversation], size(rows)
                text = shorten(rows, int(budget * whole), {id_ for q in asked for id_ in q["gold"]})
                sizes.append(len(text) / whole)
                found += kept(rows, asked, text)
            left = sum(sizes) / len(sizes)
            yield Outcome(name=folder.parent.name, way=way, share=budget, size=left, of=found)


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark from the command line."""
    options = parser("compaction", __doc__)
    options.add_argument("--data", type=sets, metavar="DIR")
    options.add_argument("--sets", default=SETS, help=f"of those with answers; default {SETS}")
    options.add_argument("--shares", type=share, nargs="+", default=SHARES)
    options.add_argument("--model", help="a model's name or folder; none: words alone")
    session = contents(turns_of, "a session with usage of the agent pi")
    options.add_argument("--tokens", type=session, help="a session of the agent pi, with usage")
    options.add_argument("--json", type=writable, help="write the figures of each question")
    said = options.parse_args(arguments)
    if said.data is None and said.tokens is None:
        options.error("--data or --tokens is needed")
    folders = [] if said.data is None else dev_folders(options, said.data, said.sets)
    if said.tokens is not None:
        print("\n".join(token_lines(said.tokens)))
    if folders:
        _shorten(folders, said)


def _shorten(folders: Sequence[Path], said: argparse.Namespace) -> None:
    embedder = None if said.model == "none" else OnnxEmbedder(find_model(said.model, {}))
    print("| set | budget | way | size | answer | whole | evidence | questions | to reach |")
    print(f"|{'---|' * 9}")
    figures = []
    for folder in folders:
        for outcome in outcomes(folder, said.shares, ours(embedder)):
            figures.append(asdict(outcome))
            print(outcome.row(), flush=True)
        if said.json is not None:
            said.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
