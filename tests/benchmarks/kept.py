"""What a shortened conversation still holds of the answers to the questions asked about it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Row: TypeAlias = Mapping[str, Any]  # Any: a line of a set's corpus.jsonl or queries.jsonl

UNANSWERED = frozenset({"adversarial", "abstention"})
LONGEST = 1_500  # characters of a message that count as evidence
WORD = re.compile(r"[a-z0-9]+(?:[.'][a-z0-9]+)*|[\u4e00-\u9fff]")
SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")
STOP = """
a about an and are as at be been but by can could d did do does for from had has have he her his how
i if in is it its ll m may my no not of on or our re s she should so t than that the their then
these they this those to ve was we were what when where which who why will with would you your
"""
STOP_WORDS = frozenset(STOP.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What is left for one question, each 0..1; None where it can't be said."""

    conversation: str
    question: str
    answer: float | None  # share of the answer's content words that the question hasn't
    whole: float | None  # 1 when all of these are left
    evidence: float  # share of the gold messages of which half of the word triples are left


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, each Chinese character alone."""
    return WORD.findall(text.lower())


def line(row: Row) -> str:
    """Write a message as one line, by which budgets are counted."""
    return f"[{row['ts'][:10]}] {row['role']}: {row['text']}"


def size(rows: Iterable[Row]) -> int:
    """Return the characters of a conversation."""
    return sum(len(line(row)) + 1 for row in rows)


def kept(rows: Sequence[Row], queries: Iterable[Row], text: str) -> list[Kept]:
    """Look what a text holds for each question that has an answer."""
    found = words(text)
    present, triples = set(found), _triples(found)
    of = {row["id"]: row["text"] for row in rows}
    return [
        _kept(query, of, present, triples)
        for query in queries
        if query["category"] not in UNANSWERED
    ]


def _kept(
    query: Row, of: Mapping[str, str], present: set[str], triples: set[tuple[str, ...]]
) -> Kept:
    sought = set(words(query.get("answer", ""))) - STOP_WORDS - set(words(query["text"]))
    share = len(sought & present) / len(sought) if sought else None
    messages = (_triples(words(of[id_][:LONGEST])) for id_ in query["gold"])
    halves = [bool(one) and 2 * len(one & triples) >= len(one) for one in messages]
    return Kept(
        conversation=query["conv"],
        question=query["id"],
        answer=share,
        whole=None if share is None else float(share == 1),
        evidence=sum(halves) / len(halves),
    )


def _triples(found: Sequence[str]) -> set[tuple[str, ...]]:
    return set(zip(found, found[1:], found[2:], strict=False))


def recent_tail(rows: Sequence[Row], most: int) -> str:
    """Return the newest messages that fit."""
    newest = reversed(list(enumerate(map(line, rows))))
    return _filled(newest, most)


def extract(rows: Sequence[Row], most: int) -> str:
    """Return the sentences whose words are rare but not unique, in order (plain tf-idf)."""
    sentences = [
        f"[{row['ts'][:10]}] {row['role']}: {sentence}"
        for row in rows
        for sentence in SENTENCE_END.split(row["text"])
        if sentence.strip()
    ]
    of = [words(sentence) for sentence in sentences]
    seen = Counter(word for found in of for word in set(found))

    def worth(place: int) -> float:
        told = (word for word in set(of[place]) - STOP_WORDS if seen[word] > 1)
        return math.fsum(math.log(len(of) / seen[word]) for word in told) / (4 + len(of[place]))

    best = sorted(range(len(sentences)), key=lambda place: -worth(place))
    return _filled(((place, sentences[place]) for place in best), most)


def gold_first(rows: Sequence[Row], most: int, gold: set[str]) -> str:
    """Return the messages that answer the questions, as many as fit: what nobody can know."""
    return _filled(((n, line(row)) for n, row in enumerate(rows) if row["id"] in gold), most)


def _filled(lines: Iterable[tuple[int, str]], most: int) -> str:
    chosen, taken = [], 0
    for place, text in lines:
        if taken + len(text) + 1 <= most:
            chosen.append((place, text))
            taken += len(text) + 1
    return "\n".join(text for _, text in sorted(chosen))
