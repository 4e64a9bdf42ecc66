"""What an English clause states about the one who says it."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from litemem.extract.english_life import LIVES
from litemem.extract.english_pieces import ENGLISH_PIECES
from litemem.extract.english_self import WHO
from litemem.extract.english_wishes import WISHES
from litemem.extract.english_work import WORK
from litemem.extract.kinds import DECISION, GOAL, HABIT, PREFERENCE, Kind
from litemem.extract.pattern import compiled, words
from litemem.extract.sentence import LONGEST

_SHORTEST: Final = 6  # "I'm Al"
# What no pattern begins with needn't be tried on them all; "X is my favourite" begins with any.
_BEGINS: Final = re.compile(
    r"(?:i|always|never|i'\w+|im|ive|my|our|we|we'\w+|let'?s|from|going|in|you|people|everyone"
    r"|everybody|friends"
    r"|just|please|call|calls|production|the team|mornings|evenings|afternoons|weekends|weekdays"
    r"|nights|\w+days|all)(?![\w'])"
)

# "I love to play it", "I'd never use that": what the clause speaks of isn't in it.
_POINTS: Final = re.compile(
    r"(?:[\w'’-]+ ){2,6}?(?:it|this|that|them|him|her|those|these|one)\b(?! (?:when|is|was|kind"
    r"|type|one)\b| (?:day|year"
    r"|spring|summer|autumn|fall|winter|month|week|weekend|coming|\w+day|january|february|march"
    r"|april|june"
    r"|july|august|september|october|november|december)\b)"
)
_POINTING_ENDS: Final = words("it this that them one ones there him her to of few lot some many")
_PASSING: Final = re.compile(
    r".*\b(?:you|your|yours|right now|today|tonight|this time|in this case|for now|at the moment)\b"
)
# "My flight is at 6": when, nobody will know tomorrow.
_OCCASION: Final = re.compile(
    r"(?:my|our|(?:i|we)(?:'?ve)? (?:have|got)) (?:[\w'-]+ ){0,4}?(?:birthday|anniversary|flight"
    r"|train|bus|ferry|exam|interview|appointment|meeting|surgery|wedding|deadline|party|call"
    r"|recital|audition|graduation|trip|presentation|check-?up|date|concert|gig|race|due date)s?\b"
    r".{0,20}?\b(?:tomorrow|today|tonight|yesterday|soon|coming up|at (?:\d|noon|midnight))"
)
_BIRTHDAY: Final = re.compile(
    r"my (?:\w+ )?(?:birthday|anniversary)(?: is|'s)(?: on| coming)? (?:tomorrow|today|yesterday|up"
    r"|soon|next|this|around|almost|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|in \w+ (?:days?|weeks?|months?))\b"
)
_DATED: Final = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|\d{1,2}(?:st|nd|rd|th)|\d{4}|\d+/\d+|next"
    r"|every|each|daily|jan\w*|feb\w*|march|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*"
    r"|dec\w*)\b"
)


@cache
def _rules() -> list[tuple[Kind, list[re.Pattern[str]]]]:
    """Compile the patterns at their first use (0.1 s): with a model none is ever asked for."""
    event, habit, possession = LIVES
    decision, technical = WORK
    # The first that matches says the kind: what is lasting comes before what is wished or had.
    order = (*WHO, event, decision, *WISHES, technical, habit, possession)
    return compiled(order, ENGLISH_PIECES)


def english_kind(clause: str, written: str) -> Kind | None:
    """
    Return what kind of statement a clause makes about its speaker; None for anything else.

    Args:
        clause: as `sentences` gives it, without what leads in; at most LONGEST characters count.
        written: the same characters as the user wrote them, where capitals tell names.
    """
    said = clause[:LONGEST]
    if len(said) < _SHORTEST or not (_BEGINS.match(said) or " my " in said or " to me" in said):
        return None
    for kind, patterns in _rules():
        for pattern in patterns:
            found = pattern.match(said)
            if found and _capitals(found, written):
                return None if _is_passing(kind, said) else kind
    return None


def _is_passing(kind: Kind, said: str) -> bool:
    """Say whether a wish or a date speaks of what only this moment or its listener knows."""
    if _BIRTHDAY.match(said) or (_OCCASION.match(said) and not _DATED.search(said)):
        return True
    if kind not in {PREFERENCE, GOAL, DECISION, HABIT}:
        return False
    last = said.rstrip(" .!?,;:…)\"'").rpartition(" ")[2]
    return (
        last in _POINTING_ENDS
        or _POINTS.match(said) is not None
        or (kind is PREFERENCE and _PASSING.match(said) is not None)
    )


def _capitals(found: re.Match[str], written: str) -> bool:
    """Say whether what must be a name is written as one."""
    names = {key: found.start(key) for key in found.groupdict() if found[key] is not None}
    return all(_is_name(written[at : at + 40]) for at in names.values())


def _is_name(written: str) -> bool:
    word = written.split(maxsplit=1)[0]
    return word[0].isupper() and not (word.isupper() and len(word) > 5)
