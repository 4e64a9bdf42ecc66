"""What a short fact says, word for word: when two of them say the same in other words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from litemem.text.sayingwords import (
    CJK_RULES,
    EVENTS,
    GUARDS,
    LIGHT,
    NUMBERS,
    ORDERING,
    RULES,
    STARTERS,
    VERBS,
)

Likeness: TypeAlias = Literal["same", "near", "other"]
"""Same: word for word, apart from words that say nothing. Near: a vector must tell."""

MAX_CHARS: Final = 400  # longer ones hold too much to be told apart by rules
_SIGNS: Final = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_CJK: Final = re.compile(f"[{_SIGNS}]")
_LETTERS: Final = f"[^\\W_{_SIGNS}]+"
_TOKEN: Final = re.compile(
    rf"[{_SIGNS}]|(?:(?<!\w)-(?=\d))?{_LETTERS}(?:['.@/+&_:,-]+{_LETTERS})*(?:\+\+|#)?"
)
_PLAIN: Final = re.compile(
    r"""[\w\s.,;:!'"()\u3001\u3002\u2013\u2014\u2026\u2018\u2019\u201c\u201d-]"""
)
_JOINED: Final = re.compile(r"[.:!?]\s+\w|\A\W*\w")  # where a capital letter makes no name
_LONG: Final = 4  # words that a bag needs to say enough without their order
_MOST_MORE: Final = 8  # words that the fuller of two texts may have beyond the other


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A fact's words in order, and what must be equal wherever the words may differ."""

    words: tuple[str, ...]
    guard: tuple[str, ...]  # numbers, negations, times, conditions, other people's pronouns, signs
    names: tuple[str, ...]  # words with a capital letter that don't begin a sentence
    firsts: frozenset[str]  # words that begin one: they may be names too
    event: bool  # it happened on its day, so that on another day it's another one
    cjk: bool

    @property
    def is_slight(self) -> bool:
        """Whether it's too short to be more than what people say all the time: `Thanks!`."""
        return len(self.words) + len(self.guard) < (3 if self.cjk else 2)

    @property
    def bag(self) -> frozenset[str]:
        """The words that carry the meaning whatever their order; empty for a short text."""
        found = frozenset(word for word in self.words if word not in VERBS and len(word) > 2)
        ordered = self.cjk or any(word in ORDERING for word in (*self.words, *self.guard))
        return frozenset() if ordered or len(found) < _LONG else found

    @property
    def beginnings(self) -> Iterator[tuple[str, ...]]:
        """The beginnings that are whole: where `with ...` or `because ...` goes on."""
        least = 0 if self.cjk else max(2, len(self.words) - _MOST_MORE)
        for at in range(least, len(self.words)):
            if not self.cjk and self.words[at] in STARTERS:
                yield self.words[:at]


def saying(text: str) -> Saying | None:
    """Return what a text says; None for one that is too long, of several lines, or wordless."""
    if len(text) > MAX_CHARS or "\n" in text.strip():
        return None
    plain = unicodedata.normalize("NFKC", text).strip().replace("\u2019", "'")
    cjk = _CJK.search(plain) is not None
    shown = plain.casefold()
    event = EVENTS.search(shown) is not None
    for pattern, replacement in CJK_RULES if cjk else RULES:
        shown = pattern.sub(replacement, shown)
    words: list[str] = []
    guard = [sign for sign in shown if not _PLAIN.match(sign) and not _CJK.match(sign)]
    for found in _TOKEN.finditer(shown):
        token = found[0]
        word = NUMBERS.get(token, token)
        if word in GUARDS or any(map(str.isdigit, word)):
            guard.append(word)
        elif word not in LIGHT:
            # `likes` is `like`, but paintings aren't painting, nor are dogs a dog.
            words.append(word if cjk or words else singular(word))
    if not words:
        return None
    names, firsts = _names(plain)
    return Saying(
        words=tuple(words),
        guard=tuple(guard),
        names=names,
        firsts=firsts,
        event=event,
        cjk=cjk,
    )


def likeness(full: Saying, other: Saying) -> Likeness:
    """Compare two texts, the one with more words first."""
    if full.guard != other.guard or full.cjk != other.cjk:
        return "other"
    if full.words == other.words:
        return "same" if _same_names(full, other) else "other"
    if other.words in full.beginnings:
        return "near" if full.names == other.names else "other"
    if full.bag and full.bag == other.bag and _same_names(full, other):
        verbs, others = (VERBS.intersection(one.words) for one in (full, other))
        return "near" if others <= verbs | {"name"} else "other"
    return "other"


def singular(word: str) -> str:
    """Return an English word without the `s` of a plural or of the third person."""
    if len(word) < 4 or not word.isalpha() or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("shes", "ches", "xes", "sses", "zes")):
        return word[:-2]
    return word.removesuffix("s")


def _same_names(one: Saying, other: Saying) -> bool:
    """Say whether what either writes as a name stands in both, in one order."""
    names, others = {*one.names}, {*other.names}
    if not (names - others <= other.firsts and others - names <= one.firsts):
        return False  # `likes apple` isn't `likes Apple`
    both = names | others
    first, second = ([word for word in each.words if word in both] for each in (one, other))
    return first == second


def _names(plain: str) -> tuple[tuple[str, ...], frozenset[str]]:
    starts = {found.end() - 1 for found in _JOINED.finditer(plain)}
    names, firsts = [], set()
    for found in _TOKEN.finditer(plain):
        token = found[0].removesuffix("'s")
        if found.start() in starts:
            firsts.add(token.casefold())
        elif token != token.lower() and token.casefold() not in LIGHT:
            names.append(token.casefold())
    return tuple(names), frozenset(firsts)
