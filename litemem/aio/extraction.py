"""The facts of a turn: by rules, or by a model whose answer is checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from litemem.aio.asking import ModelAnswer
from litemem.extract.answer import parse_answer
from litemem.extract.fact import ExtractedFact
from litemem.extract.prompt import extraction_prompt
from litemem.extract.rules import extract
from litemem.extract.turn import ConversationTurn


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What was found, and what wasn't taken."""

    facts: tuple[ExtractedFact, ...] = ()
    trouble: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a model is asked, and the known facts that it is shown."""

    system: str
    prompt: str
    known: tuple[tuple[str, str], ...]  # (id, text), nearest first


def by_rules(turn: ConversationTurn) -> Extraction:
    """Return the facts that the user states outright."""
    return Extraction(facts=extract(turn))


def ask_about(turn: ConversationTurn, known: Sequence[tuple[str, str]]) -> Question:
    """Return the question about a turn."""
    system, prompt = extraction_prompt(turn, known)
    return Question(system=system, prompt=prompt, known=tuple(known))


def by_model(turn: ConversationTurn, question: Question, answer: ModelAnswer) -> Extraction:
    """Return what is valid of a model's answer, and what isn't as trouble."""
    if answer.error is not None:
        return Extraction(trouble=(f"no facts were extracted: {answer.error}",))
    parsed = parse_answer(answer.text, dict(question.known), said=turn)
    return Extraction(facts=parsed.facts, trouble=parsed.trouble)
