"""The statements in a sentence, and how far each reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from litemem.extract.chinese import (
    chinese_asks,
    chinese_kind,
    chinese_lead,
    chinese_supposes,
    is_chinese,
)
from litemem.extract.clause import Clause, asks, clauses
from litemem.extract.english import english_kind
from litemem.extract.explicit import asked_to_remember
from litemem.extract.kinds import EXPLICIT, Kind
from litemem.extract.lead import bare_front, is_front, lead, supposes
from litemem.extract.sentence import LONGEST, Sentence

_REACH: Final = 300  # characters; clauses beyond aren't taken into a statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A part of a sentence's text, from `start` to `end`, that holds a fact."""

    start: int
    end: int
    kind: Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A clause and what it is; `kind` is None unless it states something."""

    start: int  # behind what leads in
    end: int
    kind: Kind | None = None
    asks: bool = False
    front: bool = False  # a time or place for what follows


def statements(sentence: Sentence, written: str) -> Iterator[Statement]:
    """
    Yield the statements of a sentence, in order.

    Args:
        sentence: as `sentences` gives it.
        written: the same characters as the user wrote them, where capitals tell names.
    """
    said = sentence.text
    start = asked_to_remember(said, question=sentence.asks)
    if start is None:
        yield from _reaching(list(_parts(said, written)), is_question=sentence.asks)
        return
    part = _part(Clause(start=start, end=len(said), subordinate=False, strong=True), said, written)
    category = part.kind.category if part.kind else EXPLICIT.category
    yield Statement(start=start, end=len(said), kind=replace(EXPLICIT, category=category))


def _reaching(parts: Sequence[_Part], *, is_question: bool) -> Iterator[Statement]:
    """Yield each part that states something, with what follows up to the next or a request."""
    for place, part in enumerate(parts):
        if part.kind is None:
            continue
        last = place
        while last + 1 < len(parts) and _continues(parts[last + 1], part):
            last += 1
        end = parts[last].end
        asked = is_question and last == len(parts) - 1
        if asked or end >= LONGEST:
            continue
        front = place and parts[place - 1].front
        yield Statement(
            start=parts[place - 1].start if front else part.start, end=end, kind=part.kind
        )


def _continues(part: _Part, stated: _Part) -> bool:
    return part.kind is None and not part.asks and part.end - stated.start <= _REACH


def _parts(said: str, written: str) -> Iterator[_Part]:
    """Yield the clauses; behind a supposition or a report none states anything."""
    supposed = False
    for clause in clauses(said):
        part = _part(clause, said, written)
        if clause.strong:
            supposed = False
        if part.kind is None and _is_supposed(said[clause.start : clause.end]):
            supposed = True
        yield replace(part, kind=None, front=False) if supposed else part


def _part(clause: Clause, said: str, written: str) -> _Part:
    text = said[clause.start : clause.end]
    chinese = is_chinese(text)
    start = clause.start + (chinese_lead(text) if chinese else lead(text))
    body = said[start : clause.end]
    if clause.subordinate:
        return _Part(start=start, end=clause.end)
    if chinese:
        asking = chinese_asks(body)
        kind = None if asking else chinese_kind(body)
        return _Part(start=start, end=clause.end, kind=kind, asks=asking)
    if asks(body):
        return _Part(start=start, end=clause.end, asks=True)
    front = bare_front(body)
    kind = english_kind(body, written[start:]) or (
        english_kind(body[front:], written[start + front :]) if front else None
    )
    return _Part(start=start, end=clause.end, kind=kind, front=is_front(body))


def _is_supposed(clause: str) -> bool:
    return chinese_supposes(clause) if is_chinese(clause) else supposes(clause)
