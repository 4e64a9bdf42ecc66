"""What the keyword index holds for a text, and what it is asked for a query."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from litemem.index.stopwords import is_chinese_stop, stop_words

MAX_WORDS: Final = 64  # distinct words of a query; the first ones: bounds the cost of a pasted page
MAX_PARTS: Final = 16  # of one phrase; a longer "word" is searched by its first ones

# Scripts written without spaces between words, or (Korean) with particles glued to them.
_CJK: Final = (
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U000323af"
)
_RUN: Final = f"[{_CJK}]+"
_PART: Final = f"[^\\W_{_CJK}](?:[^\\W_{_CJK}]|[\u0300-\u036f])*"
_ASCII_PART: Final = re.compile("[0-9A-Za-z]+")  # the same for ASCII text
_APOSTROPHE: Final = re.compile("['\u2019]")
_OTHER: Final = re.compile("[^\\w\\s\0-\x7f\u2019]")
_SOFT_HYPHEN: Final = "\u00ad"
_UNSAFE: Final = re.compile("[\x00\ud800-\udfff]")  # FTS5 stops at NUL; UTF-8 has no surrogates


class Word(NamedTuple):
    """One word of a query."""

    phrase: str  # as FTS5 is asked for it
    parts: tuple[str, ...]  # its tokens, about as FTS5 sees them, lower case
    elided: bool = False  # joined by an apostrophe

    def is_stop(self, stop: frozenset[str]) -> bool:
        """Say whether it adds nothing: "the"; "也是"; "don't"; "john's" ("john" follows alone)."""
        if not self.elided:
            part, *more = self.parts
            return not more and (part in stop or is_chinese_stop(part))
        return any(part in stop for part in self.parts)


def prepare(text: str) -> str:
    """
    Return the text as the keyword index holds it: CJK runs cut into overlapping bigrams.

    A run's last character stands alone after them (`東京都` gives `東京 京都 都`), so that each
    character begins a token and a query of one character finds it by prefix.
    """
    if text.isascii():
        return text.replace("\0", " ")
    return _compiled(_RUN).sub(
        lambda run: f" {' '.join(_bigrams(run[0]))} {run[0][-1]} ", _plain(text)
    )


def query_words(text: str) -> tuple[str, ...]:
    """
    Return a query's distinct words as quoted FTS5 phrases, in order, without stop words.

    Stop words stay when nothing else is left. A word joined by `- : / . '` is one phrase of its
    parts, followed by the parts that could stand alone. Any text gives a valid, bounded result;
    text without letters or digits gives ().
    """
    words = {word.parts: word for word in reversed(list(_words(_plain(text))))}
    kept = _without_stop_words(list(reversed(words.values())))
    return tuple(word.phrase for word in kept[:MAX_WORDS])


def any_of(words: Sequence[str]) -> str:
    """Return the FTS5 expression for rows that hold any of these phrases (at least one)."""
    return " OR ".join(words)


def _plain(text: str) -> str:
    if text.isascii():
        return text.replace("\0", " ")
    import unicodedata  # half-width kana and decomposed Hangul would be other tokens

    normal = unicodedata.normalize("NFKC", _UNSAFE.sub(" ", text.replace(_SOFT_HYPHEN, "")))
    # FTS5's Unicode is of 2012: it takes a newer emoji for a letter of the word before it.
    return _OTHER.sub(lambda c: " " if unicodedata.category(c[0])[0] in "PSC" else c[0], normal)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)  # 7 ms for both, which ASCII texts needn't pay


def _bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


def _words(text: str) -> Iterator[Word]:
    for spaced in text.split():
        start = 0
        for run in () if spaced.isascii() else _compiled(_RUN).finditer(spaced):
            yield from _joined(spaced[start : run.start()])
            yield from (_word(bigram) for bigram in _bigrams(run[0]))
            if len(run[0]) == 1:
                yield Word(f'"{run[0]}" *', (run[0],))
            start = run.end()
        yield from _joined(spaced[start:])


def _joined(text: str) -> Iterator[Word]:
    """Yield the word between spaces as one phrase, then its parts that could stand alone."""
    pattern = _ASCII_PART if text.isascii() else _compiled(_PART)
    parts = list(pattern.finditer(text))
    if not parts:
        return
    named = parts[:MAX_PARTS]
    whole = _stretched(text, named[0].start(), named[-1].end())
    elided = bool(_APOSTROPHE.search(whole))
    yield Word(_quote(whole), tuple(part[0].lower() for part in named), elided)
    if len(parts) > 1:
        # Of "well-known" or "john's" the parts are words too; of "10.0.0.1" they are noise.
        least = 2 if elided else 3
        yield from (_word(p[0]) for p in parts if len(p[0]) >= least and not p[0].isdigit())


def _stretched(text: str, start: int, end: int) -> str:
    """Take in the characters around that FTS5's older Unicode may have for letters."""
    while start > 0 and _is_letter_elsewhere(text[start - 1]):
        start -= 1
    while end < len(text) and _is_letter_elsewhere(text[end]):
        end += 1
    return text[start:end]


def _is_letter_elsewhere(char: str) -> bool:
    if char.isascii():
        return False
    from unicodedata import category

    return category(char)[0] in "CLMN"  # unassigned ones are C


def _word(text: str) -> Word:
    return Word(_quote(text), (text.lower(),))


def _quote(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _without_stop_words(words: Sequence[Word]) -> list[Word]:
    stop = stop_words([word.parts[0] for word in words if len(word.parts) == 1])
    return [word for word in words if not word.is_stop(stop)] or list(words)
