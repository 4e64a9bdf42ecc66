"""What stands before an English statement: words that lead in, times and places, suppositions."""

from __future__ import annotations

import re
from typing import Final

_LEAD: Final = re.compile(
    r"(?:(?:hi|hey|hello|hiya|yo|ok|okay|well|so|oh|ah|um|uh|hmm|yes|yeah|yep|yup|no|nope|nah"
    r"|also|and|but|plus"
    r"|btw|by the way|fyi|actually|honestly|anyway|thanks|thank you|sure|right|great|cool|wow"
    r"|haha|lol|look"
    r"|listen|see|you know|to be honest|tbh|in fact|as you know|just so you know"
    r"|just to let you know"
    r"|to give you some context|for context|for reference|a bit about me|about me|personally"
    r"|frankly"
    r"|quick (?:note|update|intro)|good (?:morning|evening|afternoon)|because|since|though|although"
    r"|unfortunately|sadly|luckily|fortunately|basically|p\.?s\.?|first|first of all|second|then"
    r"|now|later"
    r"|one more thing|another thing|the thing is|of course|i mean|exactly|absolutely|definitely"
    r"|totally"
    r"|same here|me too|not yet|not really|of course|background|context|correction|update|note"
    r"|intro"
    r"|introduction|about myself|as i said|like i said|as i mentioned|apparently|finally|recently"
    r"|lately"
    r"|currently|obviously|clearly|my bad|sorry|nice|awesome|amazing|true|agreed|it's just that"
    r"|turns out"
    r"|(?:hi|hey|hello) [a-z]+)(?![\w'-])[\s,!.:~–-]{0,4})"
)
_FRONT: Final = (
    r"(?:(?:on|in|at|every|since|most|these|nowadays|lately|last|next|during|after|before|today"
    r"|tomorrow|right"
    r" now|outside|besides|apart|being|growing|back|once|twice|as|to|with|from|for|this|by|until"
    r"|ever since"
    r"|when i'm|at the moment|other than|aside)\b(?! (?:example|instance|this|that|which|case"
    r"|the following|i\b)))"
)
_FRONT_COMMA: Final = re.compile(_FRONT + r"[^,]{0,60}")
_FRONT_BARE: Final = re.compile(_FRONT + r"(?: [\w'-]+){0,4}? (?=(?:i|we)(?![\w-]))")
_SUPPOSES: Final = re.compile(
    r"(?:(?:and|but|so|now|then|ok|well|also),? ){0,2}(?:(?:even |what |as |only |but )?if|unless"
    r"|suppose"
    r"|supposing|imagine|pretend|let's (?:say|pretend|imagine|assume)|say i|assume|assuming"
    r"|hypothetically"
    r"|whether|had i|were i|i wish|when i was|back when|in my (?:story|novel|game|dream)|example"
    r"|e\.g|for"
    r" example|title|subject|caption|quote|lyrics)\b"
)
_REPORTS: Final = re.compile(
    r"(?!i\b|we\b|my (?:name|birthday|goal)\b)[^,:]{0,80}?\b(?:says?|said|saying|told|tells|asked"
    r"|asks|wrote"
    r"|writes|claims?|claimed|replied|answered|texted|thinks?|thought|reads?|goes|went like"
    r"|be like|shouted"
    r"|whispered|yelled|explained|insists?|believes?)\b(?! me (?:i have|i'm|to)\b)"
)


def lead(clause: str) -> int:
    """Return how many characters of a clause only lead into it."""
    at = 0
    for _ in range(5):
        found = _LEAD.match(clause, at)
        if not found or found.end() >= len(clause):
            break
        at = found.end()
    return at


def is_front(clause: str) -> bool:
    """Say whether a clause is a time, place or role that belongs to the statement after it."""
    return _FRONT_COMMA.fullmatch(clause) is not None


def bare_front(clause: str) -> int:
    """Return how many characters of a time or place stand before the subject, without a comma."""
    found = _FRONT_BARE.match(clause)
    return found.end() if found else 0


def supposes(sentence: str) -> bool:
    """Say whether a sentence begins with a supposition or reports what another said."""
    return _SUPPOSES.match(sentence) is not None or _REPORTS.match(sentence) is not None
