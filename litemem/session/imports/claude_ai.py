"""
Claude.ai's export: `conversations.json`, an array of conversations with `chat_messages`.

Newer exports give each message its parent, so that edits and retries are branches.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from litemem.session.imports import turns as t
from litemem.session.imports.events import Began, Ended, Event, Named, Passed, Said, Skipped

PROGRAM: Final = "claude-ai"


def read(conversation: t.Json) -> Iterator[Event]:
    """Read one conversation."""
    started = conversation.get("created_at")
    session = t.text_of(conversation.get("uuid")) or f"{started}"
    yield Began(session_id=t.session_name(PROGRAM, session))
    last: str | None = None
    seen: set[str] = set()
    for i, raw in enumerate(t.list_of(conversation.get("chat_messages"))):
        message = t.object_of(raw)
        key = t.text_of(message.get("uuid")) or f"#{i}"
        parent = last
        if message.get("parent_message_uuid"):  # the first ones name a parent that isn't there
            named = t.text_of(message["parent_message_uuid"])
            parent = named if named in seen else None
        yield from _message(message, key, parent, t.time_ms(started))
        seen.add(key)
        last = key
    if t.text_of(conversation.get("name")):
        yield Named(text=conversation["name"])
    current = t.text_of(conversation.get("current_leaf_message_uuid"))
    leaf = current if current in seen else last
    if leaf is not None:
        yield Ended(leaf=leaf)


def _message(message: t.Json, key: str, parent: str | None, started: int | None) -> Iterator[Event]:
    blocks: list[t.Block] = []
    for part in t.list_of(message.get("content")):
        block = _block(t.object_of(part))
        if block is None:
            yield Skipped(reason=f"block of type {t.object_of(part).get('type')}")
        elif block.get("text") != "":
            blocks.append(block)
    if not blocks and t.text_of(message.get("text")):
        blocks = [t.text(message["text"])]
    blocks += _attached(message)
    if not blocks:
        yield Skipped(reason="message without content")
        yield Passed(key=key, parent=parent)
        return
    at = t.time_ms(message.get("created_at"))
    role = "assistant" if message.get("sender") == "assistant" else "user"
    turn = t.turn_of(role, blocks)
    yield Said(key=key, parent=parent, turn=turn, at_ms=started if at is None else at)


def _block(part: t.Json) -> t.Block | None:
    match part.get("type"):
        case "text":
            return t.text(t.text_of(part.get("text")))
        case "thinking":
            return t.thinking(t.text_of(part.get("thinking")))
        case "tool_use":
            return t.tool_call(part.get("id"), part.get("name"), part.get("input"))
        case "tool_result":
            output = t.joined(part.get("content")) or part.get("content")
            failed = part.get("is_error") is True
            return t.tool_result(part.get("tool_use_id"), output, failed=failed)
        case _:
            return None


def _attached(message: t.Json) -> Iterator[t.Block]:
    """Return what was attached: the text of documents, the names of other files."""
    for raw in t.list_of(message.get("attachments")):
        found = t.object_of(raw)
        name = t.text_of(found.get("file_name"))
        yield t.text(f"[attached {name}]\n{t.text_of(found.get('extracted_content'))}".rstrip())
    for raw in t.list_of(message.get("files")):
        name = t.text_of(t.object_of(raw).get("file_name"))
        if name:
            yield t.text(f"[file {name}]")
