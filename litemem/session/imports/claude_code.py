"""
Claude Code's logs: `~/.claude/projects/<project>/<session>.jsonl`.

Each record has a uuid and its parent's. Records that are no messages may stand between two of
them. A sidechain (a subagent) starts without a parent: it becomes a branch after the message that
started it; a file of a subagent alone becomes its own session.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from litemem.session.imports import turns as t
from litemem.session.imports.events import (
    Began,
    Condensed,
    Ended,
    Event,
    Named,
    Passed,
    Said,
    Skipped,
)

PROGRAM: Final = "claude-code"
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TITLES: Final = {  # record type -> its key; the later kind wins
    "summary": "summary",
    "ai-title": "aiTitle",
    "custom-title": "customTitle",
}
_SEARCHED: Final = 200  # records at the start in which the session's id is looked for


def read(records: Iterable[t.Json], stem: str) -> Iterator[Event]:
    """Read one file; `stem` is its name without the ending."""
    rest = iter(records)
    first: list[t.Json] = []
    for record in rest:
        first.append(record)
        if record.get("sessionId") or len(first) >= _SEARCHED:
            break
    yield Began(session_id=t.session_name(PROGRAM, _session_of(first, stem)))
    reader = _Reader()
    for record in chain(first, rest):
        yield from reader.events(record)
    yield from reader.end()


def _session_of(first: list[t.Json], stem: str) -> str:
    last = first[-1] if first else {}
    session = t.text_of(last.get("sessionId")) or stem
    agent = t.text_of(last.get("agentId"))
    if agent and last.get("isSidechain") is True:
        return f"{session}-agent-{agent}"
    return stem if _UUID.fullmatch(stem) else session


class _Reader:
    """What is known of a file so far."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._count = 0
        self._main: str | None = None  # the last message outside of sidechains
        self._side: str | None = None  # the last one of the newest sidechain
        self._tokens: int | None = None  # before the condensation whose summary comes next
        self._titles: dict[str, tuple[str, str | None]] = {}  # kind -> text, and of which message

    def events(self, record: t.Json) -> Iterator[Event]:
        """Read a record."""
        self._count += 1
        kind = t.text_of(record.get("type"))
        key = t.text_of(record.get("uuid")) or f"#{self._count}"
        if kind in ("user", "assistant"):
            yield from self._message(record, key, kind)
        elif kind in _TITLES:
            self._title(kind, record)
        else:
            if record.get("subtype") == "compact_boundary":
                tokens = t.object_of(record.get("compactMetadata")).get("preTokens")
                self._tokens = tokens if type(tokens) is int else None
            yield Skipped(reason=f"record of type {kind or '?'}")
            yield from self._pass(record, key)

    def end(self) -> Iterator[Event]:
        """Say what is known when all records are read."""
        last = self._main or self._side
        if last is not None:
            yield Ended(leaf=last)
        for kind in _TITLES:
            text, leaf = self._titles.get(kind, ("", None))
            if text and (leaf is None or leaf in self._seen):
                yield Named(text=text)

    def _title(self, kind: str, record: t.Json) -> None:
        """Note a title; a summary of another session names a message that isn't here."""
        leaf = t.text_of(record.get("leafUuid"))
        self._titles[kind] = (t.text_of(record.get(_TITLES[kind])).strip(), leaf or None)

    def _message(self, record: t.Json, key: str, role: str) -> Iterator[Event]:
        message = t.object_of(record.get("message"))
        blocks = []
        for part in _parts(message.get("content")):
            block = _block(part)
            if block is None:
                yield Skipped(reason=f"block of type {t.object_of(part).get('type')}")
            else:
                blocks.append(block)
        if not blocks:
            yield Skipped(reason="message without content")
            yield from self._pass(record, key)
            return
        at, parent = t.time_ms(record.get("timestamp")), self._parent(record)
        if record.get("isCompactSummary") is True and self._main is not None:
            gist = t.summary_turn(t.joined([b.get("text") for b in blocks if b["kind"] == "text"]))
            leaf = parent if parent is not None else self._main
            yield Condensed(
                key=key,
                leaf=leaf,
                first_kept=None,
                summary=gist,
                tokens_before=self._tokens,
                at_ms=at,
            )
        else:
            yield Said(key=key, parent=parent, turn=t.turn_of(role, blocks), at_ms=at)
        self._note(record, key)

    def _pass(self, record: t.Json, key: str) -> Iterator[Event]:
        if record.get("uuid"):
            yield Passed(key=key, parent=self._parent(record))
            self._note(record, key)

    def _parent(self, record: t.Json) -> str | None:
        """Return what a record follows; without a known parent, what stands before it."""
        for name in ("parentUuid", "logicalParentUuid"):
            parent = t.text_of(record.get(name))
            if parent in self._seen:
                return parent
        if record.get("isSidechain") is not True:
            return self._main
        return self._side if record.get("parentUuid") else self._main

    def _note(self, record: t.Json, key: str) -> None:
        self._seen.add(key)
        if record.get("isSidechain") is True:
            self._side = key
        else:
            self._main = key


def _parts(content: object) -> list[object]:
    return [content] if isinstance(content, str) and content else t.list_of(content)


def _block(part: object) -> t.Block | None:
    found = t.object_of(part)
    match found.get("type"):
        case "tool_use" | "server_tool_use":
            return t.tool_call(found.get("id"), found.get("name"), found.get("input"))
        case "tool_result" | "web_search_tool_result":
            failed, output = found.get("is_error") is True, _output(found.get("content"))
            return t.tool_result(found.get("tool_use_id"), output, failed=failed)
        case "thinking":
            return t.thinking(t.text_of(found.get("thinking")), found.get("signature"))
        case "image":
            source = t.object_of(found.get("source"))
            return t.image(source.get("media_type"), source.get("data"))
        case kind:
            return t.text_part(part, kind)


def _output(content: object) -> object:
    """Return a tool's answer: texts alone as one string, anything else as it is."""
    parts = t.list_of(content)
    if parts and all(t.object_of(part).get("type") == "text" for part in parts):
        return t.joined(parts)
    return content
