"""
pi's logs: a `session` record, then entries; since version 2 with ids and parents.

Its condensations become ours: they name the first entry that was kept.
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
    Labelled,
    Named,
    Passed,
    Said,
    Skipped,
)

PROGRAM: Final = "pi"


def read(records: Iterable[t.Json], stem: str) -> Iterator[Event]:
    """Read one file; `stem` is its name without the ending."""
    reader: _Reader | None = None
    for record in records:
        if reader is None:
            reader = _Reader()
            session = t.text_of(record.get("id")) if record.get("type") == "session" else ""
            yield Began(session_id=t.session_name(PROGRAM, session or stem))
        yield from reader.events(record)
    if reader is not None:
        yield from reader.end()


class _Reader:
    """The entries so far: the first versions count them instead of naming them."""

    def __init__(self) -> None:
        self._keys: list[str] = []
        self._last: str | None = None

    def events(self, record: t.Json) -> Iterator[Event]:
        """Read a record."""
        kind = t.text_of(record.get("type"))
        key = t.text_of(record.get("id")) or f"#{len(self._keys)}"
        self._keys.append(key)
        if kind == "session":
            return
        parent = t.text_of(record.get("parentId")) or None
        if "parentId" not in record:
            parent = self._last
        if kind == "label":
            label = t.text_of(record.get("label")) or None
            yield Labelled(key=t.text_of(record.get("targetId")), label=label)
        elif kind == "session_info":
            yield Named(text=t.text_of(record.get("name")))
        event = self._turn(kind, key, parent, record)
        if event is None:
            if kind not in ("label", "session_info"):
                yield Skipped(reason=_why(kind))
            event = Passed(key=key, parent=parent)
        yield event
        self._last = key

    def end(self) -> Iterator[Event]:
        """Say what is known when all records are read."""
        if self._last is not None:
            yield Ended(leaf=self._last)

    def _turn(self, kind: str, key: str, parent: str | None, record: t.Json) -> Event | None:
        at = t.time_ms(record.get("timestamp"))
        if kind == "compaction" and parent is not None:
            return self._condensed(key, parent, record, at)
        message = _as_message(kind, record)
        blocks = _blocks(message)
        if not blocks:
            return None
        role = "assistant" if message.get("role") == "assistant" else "user"
        at = at if at is not None else t.time_ms(message.get("timestamp"))
        return Said(key=key, parent=parent, turn=t.turn_of(role, blocks), at_ms=at)

    def _condensed(self, key: str, leaf: str, record: t.Json, at: int | None) -> Event:
        first = t.text_of(record.get("firstKeptEntryId")) or None
        index = record.get("firstKeptEntryIndex")
        if first is None and type(index) is int and 0 <= index < len(self._keys) - 1:
            first = self._keys[index]
        tokens = record.get("tokensBefore")
        return Condensed(
            key=key,
            leaf=leaf,
            first_kept=first,
            summary=t.summary_turn(t.text_of(record.get("summary"))),
            tokens_before=tokens if type(tokens) is int else None,
            at_ms=at,
        )


def _why(kind: str) -> str:
    return "message without content" if kind == "message" else f"entry of type {kind or '?'}"


def _as_message(kind: str, record: t.Json) -> t.Json:
    if kind == "message":
        return t.object_of(record.get("message"))
    if kind == "branch_summary":
        return {"role": "user", "content": t.text_of(record.get("summary"))}
    if kind == "custom_message":
        return {"role": "user", "content": record.get("content")}
    return {}


def _blocks(message: t.Json) -> list[t.Block]:
    role, content = message.get("role"), message.get("content")
    if role == "bashExecution":
        ran = {"kind": "command", "command": "bash", "args": t.text_of(message.get("command"))}
        return [ran, t.text(t.text_of(message.get("output")))]
    if role in ("branchSummary", "compactionSummary"):
        content = t.text_of(message.get("summary"))
    parts = [content] if isinstance(content, str) and content else t.list_of(content)
    if role == "toolResult":
        failed = message.get("isError") is True
        answer = t.tool_result(message.get("toolCallId"), t.joined(parts), failed=failed)
        return [answer, *filter(None, (_image(part) for part in parts))]
    return [block for block in map(_block, parts) if block is not None]


def _block(part: object) -> t.Block | None:
    found = t.object_of(part)
    match found.get("type"):
        case "thinking":
            return t.thinking(t.text_of(found.get("thinking")), found.get("thinkingSignature"))
        case "toolCall":
            return t.tool_call(found.get("id"), found.get("name"), found.get("arguments"))
        case "image":
            return _image(part)
        case kind:
            return t.text_part(part, kind)


def _image(part: object) -> t.Block | None:
    found = t.object_of(part)
    if found.get("type") != "image":
        return None
    return t.image(found.get("mimeType"), found.get("data"))
