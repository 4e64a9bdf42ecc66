"""Whether a fact denies what was said, or says what was denied."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from litemem.extract.pattern import words
from litemem.extract.terms import Term, Terms, stem, terms_of

_MANY: Final = 500  # clauses at each end of a message; bounds the time
_LONGEST: Final = 1_000  # characters of a clause

# "can't wait", "不错": a negation in form only.
_NONE: Final = re.compile(
    r"\b(?:not only|not just|not to mention|why not|no (?:doubt|problem|worries|wonder|idea)"
    r"|(?:can(?:'?t|not| not)) (?:wait|stop|get enough|help)|(?:can(?:'?t|not| not)|never) \w+"
    r"(?: \w+)? without|do(?:n'?t| not) (?:forget|worry|mind)|never (?:forget|miss|fails?)"
    r"|(?:am|are|is|'m|'re|got|get|getting) used to)\b"
    r"|不错|不但|不仅|不过|不同|不好意思|不客气|差不多|对不起|了不起|不得不|离不开|没事|没关系"
    r"|没问题|特别|分别|级别|区别|类别|性别|别人|别的|别墅|忍不住|恨不得|不知道你|无锡|无论|不断"
)
_FORMERLY: Final = re.compile(r"\bused to\b")
_APART: Final = re.compile(
    r"[.;!\n。！；]+|,\s*(?:(?:but|and|so|because|although) )?(?=(?:i|my|we|not)\b)"
    r"|\b(?:but|because|although|though|however)\b|[，,](?=[\u3400-\u9fff])"
)
_DENIES: Final = (
    r"\b(?:not|never|no|none|nor|neither|without|cannot|cant|dont|doesnt|didnt|isnt|wont|refuses?"
    r"|hate[sd]?|dislike[sd]?|detests?|loathes?|avoid(?:s|ed|ing)?|averse|allerg\w+|intoleran\w+"
    r"|quits?|quitting|stop(?:s|ped)|former|formerly|lacks?|unable|non|ex|previously)\b|n't\b"
    r"|[不没沒无無忌戒]|别(?=[吃喝用叫提])|讨厌|討厭|过敏|過敏|拒绝|以前|曾经|讨嫌|受不了|怕"
)
_DENIAL: Final = re.compile(_DENIES)
# What can be told with a negation: "I left Google" is "no longer works at Google".
_LEAVES: Final = re.compile(
    _DENIES + r"|\b(?:left|leaving|lost|moved (?:from|away|out)|cut(?:ting)? (?:down|back|out)"
    r"|(?:gave|giv(?:e|ing)|given) up|reduc\w+|less|free|instead|rather|except|barely|hardly"
    r"|rarely|seldom|(?:sick|tired) of|worst|least|awful|terribl\w+|disgust\w*|gross|yuck|afraid"
    r"|scared|fear\w*|skip\w*|vegan|vegetarian|sober|retired|broke up|divorced|fired|laid off"
    r"|expired|ended|cancel+ed|switched|replaced|dropp?(?:ed)?|against|sensitive|resigned|anymore"
    r"|hives|rash)\b|离开|離開|辞|戒|离职|放弃|停|换|搬|少|难吃|糟|恶心|素"
)
_PAST: Final = re.compile(r"\b(?:was|were|had|lived|worked|owned|past|since|until)\b|过|前|曾")
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_DENIERS: Final = words(
    "not never no neither nor without cannot cant dont doesnt didnt isnt wont hate hated dislike"
    " detest loathe avoid quit stopped allergic formerly"
)
_PASSED: Final = words(
    "a an the in at on to from of for with any my our am be been do does really very even ever that"
    " much too also think believe i like'd so quite particularly actually eating drinking"
)
_SAME: Final = {  # by stems
    **dict.fromkeys(("lov", "enjo", "enjoy", "ador", "fan"), "lik"),
    **dict.fromkeys(("has", "had", "own", "got"), "hav"),
}
_HAN_DENIAL: Final = re.compile("(?:没有|沒有|[不没沒]|讨厌|討厭)[太怎么很想再会能要]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A clause of what was said, in lower case, without what only looks a negation."""

    text: str
    terms: Terms

    def concerns(self, terms: Iterable[Term]) -> bool:
        """Say whether it has one of the words of a fact."""
        return any(self.terms.share(term) for term in terms)


def said_clauses(text: str) -> tuple[Clause, ...]:
    """Return the clauses of a text; of more than 2 * _MANY those at both ends."""
    found = [one[:_LONGEST] for one in _APART.split(_plain(text)) if one and one.strip()]
    if len(found) > 2 * _MANY:
        found = [*found[:_MANY], *found[-_MANY:]]
    return tuple(Clause(text=one, terms=terms_of(one)) for one in found)


def turned_around(content: str, terms: Sequence[Term], clauses: Sequence[Clause]) -> str:
    """
    Say in which way a fact turns around what was said; '' when it doesn't, as far as can be told.

    Args:
        content: the fact.
        terms: its specific words.
        clauses: of what was said.
    """
    fact = _plain(content)
    if _DENIAL.search(fact):
        told = any(_LEAVES.search(one.text) and one.concerns(terms) for one in clauses)
        return "" if told else "it denies what was said"
    about = [one.text for one in clauses if one.concerns(terms)]
    if not about or _PAST.search(fact):
        return ""
    having = {_same(one) for one in _WORD.findall(fact)}
    turned = all(_is_denied(one, having, fact) for one in about)
    return "it says what was denied" if turned else ""


def _plain(text: str) -> str:
    return _FORMERLY.sub("formerly", _NONE.sub(" ", text.casefold().replace("’", "'")))


def _is_denied(clause: str, having: set[str], fact: str) -> bool:
    """Say whether a negation in a clause stands right before a word of the fact."""
    return any(word in having for word in _denied(clause)) or any(
        len(rest) == 2 and rest in fact
        for rest in (clause[found.end() :][:2] for found in _HAN_DENIAL.finditer(clause))
    )


def _denied(clause: str) -> Iterator[str]:
    said = _WORD.findall(clause)
    for place, word in enumerate(said):
        if word in _DENIERS or word.endswith("n't"):
            rest = (one for one in said[place + 1 :] if one not in _PASSED)
            yield _same(next(rest, ""))


def _same(word: str) -> str:
    short = stem(word)
    return _SAME.get(short, short)
