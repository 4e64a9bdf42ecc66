"""What the index says about the rows that may answer a query."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from litemem.index import keyword, measure, scan
from litemem.index.neighbours import Row, neighbours
from litemem.index.neighbours import rows as read_rows
from litemem.text.fusion import Candidate, clamped, evidence, least_evidence, rescaled
from litemem.text.head import read_head
from litemem.text.timewords import NamedDate, asks_when, named_dates, speaks_of_time
from litemem.types import Profile, Vector

if TYPE_CHECKING:
    import apsw

    from litemem.index.filters import Filter
    from litemem.index.scanner import Scanner

POOL: Final = 100  # candidates of each side, however many are asked for
SURROUNDED: Final = 30  # the best of each side, whose neighbours are scored too

ROLES: Final = frozenset({"user", "assistant", "system", "tool", "note", "human", "ai"})
"""Speakers that a query doesn't mean when it has such a word."""

_WORD: Final = re.compile(r"\w+")
_LOOKED_AT: Final = 2000  # characters, for names and times
_ALONE: Final = (None, None)

Beside = Mapping[int, tuple[int | None, int | None]]


class About(NamedTuple):
    """What a query says of the rows of one speaker and day."""

    speaker: bool  # it names him
    date: bool  # it names the day
    assistant: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a query says, in words."""

    words: tuple[str, ...]  # FTS5 phrases
    text: str  # folded, the beginning of it
    words_of_text: frozenset[str]
    dates: tuple[NamedDate, ...]
    when: bool
    _heads: dict[str, About] = field(default_factory=dict)

    @classmethod
    def of(cls, query: str, words: tuple[str, ...]) -> Asked:
        """Read a query whose FTS5 phrases are known."""
        folded = query[:_LOOKED_AT].casefold()
        return cls(
            words=words,
            text=folded,
            words_of_text=frozenset(_WORD.findall(folded)),
            dates=named_dates(query),
            when=asks_when(query),
        )

    def about(self, head: str) -> About:
        """Return what the query says of rows with this head; many have the same."""
        known = self._heads.get(head)
        if known is None:
            speaker, day = read_head(head)
            folded = (speaker or "").casefold()
            known = self._heads[head] = About(
                speaker=self.names(folded),
                date=day is not None and any(named.matches(day) for named in self.dates),
                assistant=folded == "assistant",
            )
        return known

    def names(self, speaker: str) -> bool:
        """Return whether the query names a folded speaker, if only by the first of his names."""
        if speaker in ROLES:
            return False
        if not speaker.isascii() and speaker in self.text:  # Chinese has no spaces around names
            return True
        names = _WORD.findall(speaker)
        return bool(names) and names[0] in self.words_of_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """What a query means, as vectors."""

    vector: Vector
    centred: Vector  # what is looked for: without a share of what all stored texts have
    mean: float  # cosine of `vector` and all stored texts
    n: int  # stored texts
    profile: Profile
    pieces_per_word: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The rows that one query is decided among."""

    candidates: tuple[Candidate, ...]
    matched: Mapping[int, tuple[str, ...]]  # of those that may be shown; the others are context
    coverage: float
    sure: bool  # vectors alone may answer


def meaning(
    db: apsw.Connection,
    rows: Filter,
    vector: Vector,
    profile: Profile,
    pieces_per_word: float,
) -> Meant:
    """Place a query's vector among the vectors that are stored."""
    n, mean = scan.mean(db, rows.parts)
    return Meant(
        vector=vector,
        centred=scan.centred(vector, mean, profile.query_centering),
        mean=measure.mean_cosine(vector, mean) if n else profile.typical_unrelated,
        n=n,
        profile=profile,
        pieces_per_word=pieces_per_word,
    )


def gather(
    db: apsw.Connection,
    scanner: Scanner,
    rows: Filter,
    asked: Asked,
    meant: Meant | None,
    *,
    floor: float | None,
    now: datetime | None,
) -> Pool:
    """
    Find the candidates of both sides and their neighbours, with all that is known about each.

    Args:
        db: a reader, able to use vectors where `meant` is given.
        scanner: of the index.
        rows: which rows may answer.
        asked: the query's words; without any, vectors alone decide.
        meant: the query's vector; None: keywords alone decide.
        floor: see `litemem.memory.search.search`.
        now: for ages; None: no recency.
    """
    found = keyword.search(db, asked.words, rows, POOL)
    near = scanner.nearest(db, meant.centred, rows, POOL) if meant else []
    core = _distinct(found, near)
    if not core:
        return Pool(candidates=(), matched={}, coverage=0.0, sure=False)
    beside = neighbours(db, core)
    around = _around(_distinct(found[:SURROUNDED], near[:SURROUNDED]), beside).difference(core)
    around &= measure.allowed(db, rows, sorted(around))
    beside |= neighbours(db, sorted(around))
    keys = [*core, *sorted(around)]
    bm25 = _keyword_scores(db, asked.words, keys, beside, dict(found))
    cosines = measure.cosines(db, meant.centred, meant.vector, keys) if meant else {}
    sure = meant is not None and _is_sure(meant, [raw for _, raw in cosines.values()])
    facts = read_rows(db, keys)
    threads = keyword.thread_scores(
        db, asked.words, sorted({facts[key].thread for key in keys if _in_thread(beside, key)})
    )
    seconds = None if now is None else now.timestamp()
    candidates = tuple(
        _candidate(facts[key], asked, beside, bm25, cosines, threads, seconds)
        for key in keys
        if key in facts
    )
    matched = {
        one.key: names
        for one in candidates
        if (names := _matched(one, meant, cosines.get(one.key), floor, sure=sure))
    }
    for key in around.intersection(matched):
        matched[key] = (*matched[key], "neighbour")
    best = found[0][1] if found else 0.0
    return Pool(
        candidates=candidates,
        matched=matched,
        coverage=measure.coverage(db, asked.words, best),
        sure=sure,
    )


def admits(meant: Meant, raw: float, floor: float | None, *, sure: bool) -> bool:
    """Return whether a row without a keyword may be shown, by the cosine to its vector."""
    near = rescaled(raw, meant.profile)
    return sure and near >= 0 if floor is None else clamped(near) >= floor


def _matched(
    one: Candidate,
    meant: Meant | None,
    cosines: tuple[float, float] | None,
    floor: float | None,
    *,
    sure: bool,
) -> tuple[str, ...]:
    """Return by what a row is found; () where it's context only."""
    found = ("keyword",) if one.keyword > 0 else ()
    if meant is None or cosines is None or not admits(meant, cosines[1], floor, sure=sure):
        return found
    return (*found, "vector")


def _is_sure(meant: Meant, cosines: Iterable[float]) -> bool:
    best = max(cosines, default=None)
    if best is None:
        return False
    shown = evidence(best, meant.mean, meant.n, meant.profile)
    return shown >= least_evidence(meant.n, meant.pieces_per_word)


def _keyword_scores(
    db: apsw.Connection,
    words: Sequence[str],
    keys: Sequence[int],
    beside: Beside,
    known: dict[int, float],
) -> dict[int, float]:
    """Return the bm25 of these rows and of the rows beside them."""
    wanted = _around(keys, beside).union(keys)
    return known | keyword.scores(db, words, sorted(wanted.difference(known)))


def _candidate(
    row: Row,
    asked: Asked,
    beside: Beside,
    bm25: Mapping[int, float],
    cosines: Mapping[int, tuple[float, float]],
    threads: Mapping[int, float],
    now: float | None,
) -> Candidate:
    before, after = beside.get(row.rowid, _ALONE)
    about = asked.about(row.head)
    at = None if row.at is None else row.at / 1e6
    return Candidate(
        key=row.rowid,
        id=row.id,
        line=row.line,
        created_at=at,
        vector=cosines[row.rowid][0] if row.rowid in cosines else None,
        keyword=bm25.get(row.rowid, 0.0),
        speaker=about.speaker,
        date=about.date,
        time=asked.when and speaks_of_time(row.text[:_LOOKED_AT]),
        neighbours=max(bm25.get(before or 0, 0.0), bm25.get(after or 0, 0.0)),
        thread=threads.get(row.thread, 0.0),
        assistant=about.assistant,
        importance=row.importance,
        age_days=None if at is None or now is None else (now - at) / 86_400,
        thread_key=row.thread if _in_thread(beside, row.rowid) else None,
        previous=before,
        following=after,
    )


def _in_thread(beside: Beside, key: int) -> bool:
    return beside.get(key, _ALONE) != _ALONE


def _around(keys: Iterable[int], beside: Beside) -> set[int]:
    return {row for key in keys for row in beside.get(key, ()) if row is not None}


def _distinct(*lists: Sequence[tuple[int, float]]) -> list[int]:
    return list(dict.fromkeys(key for found in lists for key, _ in found))
