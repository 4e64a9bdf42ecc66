"""An agent's steps, of whatever class, as wire turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from litemem.errors import InvalidValue
from litemem.run.context import USAGE
from litemem.run.turns import SUMMARY_HEADING, Turn, serialized, text_turn
from litemem.types import JsonObject

AT: Final = "at"
"""A key of the turns made here: when a step ended, in seconds since 1970."""
LATEST: Final = 1e11  # the year 5138; beyond it are milliseconds

_FIELDS: Final = ("task", "plan", "model_output", "observations", "output")
_CODE_TOOL: Final = "python_interpreter"
_UNKNOWN: Final = (AttributeError, KeyError, NotImplementedError, TypeError, ValueError)


def step_turns(step: object) -> list[Turn]:
    """
    Return what a step adds to a model's context, as turns.

    It goes by what a step has: `system_prompt`, `task`, `plan`, `model_output`, `tool_calls`,
    `code_action`, `observations`, `error`, a final `action_output`, `output`, a chat message's
    `role` and `content`, a turn's `blocks`; else by its `to_messages()`, else by its text. What
    the model said on the way is `thinking`; what went in again, such as `model_input_messages`,
    counts nothing. An earlier summary is the turn that it was made of. The first turn carries what
    the step's model call took, by `token_usage`. Never an empty list.
    """
    if isinstance(step, Mapping) and "blocks" in step:
        return [step]
    if summary := _summary_in(step):
        return [text_turn("user", summary)]
    turns = [turn for turn in _known(step) if turn["blocks"]] or _unknown(step)
    turns = turns or [_said("assistant", f"[{type(step).__name__}]", kind="thinking")]
    if (used := _used(step)) is not None:
        turns[0] = {**turns[0], USAGE: {"inputTokens": used}}
    at = _ended_at(step)
    return turns if at is None else [{**turn, AT: at} for turn in turns]


def _known(step: object) -> Iterator[Turn]:
    yield _said("system", _text(step, "system_prompt"))
    task = _said("user", _text(step, "task"))
    yield {**task, "blocks": [*task["blocks"], *_images(step, "task_images")]}
    yield _said("assistant", _text(step, "plan"), _text(step, "model_output"), kind="thinking")
    calls = [*_calls(step)]
    yield {"role": "assistant", "blocks": calls}
    yield {
        "role": "tool",
        "blocks": [*_results(step, calls), *_images(step, "observations_images")],
    }
    answer = _value(step, "action_output") if _value(step, "is_final_answer") is True else None
    yield _said("assistant", _shown(answer), _shown(_value(step, "output")))
    role = _value(step, "role")
    if role != "tool" and role is not None:
        yield _said(str(getattr(role, "value", role)), _text(step, "content"))


def _calls(step: object) -> Iterator[JsonObject]:
    given = _value(step, "tool_calls")
    for call in given if isinstance(given, list | tuple) else ():
        function = _value(call, "function") or call
        name, arguments = _text(function, "name"), _value(function, "arguments")
        yield {
            "kind": "tool_call",
            "id": _text(call, "id"),
            "name": name,
            "input": arguments if _is_json(arguments) else _shown(arguments),
        }
    code = _text(step, "code_action")
    if code and not given:
        yield {"kind": "tool_call", "id": "", "name": _CODE_TOOL, "input": code}


def _results(step: object, calls: list[JsonObject]) -> Iterator[JsonObject]:
    ident = calls[-1]["id"] if calls else _text(step, "tool_call_id")
    found = _text(step, "observations")
    if _value(step, "role") == "tool":
        found = found or _text(step, "content")
    if found:
        yield {"kind": "tool_result", "callId": ident, "output": found}
    if error := _text(step, "error"):
        yield {"kind": "tool_result", "callId": ident, "output": error, "isError": True}


def _unknown(step: object) -> list[Turn]:
    """Return the texts of a step's messages, or else the step as Python shows it."""
    if any(hasattr(step, key) for key in _FIELDS):
        return []  # it is empty; its text as Python shows it may hold a whole context
    try:
        messages: Iterable[object] = step.to_messages()  # type: ignore[attr-defined]  # or not
        return [turn for message in messages for turn in _known(message) if turn["blocks"]]
    except _UNKNOWN:
        return [text_turn("assistant", str(step))]


def _summary_in(step: object) -> str:
    """Return the text of a step that holds nothing but a summary, else ''."""
    if _value(step, "tool_calls") or _value(step, "model_output"):
        return ""  # a tool can say anything
    texts = (_text(step, key) for key in ("observations", "task", "content", "text"))
    return next((text for text in texts if text.startswith(SUMMARY_HEADING)), "")


def _said(role: str, *texts: str, kind: str = "text") -> JsonObject:
    return {"role": role, "blocks": [{"kind": kind, "text": text} for text in texts if text]}


def _images(step: object, key: str) -> list[JsonObject]:
    given = _value(step, key)
    count = len(given) if isinstance(given, list | tuple) else 0
    return [{"kind": "image", "mediaType": "", "dataBase64": ""}] * count


def _ended_at(step: object) -> float | None:
    timing = _value(step, "timing")
    at = _value(timing, "end_time") or _value(timing, "start_time")
    return float(at) if isinstance(at, int | float) and 0 <= at < LATEST else None


def _used(step: object) -> int | None:
    """Return what the context before a step took; a plan is made of a shortened one."""
    used = _value(_value(step, "token_usage"), "input_tokens")
    return used if isinstance(used, int) and _value(step, "plan") is None else None


def _value(step: object, key: str) -> Any:  # noqa: ANN401  # whatever the step's class keeps there
    if isinstance(step, Mapping):
        return step.get(key)
    return getattr(step, key, None)


def _text(step: object, key: str) -> str:
    """Return a field as text; of a list of parts those that are text."""
    value = _value(step, key)
    if isinstance(value, list | tuple):
        texts = (part if isinstance(part, str) else _text(part, "text") for part in value)
        return "\n".join(text for text in texts if text)
    return _shown(value)


def _shown(value: object) -> str:
    if value is None:
        return ""
    return serialized(value) if _is_json(value) else str(value)


def _is_json(value: object) -> bool:
    try:
        serialized(value)
    except InvalidValue:
        return False
    return True
