"""A sentence cut where another statement, a question or a request may begin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from litemem.extract.pattern import words
from litemem.extract.sentence import LONGEST

_SUBJECT: Final = r"(?:i|i'm|im|i've|ive|i'd|i'll|my|we|we're|we've|we'll|our|let's)(?![\w'])"
_ASK: Final = (
    r"(?:(?:can|could|would|will|should|shall|do|does|did|is|are) (?:i|you|we|it|they|there|this"
    r"|that"
    r"|anyone|anybody|the)|what(?:'s| is| are| should| would| do| does| can| could| kind)"
    r"|how(?: do| can|"
    r" should| would| does| much| many| long|'s)|(?:which|where|when|who|why) (?:\w+ )?(?:should"
    r"|do|does|can"
    r"|could|would|is the best|are the best)|any (?:idea|suggestion|tip|advice|thought"
    r"|recommendation)s?"
    r"|please(?! call me (?!back|when|later|if|at|on|tomorrow|a)\w)"
    r"|pls|help me|tell me|give me|show me|explain|suggest|recommend|let me know"
    r"|i (?:really |just |would |also |only )?(?:need|wonder|want (?:you|to (?:know|understand"
    r"|make sure|see"
    r"|be sure|use|add|get (?:it|this|the|some|a list)|do|ask|find|figure))|was wondering"
    r"|was hoping|wanted to)"
    r"|i'm (?:wondering|hoping you|(?:still |also |just |a bit |kind of |kinda |a little "
    r"|really ){0,2}(?:not (?:\w+ )?"
    r"sure|unsure|having (?:trouble|issues|some|difficulty|problems|a hard)|struggling|confused"
    r"|stuck|lost|worried"
    r"|curious|getting (?:an?|the|this|errors?|some|weird))|trying to (?:understand|figure|find"
    r"|do|implement|fix"
    r"|debug|make|solve|create|set up|handle|integrate|calculate|use|see|add|meet|apply|get (?:it"
    r"|this|the|my"
    r"|these|them|some)))|i (?:think|don't (?:know|see|understand|get)|can't (?:seem|figure|find"
    r"|tell|get (?:it|this"
    r"|the))|keep (?:getting|seeing)|tried|have tried|guess)|i've tried|any help|here's"
    r"|i'm looking for(?! (?:an? )?(?:new )?(?:\w+ )?(?:jobs?|apartment|flat|house|place to live"
    r"|roommate|position"
    r"|internship|career|home|cat|dog|puppy)\b)"
    r"|i'd (?:like(?! to .{1,80}(?:one day|someday|some day|eventually|this year|next year))|love"
    r"|prefer|appreciate|rather(?! .{1,60} than))|i would (?:like|love"
    r"|appreciate)|thanks"
    r"|thank you)\b"
)
_JOINT: Final = re.compile(
    r"\s?[;；—–]+\s*|\s-{1,2}\s+|:\s+|：\s*|\s\(\s*|，\s*"
    r"|,\s*(?:(?P<after>and|but|so|because|since|plus|although|though|while|as|yet|or|if|when"
    r"|unless"
    r"|that|which|where|who|then) )?(?=" + _SUBJECT + r")"
    r"|\s(?P<inside>and|but|so|because|since|though|although|while|when|if|that|as|than|unless"
    r"|until|after"
    r"|before|where|or|how|what|which|why|whether|who) (?=" + _SUBJECT + r")"
    r"|,\s*(?:(?:and|but|so|then|or) )?(?=" + _ASK + r")|\s(?:and|but|so) (?=" + _ASK + r")"
)
_SUBORDINATE: Final = words(
    "if when that while or as than unless until after before where which how what why whether who"
)
_STARTS_ASKING: Final = re.compile(_ASK)
# "my sister and I are", "Jo and I": no clause ends there.
_JOINED_NAMES: Final = re.compile(r"(?:my |our )?[\w'-]+(?: [\w'-]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A part of a sentence's text, from `start` to `end` in it."""

    start: int
    end: int
    subordinate: bool  # "if I ...", "that I ...": it states nothing by itself
    strong: bool  # a semicolon, a dash or a bracket stands before it


def clauses(text: str) -> Iterator[Clause]:
    """Yield the clauses of a sentence's text, of its first LONGEST characters."""
    text = text[:LONGEST]
    start, subordinate, strong = 0, False, True
    for joint in _JOINT.finditer(text):
        word = joint["after"] or joint["inside"] or ""
        if joint["inside"] == "and" and _JOINED_NAMES.fullmatch(text, start, joint.start()):
            continue
        if joint.start() > start:
            yield Clause(start=start, end=joint.start(), subordinate=subordinate, strong=strong)
        start, subordinate = joint.end(), word in _SUBORDINATE
        strong = joint[0].strip()[:1] in {";", "；", "—", "–", "-", "("}
    if start < len(text):
        yield Clause(start=start, end=len(text), subordinate=subordinate, strong=strong)


def asks(clause: str) -> bool:
    """Say whether an English clause begins a question or a request."""
    return _STARTS_ASKING.match(clause) is not None
