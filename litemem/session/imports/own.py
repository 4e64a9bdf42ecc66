"""
Our own files: session logs and their JSON exports, record by record as they are, and transcripts
as one path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from litemem.errors import InvalidName
from litemem.files.names import check_name
from litemem.session.imports import turns as t
from litemem.session.imports.events import Began, Copied, Ended, Event, Said, Skipped
from litemem.session.lines import Odd, parse_record, read_line
from litemem.session.records import BadRecord, Head, format_at

PROGRAM: Final = "session"
_ROLES: Final = ("user", "assistant", "tool")


def read_session(lines: Iterable[bytes], stem: str) -> Iterator[Event]:
    """Read a session log; `stem` is its name without the ending, and the session's id."""
    yield Began(session_id=_named(stem))
    for line in lines:
        found = read_line(line, ())
        for record in found.records:
            if isinstance(record, Head):
                if record.leaf is not None:
                    yield Ended(leaf=record.leaf)
            else:
                yield Copied(record=record)
        for odd in Counter(odd.kind for odd in found.odd):
            yield Skipped(reason=odd)
        if found.skipped:
            yield Skipped(reason="record of another type")


def read_export(document: t.Json) -> Iterator[Event]:
    """Read a session that was exported as one JSON document: its nodes, marks and head."""
    yield Began(session_id=_named(t.text_of(document.get("id"))))
    odd: list[Odd] = []
    for raw in _records(document):
        try:
            record = parse_record(raw, odd)
        except BadRecord:
            yield Skipped(reason="bad record")
            continue
        if record is not None and not isinstance(record, Head):
            yield Copied(record=record)
    for one in odd:
        yield Skipped(reason=one.kind)
    if t.text_of(document.get("leaf")):
        yield Ended(leaf=document["leaf"])


def _records(document: t.Json) -> Iterator[t.Json]:
    """Yield what an export holds as records of a session file; it has no times of marks."""
    times = [t.object_of(node).get("createdAt") for node in t.list_of(document.get("nodes"))]
    at = max((ms for ms in map(t.time_ms, times) if ms is not None), default=0)
    mark = {"at": format_at(datetime.fromtimestamp(at / 1000, UTC))}
    for node in t.list_of(document.get("nodes")):
        yield {"type": "node", "node": node}
    for cut in t.list_of(document.get("compactions")):
        yield {**t.object_of(cut), "type": "compaction"}
    for node, label in t.object_of(document.get("labels")).items():
        yield {**mark, "type": "label", "node": node, "label": label}
    for node in t.list_of(document.get("redacted")):
        yield {**mark, "type": "redaction", "node": node}
    if document.get("name") is not None:
        yield {**mark, "type": "name", "name": document["name"]}
    if document.get("archived") is True:
        yield {**mark, "type": "archive", "archived": True}


def read_transcript(records: Iterable[t.Json], stem: str) -> Iterator[Event]:
    """Read a transcript; `stem` is its name without the ending, and the session's id."""
    yield Began(session_id=_named(stem))
    last: str | None = None
    for i, record in enumerate(records):
        content, role = t.text_of(record.get("content")), record.get("role")
        actions = t.list_of(record.get("actions"))
        if not content and not actions:
            yield Skipped(reason="turn without content")
            continue
        blocks = [t.text(content)] if content else []
        for n, action in enumerate(actions):
            blocks += _action(t.object_of(action), f"{i}-{n}")
        key = f"#{i}"
        turn = t.turn_of(role if isinstance(role, str) and role in _ROLES else "user", blocks)
        yield Said(key=key, parent=last, turn=turn, at_ms=t.time_ms(record.get("ts")))
        last = key
    if last is not None:
        yield Ended(leaf=last)


def _named(stem: str) -> str:
    """Return the stem where it's a legal id, else `session-` and its hash."""
    try:
        return check_name(stem, "session id")
    except InvalidName:
        return t.session_name(PROGRAM, stem)


def _action(action: t.Json, call_id: str) -> list[t.Block]:
    name = action.get("tool") or action.get("name")
    given = action.get("args") if "args" in action else action.get("input")
    call = t.tool_call(call_id, name, given)
    if "output" not in action:
        return [call]
    return [call, t.tool_result(call_id, action["output"])]
