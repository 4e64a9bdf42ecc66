"""What a model answered about a turn, checked: what is valid is taken, what isn't is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from litemem.extract.fact import ExtractedFact
from litemem.extract.fields import category_of, content_of, importance_of, tags_of
from litemem.extract.found import Entry, found_entries
from litemem.extract.grounds import grounds_of
from litemem.extract.turn import ConversationTurn
from litemem.text.normal import normalise

MOST: Final = 50  # facts of one answer; one turn rarely says five
_TROUBLES: Final = 20  # sentences; more are counted

_ACTIONS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("add", "create", "new", "insert"), "add"),
    **dict.fromkeys(("replace", "update", "supersede"), "replace"),
    **dict.fromkeys(("nothing", "none", "noop", "no_op", "skip", "keep", "ignore"), "nothing"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionAnswer:
    """The valid facts of an answer, and a short sentence for each thing that was wrong in it."""

    facts: tuple[ExtractedFact, ...] = ()
    trouble: tuple[str, ...] = ()


def parse_answer(
    text: str, known: Mapping[str, str], *, said: ConversationTurn | None = None
) -> ExtractionAnswer:
    """
    Return what an answer to `extraction_prompt` says; never raises, whatever the text is.

    JSON is found in prose and fences, nested or flat, torn at its end. A replacement of an id that
    wasn't shown becomes a new fact, so that nothing the user said is lost and nothing known is.

    Args:
        text: the model's answer.
        known: id -> text of the known facts that the prompt showed.
        said: the turn; a fact that isn't grounded in it (`Grounds.objection`) is held to be
            invented and left out. None: not checked.

    Returns:
        At most MOST facts, each text once; `replaces` is one of `known`, each at most once. In
        a trouble, "fact 3" is the third of the answer's list, valid or not what stands before.
    """
    entries, trouble = found_entries(text)
    reader = _Reader(known=known, said=said, trouble=trouble)
    for entry in entries[:MOST]:
        reader.read(entry)
    if len(entries) > MOST:
        trouble.append(f"{len(entries) - MOST} facts were left out: at most {MOST} are read")
    if len(trouble) > _TROUBLES:
        rest = len(trouble) - _TROUBLES
        trouble = [*trouble[:_TROUBLES], f"{rest} more things were wrong in the answer"]
    return ExtractionAnswer(facts=tuple(reader.facts.values()), trouble=tuple(trouble))


class _Reader:
    """Reads the entries of one answer, in order."""

    def __init__(
        self, *, known: Mapping[str, str], said: ConversationTurn | None, trouble: list[str]
    ) -> None:
        self.facts: dict[str, ExtractedFact] = {}
        self._known, self._trouble = known, trouble
        self._grounds = None if said is None else grounds_of(said)
        self._replaced: set[str] = set()

    def read(self, given: Entry) -> None:
        """Take one entry, or say why not."""
        name = f"fact {given.place}"
        if given.fields is None:
            self._trouble.append(f"{name} was left out: it is neither an object nor text")
            return
        action = self._action(name, given.fields)
        if action != "nothing":
            self._take(name, given.fields, is_replacement=action == "replace")

    def _take(self, name: str, entry: Mapping[str, Any], *, is_replacement: bool) -> None:
        content = content_of(entry)
        if isinstance(content, ValueError):
            self._trouble.append(f"{name} was left out: {content}")
            return
        old = self._known.get(_id_of(entry), "") if is_replacement else ""
        wrong = self._grounds.objection(content, old=old) if self._grounds else ""
        if wrong:
            self._trouble.append(f"{name} was left out: {wrong}")
        elif normalise(content) not in self.facts:
            replaces = self._replaces(name, entry) if is_replacement else None
            self.facts[normalise(content)] = self._fact(name, entry, content, replaces)

    def _action(self, name: str, entry: Mapping[str, Any]) -> str:
        given = entry.get("action", entry.get("event"))
        if given is None:
            return "replace" if entry.get("replaces") is not None else "add"
        action = _ACTIONS.get(given.strip().casefold()) if isinstance(given, str) else None
        if action is None and isinstance(given, str):
            self._trouble.append(
                f"{name} was left out: its action is none of add, replace, nothing"
            )
            return "nothing"
        if action is None:
            self._trouble.append(f"{name}: its action isn't text; taken as add")
        return action or "add"

    def _replaces(self, name: str, entry: Mapping[str, Any]) -> str | None:
        id_ = _id_of(entry)
        if id_ in self._known and id_ not in self._replaced:
            self._replaced.add(id_)
            return id_
        why = "was replaced before" if id_ in self._replaced else "wasn't shown"
        self._trouble.append(f"{name}: the id that it replaces {why}; added as a new fact")
        return None

    def _fact(
        self, name: str, entry: Mapping[str, Any], content: str, replaces: str | None
    ) -> ExtractedFact:
        category, wrong_category = category_of(entry)
        importance, wrong_importance = importance_of(entry)
        tags, wrong_tags = tags_of(entry)
        wrong = filter(None, (wrong_category, wrong_importance, wrong_tags))
        self._trouble += [f"{name}: {what}" for what in wrong]
        return ExtractedFact(
            content=content,
            category=category,
            importance=importance,
            tags=tags,
            replaces=replaces,
        )


def _id_of(entry: Mapping[str, Any]) -> str:
    """Return the id that an entry replaces, '' for what is none."""
    given = next((entry[key] for key in ("id", "replaces") if entry.get(key) is not None), None)
    is_id = isinstance(given, str | int) and not isinstance(given, bool)
    return str(given).strip(" []") if is_id and len(str(given)) <= 100 else ""
