"""Facts found without a model: what the user states about themselves, in their own words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from litemem.extract.fact import ExtractedFact
from litemem.extract.sentence import sentences
from litemem.extract.spoken import spoken
from litemem.extract.statement import statements
from litemem.extract.task import told_task
from litemem.extract.turn import ConversationTurn
from litemem.text.normal import normalise

MOST: Final = 20  # facts of one turn
_MANY: Final = 1_000  # sentences at each end of a message that are read
_MARKS: Final = " \t\n,;:，；：、–—-"


def extract(turn: ConversationTurn) -> tuple[ExtractedFact, ...]:
    """
    Return what the user states in a turn about themselves, and asks to have remembered.

    English and Chinese, by rules: identity, preference, plan, possession, decision, tools in use,
    "remember that ...". Only the user's message counts; a fact's content is a sentence or clause of
    it, white space apart. Questions, suppositions, quotations, code, logs, requests, jokes, parts
    played, templates and passing states give nothing. The time is linear in the message's length;
    of more than 2,000 sentences the first and the last thousand are read.

    Returns:
        At most MOST facts, in order, each text once, without tags; importance as in `kinds`.
    """
    found = dict[str, ExtractedFact]()
    for fact in _stated(turn.user_message):
        found.setdefault(normalise(fact.content), fact)
        if len(found) == MOST:
            break
    return tuple(found.values())


def _stated(text: str) -> Iterator[ExtractedFact]:
    said = list(sentences(spoken(text)))
    if len(said) > 2 * _MANY:  # something was pasted; what is said about it stands around it
        said = [*said[:_MANY], *said[-_MANY:]]
    tasks = [told_task(one.text) for one in said]
    if "all" in tasks:
        return
    for sentence, task in zip(said, tasks, strict=True):
        if task == "rest":
            return
        written = text[sentence.start : sentence.start + len(sentence.text)]
        for one in statements(sentence, written):
            content, kind = _content(written[one.start : one.end]), one.kind
            if any(map(str.isalnum, content)):
                yield ExtractedFact(
                    content=content, category=kind.category, importance=kind.importance
                )
        if task == "after":
            return


def _content(written: str) -> str:
    """Return a statement on one line, without the marks at its ends that belong to no word."""
    said = " ".join(written.split()).strip(_MARKS).rstrip("?？")
    for opening, closing in ("()", "（）"):
        if said.count(closing) > said.count(opening):
            said = said.rstrip(" .").removesuffix(closing)
    return said
