"""What a query says in words, and what that says of a row."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final, NamedTuple

from litemem.text.head import read_head
from litemem.text.timewords import NamedDate, asks_when, named_dates

ROLES: Final = frozenset({"", "user", "assistant", "system", "tool", "note", "human", "ai"})
"""Speakers that a query doesn't mean when it has such a word."""

NEXT_DAY: Final = 0.8
"""Of what a named day counts, for the day after it, on which people tell of it as "yesterday"."""

_WORD: Final = re.compile(r"\w+")
_LOOKED_AT: Final = 2000  # characters of a query, for names


class About(NamedTuple):
    """What a query says of the rows of one speaker and day."""

    speaker: bool  # it names him
    date: float  # it names the day: 1; the one before: a share
    assistant: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a query says, in words."""

    words: tuple[str, ...]  # FTS5 phrases; without any, vectors alone decide
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
                date=0.0 if day is None else self._told(day),
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

    def _told(self, day: date) -> float:
        """Return how likely what is said on a day is about a named date, 0..1."""
        if any(named.matches(day) for named in self.dates):
            return 1.0
        before = day - timedelta(days=1) if day > date.min else day
        days = (named for named in self.dates if named.day is not None)
        return NEXT_DAY if any(named.matches(before) for named in days) else 0.0
