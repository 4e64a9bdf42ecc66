"""
Codex CLI's logs: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`.

Newer ones wrap each item (`{"timestamp", "type", "payload"}`), older ones are the bare items after
a first record with the session's id. Items have no parents: each follows the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from litemem.session.imports import turns as t
from litemem.session.imports.events import (
    Began,
    Condensed,
    Ended,
    Event,
    Said,
    Skipped,
)

PROGRAM: Final = "codex"
_WRAPPERS: Final = frozenset(
    {"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
)
_SETUP: Final = ("<environment_context>", "<user_instructions>")
"""How messages begin that Codex puts in the user's mouth."""


def read(records: Iterable[t.Json], stem: str) -> Iterator[Event]:
    """Read one file; `stem` is its name without the ending."""
    reader: _Reader | None = None
    for record in records:
        if reader is None:
            reader = _Reader()
            session = t.text_of(_payload(record).get("id")) if _is_meta(record) else ""
            yield Began(session_id=t.session_name(PROGRAM, session or stem))
        yield from reader.events(record)
    if reader is not None:
        yield from reader.end()


def _is_meta(record: t.Json) -> bool:
    return record.get("type") in (None, "session_meta")


def _payload(record: t.Json) -> t.Json:
    if t.text_of(record.get("type")) in _WRAPPERS:
        return t.object_of(record.get("payload"))
    return record


class _Reader:
    """The item before, and how many there were."""

    def __init__(self) -> None:
        self._count = 0
        self._last: str | None = None

    def events(self, record: t.Json) -> Iterator[Event]:
        """Read a record."""
        self._count += 1
        kind = t.text_of(record.get("type"))
        wrapper = kind if kind in _WRAPPERS else "response_item"
        item, at = _payload(record), t.time_ms(record.get("timestamp"))
        if wrapper == "response_item" and (item.get("type") or "role" in item):
            yield from self._item(item, at)
        elif wrapper == "compacted" and self._last is not None:
            yield Condensed(
                key=f"#{self._count}",
                leaf=self._last,
                first_kept=None,
                summary=t.summary_turn(t.text_of(item.get("message"))),
                tokens_before=None,
                at_ms=at,
            )
        elif self._count > 1:
            yield Skipped(reason=f"record of type {kind or '?'}")

    def end(self) -> Iterator[Event]:
        """Say what is known when all records are read."""
        if self._last is not None:
            yield Ended(leaf=self._last)

    def _item(self, item: t.Json, at: int | None) -> Iterator[Event]:
        role, blocks, reason = _read_item(item)
        if not blocks:
            yield Skipped(reason=reason)
            return
        key = f"#{self._count}"
        yield Said(key=key, parent=self._last, turn=t.turn_of(role, blocks), at_ms=at)
        self._last = key


def _read_item(item: t.Json) -> tuple[str, list[t.Block], str]:
    """Return an item's role and blocks; without blocks, why."""
    kind = t.text_of(item.get("type")) or "message"
    if kind == "message":
        return _message(item)
    if kind == "reasoning":
        texts = [*t.list_of(item.get("summary")), *t.list_of(item.get("content"))]
        gist = t.joined(texts)
        return "assistant", [t.thinking(gist)] if gist else [], "reasoning without text"
    if kind.endswith("_call_output"):
        output, failed = _output(item.get("output"))
        return "tool", [t.tool_result(item.get("call_id"), output, failed=failed)], ""
    if kind.endswith("_call"):
        name = item.get("name") or kind.removesuffix("_call")
        given = next((item[k] for k in ("arguments", "input", "action") if k in item), None)
        return "assistant", [t.tool_call(item.get("call_id") or item.get("id"), name, given)], ""
    return "", [], f"item of type {kind}"


def _message(item: t.Json) -> tuple[str, list[t.Block], str]:
    role = t.text_of(item.get("role"))
    if role not in ("user", "assistant"):
        return role, [], f"message of the {role or 'unknown'} role"
    content = item.get("content")
    if t.joined(content).startswith(_SETUP):
        return role, [], "message that Codex put in itself"
    parts = [content] if isinstance(content, str) else t.list_of(content)
    blocks = [block for block in map(_block, parts) if block is not None]
    return role, blocks, "message without content"


def _block(part: object) -> t.Block | None:
    found = t.object_of(part)
    if found.get("type") == "input_image":
        return t.image_of_url(found.get("image_url"))
    said = part if isinstance(part, str) else t.text_of(found.get("text"))
    return t.text(said) if said else None


def _output(output: object) -> tuple[object, bool]:
    """Return what a tool answered, and whether it failed; the answer may be JSON in a string."""
    value = t.loaded(output) if isinstance(output, str) else output
    if isinstance(value, list) and not isinstance(output, str):
        return t.joined(value) or value, False
    if not isinstance(value, dict):
        return output, False
    code = t.object_of(value.get("metadata")).get("exit_code")
    failed = value.get("success") is False or (type(code) is int and code != 0)
    for name in ("output", "content"):
        if isinstance(value.get(name), str):
            return value[name], failed
    return output, failed
