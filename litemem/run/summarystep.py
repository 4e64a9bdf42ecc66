"""A summary as a step of the agent's own kind, made from the classes of its steps."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final

from litemem.run.turns import text_turn
from litemem.types import JsonObject

_REFUSED: Final = (AttributeError, TypeError, ValueError)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class SummaryStep:
    """A summary among steps of an unknown class."""

    text: str

    def to_messages(self, summary_mode: bool = False) -> list[JsonObject]:  # noqa: FBT001, FBT002  # the agents' own signature
        """Return the summary as one message of the user."""
        del summary_mode
        return [{"role": "user", "content": [{"type": "text", "text": self.text}]}]

    def dict(self) -> dict[str, Any]:  # Any: JSON
        """Return the step as JSON."""
        return {"text": self.text}


def summary_step(text: str, gone: Sequence[object], kept: Sequence[object] = ()) -> object:
    """
    Make the step that takes the place of others.

    Among an agent's actions it is an action whose observation is the summary, so that no model
    takes it for a new task; it spans the times of what is gone, and carries its tokens. Without
    an action it is a task; among turns a turn, among messages a message; else a SummaryStep.
    """
    steps = [*gone, *kept]
    for key, make in (("observations", _action), ("task", _task)):
        for step in steps:
            if dataclasses.is_dataclass(step) and key in _fields(step):
                try:
                    return make(step, text, gone)
                except _REFUSED:  # its class wants more than we know
                    continue
    like = steps[0] if steps else None
    if isinstance(like, Mapping):
        return text_turn("user", text) if "blocks" in like else {"role": "user", "content": text}
    return SummaryStep(text=text)


def _action(like: Any, text: str, gone: Sequence[object]) -> object:  # noqa: ANN401  # a foreign step
    changes: dict[str, Any] = {"observations": text}
    if "timing" in _fields(like):
        changes["timing"] = _span([step.timing for step in gone if hasattr(step, "timing")]) or (
            copy.copy(like.timing)
        )
    if "token_usage" in _fields(like):
        changes["token_usage"] = _sum([_usage(step) for step in gone if hasattr(step, "timing")])
    return _blank(like, changes)


def _task(like: Any, text: str, gone: Sequence[object]) -> object:  # noqa: ANN401  # a foreign step
    del gone
    return _blank(like, {"task": text})


def _blank(like: Any, changes: Mapping[str, Any]) -> object:  # noqa: ANN401  # a foreign step
    """Make another one: with the changes, what must be given, and defaults else."""
    given = {
        field.name: getattr(like, field.name)
        for field in dataclasses.fields(like)
        if field.init
        and field.default is dataclasses.MISSING
        and field.default_factory is dataclasses.MISSING
    }
    made: object = type(like)(**(given | dict(changes)))
    return made


def _span(timings: Sequence[Any]) -> Any:  # noqa: ANN401  # foreign times
    """Return a timing from the first one's start to the last one's end."""
    if not timings:
        return None
    span = copy.copy(timings[0])
    span.end_time = timings[-1].end_time
    return span


def _sum(usages: Sequence[Any]) -> Any:  # noqa: ANN401  # foreign counts
    """Return the tokens of all, or None where one is unknown."""
    if not usages or None in usages:
        return None
    return dataclasses.replace(
        usages[0],
        input_tokens=sum(usage.input_tokens for usage in usages),
        output_tokens=sum(usage.output_tokens for usage in usages),
    )


def _usage(step: Any) -> Any:  # noqa: ANN401  # a foreign step
    return getattr(step, "token_usage", None)


def _fields(step: Any) -> set[str]:  # noqa: ANN401  # a foreign step
    return {field.name for field in dataclasses.fields(step)}
