"""Whether a model's fact is made of what was really said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from litemem.extract.dates import undated
from litemem.extract.denial import Clause, said_clauses, turned_around
from litemem.extract.terms import Term, Terms, is_han, specific, terms_of
from litemem.extract.turn import ConversationTurn

_SHARE: Final = 0.6  # of a fact's specific words; a paraphrase brings words of its own
_NONE: Final = terms_of()
# "Is Oslo nice?" says nothing of who asks; "how do I get to my office?" does.
_ASKED: Final = re.compile(
    r"(?<![^.!?\n])\s{0,3}(?:(?:and|so|but|then|ok|hi|hello),? )?(?:is|are|was|were|what|what's"
    r"|how|who|who's|where|when|why|which|does|do|did|can|could|would|will|should)\b"
    r"(?![^.!?\n]*\b(?:i|i'm|my|me|we|our|us|mine)\b)[^.!?\n]*\?"
    r"|(?<![^。！？\n])[^我咱。！？?\n]{0,100}(?:[吗嗎呢]|什么|怎么|哪[里儿]|多少)"
    r"[^我咱。！？?\n]{0,100}[？?]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What was said in a turn, ready to be compared with many facts."""

    whole: Terms
    user: Terms  # without questions that aren't about the user; the whole when they said nothing
    said: str  # the user's words, or all where there are none
    clauses: tuple[Clause, ...]  # of `said`
    at: datetime | None

    def objection(self, content: str, *, old: str = "") -> str:
        """
        Say why a fact isn't grounded in the turn; '' when it is.

        Its specific words (those that not any fact may have) must be in the turn for the most
        part, its numbers and names all, one of them in the user's own words; it must neither deny
        what was said nor say what was denied.

        Args:
            content: the fact.
            old: the text of the known fact that it replaces; its words may stay.
        """
        terms = specific(undated(content, self.said, self.user.numbers, self.at))
        if not terms:
            return "it has no word that says anything"
        scripts = {term.script for term in terms} - {""}
        if scripts and scripts.isdisjoint(self.whole.scripts):
            return "it is in a script of which the turn has no word, so that it can't be checked"
        before = terms_of(old) if old else _NONE
        return (
            self._unsaid(terms, before)
            or self._not_by_user(terms)
            or turned_around(content, terms, (*self.clauses, *said_clauses(old)))
        )

    def _unsaid(self, terms: tuple[Term, ...], before: Terms) -> str:
        shares = [(one, max(self.whole.share(one), before.share(one))) for one in terms]
        if any(_must_be_said(term) and not share for term, share in shares):
            return "it has a number, a name or a word that wasn't said"
        sizes = [(len(one.text) if one.kind == "run" else 1, share) for one, share in shares]
        if sum(size * share for size, share in sizes) < _SHARE * sum(size for size, _ in sizes):
            return "most of its words weren't said"
        said = {term.part for term, share in shares if share}
        whole = all(term.part in said for term in terms)
        return "" if whole else "a part of it wasn't said"

    def _not_by_user(self, terms: tuple[Term, ...]) -> str:
        own = any(self.user.share(term) for term in terms)
        return "" if own else "the user said no word of it"


def grounds_of(turn: ConversationTurn) -> Grounds:
    """Return what was said in a turn, the user's words and all of them."""
    texts = [text for _, text in turn.parts()]
    by_user = any(map(str.isalnum, turn.user_message))
    said = turn.user_message if by_user else "\n".join(texts)
    whole = terms_of(*texts)
    return Grounds(
        whole=whole,
        user=terms_of(_ASKED.sub(" ", said)) if by_user else whole,
        said=said,
        clauses=said_clauses(said),
        at=turn.timestamp,
    )


def _must_be_said(term: Term) -> bool:
    return term.kind == "number" or term.is_name or (term.kind == "run" and is_han(term))
