"""Which program wrote a log, by its first bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, Literal, TypeAlias, get_args

from litemem.session.imports import turns as t
from litemem.session.imports.jsonstream import BOM
from litemem.text import jsjson

Format: TypeAlias = Literal["claude-code", "codex", "pi", "chatgpt", "claude-ai", "own"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)

HEAD_BYTES: Final = 1 << 18
_LINES: Final = 40  # of the head that are looked at
_OWN: Final = frozenset({"node", "head"})
_CLAUDE_CODE: Final = frozenset({"summary", "file-history-snapshot", "queue-operation"})
_CODEX_ITEMS: Final = frozenset({"message", "reasoning", "function_call", "function_call_output"})
_STRING: Final = rb'"(?:[^"\\]++|\\.)*+"'
_OUR_EXPORT: Final = re.compile(
    rb'\{\s*"id":\s*%b,\s*"name":\s*(?:null|%b),\s*"archived":\s*(?:true|false),\s*"leaf":'
    % (_STRING, _STRING)
)


def detect(head: bytes) -> Format | None:
    """
    Return the format of a file by its first HEAD_BYTES; None where it's none that is known.

    A first conversation that is larger than that is told by its keys.
    """
    text = head.removeprefix(BOM).lstrip()
    if text.startswith(b"["):
        return _of_export(text)
    if is_our_export(text):
        return "own"
    for record in _records(text):
        found = _of_record(record)
        if found is not None:
            return found
    return _of_export(text) if text.startswith(b"{") else None


def _records(text: bytes) -> Iterator[dict[str, Any]]:
    for line in text.split(b"\n")[:_LINES]:
        try:
            value = jsjson.loads(line.decode())
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value


def _of_record(record: t.Json) -> Format | None:
    kind = t.text_of(record.get("type"))
    if kind in _OWN or is_transcript_turn(record):
        return "own"
    if kind == "session" and "id" in record:
        return "pi"
    if kind in _CLAUDE_CODE or ("sessionId" in record and kind):
        return "claude-code"
    if _is_codex(record):
        return "codex"
    if "mapping" in record:
        return "chatgpt"
    return "claude-ai" if "chat_messages" in record else None


def is_our_export(head: bytes) -> bool:
    """Say whether a file starts as a session that was exported as JSON."""
    return _OUR_EXPORT.match(head.removeprefix(BOM).lstrip()) is not None


def _is_codex(record: t.Json) -> bool:
    kind = t.text_of(record.get("type"))
    if isinstance(record.get("payload"), dict):
        return "timestamp" in record
    if not kind:
        return "id" in record and "timestamp" in record and "mapping" not in record
    return kind in _CODEX_ITEMS and ("content" in record or "call_id" in record)


def is_transcript_turn(record: t.Json) -> bool:
    """Say whether a record is a line of one of our transcripts."""
    return record.keys() >= {"ts", "role", "content"}


def _of_export(head: bytes) -> Format | None:
    mapping, messages = head.find(b'"mapping"'), head.find(b'"chat_messages"')
    if max(mapping, messages) < 0:
        return None
    return "chatgpt" if messages < 0 or 0 <= mapping < messages else "claude-ai"
