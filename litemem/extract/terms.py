"""The words and numbers of a text, in a form in which a paraphrase has the same ones."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from litemem.extract.framewords import FRAME, HAN_FRAME, HAN_NUMBERS, NUMBERS, TENS

# Scripts that write no blanks between words (Han, kana, Hangul, Thai and its neighbours): there
# two characters side by side are what elsewhere a word is.
_RUNS: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_TOKEN: Final = re.compile(rf"(?P<run>[{_RUNS}]+)|(?P<number>\d+)|(?P<word>[^\W\d_{_RUNS}]+)")
_HAN: Final = re.compile("[\u3400-\u9fff]")
_VOICED: Final = "\u3099\u309a"  # in Japanese another letter, no accent
_KANA: Final = re.compile("[\u3041-\u3096]+")  # hiragana alone is grammar more often than not
_HAN_NUMBER: Final = re.compile("[一二两兩三四五六七八九十百]+")
_THOUSANDS: Final = re.compile(r"(?<=\d)[,.'\u2019](?=\d{3}(?!\d))")
_SHORTENED: Final = re.compile(r"(?<=\w)['\u2019](?:s|t|d|m|ll|re|ve)\b", re.IGNORECASE)
_END: Final = re.compile(r"[.!?:\n]")
_JOINT: Final = re.compile(r"[,;，；、(（]|\b(?:and|but|or|who|with|because)\b|[和并且但]")
_ENDINGS: Final = (
    *("ments", "ment", "ings", "ing", "ists", "ist", "ers", "ors", "ies", "ics", "ish"),
    *("er", "or", "es", "ed", "ic", "ly", "s", "e", "y"),
)
_PREFIX: Final = 4  # letters; a shorter beginning is that of too many words
_REST: Final = 3  # letters more that a word may have than the beginning it shares


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A specific word of a fact: one that says what the fact is about."""

    text: str  # folded; a number without its zeros, a run of characters without frame words
    kind: str  # "word", "run" or "number"
    is_name: bool = False  # a capital in the middle of a sentence
    part: int = 0  # of the fact: what stands behind an "and" is another one

    @property
    def script(self) -> str:
        """Return the name of its script, '' for a number; Han and kana are one."""
        if self.kind == "number":
            return ""
        script = unicodedata.name(self.text[0], "").partition(" ")[0]
        return "CJK" if script in {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"} else script


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a text has to compare with."""

    words: frozenset[str]
    stems: frozenset[str]
    starts: frozenset[str]  # of the stems
    pairs: frozenset[str]  # and single characters
    numbers: frozenset[str]
    scripts: frozenset[str]

    def share(self, term: Term) -> float:
        """Return how much of a term is in the text, 0..1."""
        if term.kind == "number":
            return float(term.text in self.numbers)
        if term.kind == "run":
            return self._covered(term.text) / len(term.text)
        short = stem(term.text)
        return float(
            term.text in self.words
            or short in self.stems
            or short in self.starts
            or not self.stems.isdisjoint(_starts(short))
        )

    def _covered(self, run: str) -> int:
        if len(run) == 1:
            return int(run in self.pairs)
        found = [i for i in range(len(run) - 1) if run[i : i + 2] in self.pairs]
        return len({*found, *(i + 1 for i in found)})


def folded(text: str) -> str:
    """Return a text without accents and shortened verbs, its case kept."""
    apart = unicodedata.normalize("NFKD", text)
    plain = "".join(one for one in apart if one in _VOICED or not unicodedata.combining(one))
    return _THOUSANDS.sub("", _SHORTENED.sub("", unicodedata.normalize("NFC", plain)))


def terms_of(*texts: str) -> Terms:
    """Return all that texts have to compare with."""
    words, pairs, numbers, scripts = set[str](), set[str](), set[str](), set[str]()
    for text in texts:
        plain = folded(text)
        numbers |= numbers_in(plain)
        for found in _TOKEN.finditer(plain):
            run, token = found["run"], found[0]
            if run:
                pairs |= {*run, *(run[i : i + 2] for i in range(len(run) - 1))}
            elif found["word"]:
                words.add(token.casefold())
            scripts.add(Term(text=token, kind="number" if found["number"] else "word").script)
    stems = {stem(word) for word in words if word not in FRAME}
    return Terms(
        words=frozenset(words),
        stems=frozenset(stems),
        starts=frozenset(start for one in stems for start in _starts(one)),
        pairs=frozenset(pairs),
        numbers=frozenset(numbers),
        scripts=frozenset(scripts - {""}),
    )


def specific(content: str) -> tuple[Term, ...]:
    """Return the words of a fact without those that any fact may have; its numbers last."""
    plain = folded(content)
    found = list[Term]()
    begin = 0
    for part, joint in enumerate([*_JOINT.finditer(plain), None]):
        end = joint.start() if joint else len(plain)
        for token in _TOKEN.finditer(plain, begin, end):
            found += _terms(plain, token, part)
        begin = joint.end() if joint else end
    found += [Term(text=one, kind="number") for one in sorted(numbers_in(plain))]
    return tuple(found)


def is_han(term: Term) -> bool:
    """Say whether a run has Chinese characters."""
    return _HAN.search(term.text) is not None


def numbers_in(plain: str) -> set[str]:
    """Return the numbers of a folded text in digits, those in words too; "one" is none."""
    found = {_digits(one) for one in re.findall(r"\d+", plain)}
    lower = [one.casefold() for one in re.findall(r"[^\W\d_]+", plain)]
    for place, word in enumerate(lower):
        after = NUMBERS.get(lower[place + 1], 99) if place + 1 < len(lower) else 99
        before = lower[place - 1] if place else ""
        if word in TENS:
            found.add(str(TENS[word] + (after if after < 10 else 0)))
        elif NUMBERS.get(word, 1) > 1 and not (before in TENS and NUMBERS[word] < 10):
            found.add(str(NUMBERS[word]))
    found |= {str(_han_number(one)) for one in _HAN_NUMBER.findall(plain) if one != "一"}
    return found


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return the beginning of a word that its other forms share."""
    if not word.isascii():
        return word[: max(_REST, min(_PREFIX, len(word) - 2))]
    for _ in range(3):
        end = next((one for one in _ENDINGS if word.endswith(one) and len(word) > len(one) + 2), "")
        word = word.removesuffix(end)
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def _terms(plain: str, token: re.Match[str], part: int) -> list[Term]:
    if token["run"]:
        runs = " ".join(HAN_FRAME.split(_HAN_NUMBER.sub(" ", token[0]))).split()
        return [Term(text=run, kind="run", part=part) for run in runs if not _KANA.fullmatch(run)]
    text = token[0].casefold()
    if token["number"] or text in NUMBERS or text in TENS:
        return []
    is_name = token[0][0].isupper() and text not in {"i", "user"} and _is_middle(plain, token)
    if text in FRAME and not is_name:
        return []
    return [Term(text=text, kind="word", is_name=is_name, part=part)]


def _is_middle(plain: str, token: re.Match[str]) -> bool:
    """Say whether a word stands behind another of its sentence."""
    before = plain[max(0, token.start() - 40) : token.start()]
    return any(map(str.isalnum, _END.split(before)[-1]))


def _starts(short: str) -> set[str]:
    return {short[:end] for end in range(max(_PREFIX, len(short) - _REST), len(short))}


def _digits(number: str) -> str:
    return "".join(str(unicodedata.digit(one)) for one in number).lstrip("0") or "0"


def _han_number(run: str) -> int:
    total, digit = 0, 0
    for one in run:
        value = HAN_NUMBERS[one]
        if value < 10:
            digit = 10 * digit + value if digit else value
        else:
            total, digit = total + max(1, digit) * value, 0
    return total + digit
