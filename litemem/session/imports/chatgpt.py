"""
ChatGPT's export: `conversations.json`, an array of conversations, each a tree of messages.

A message to a tool (its recipient isn't `all`) becomes a tool call, and the tool's message below it
the result. System messages are left out; the turns below them move up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from litemem.session.imports import turns as t
from litemem.session.imports.events import Began, Ended, Event, Named, Passed, Said, Skipped

PROGRAM: Final = "chatgpt"


def read(conversation: t.Json) -> Iterator[Event]:
    """Read one conversation."""
    mapping = t.object_of(conversation.get("mapping"))
    source_id = conversation.get("conversation_id") or conversation.get("id")
    session = t.text_of(source_id) or f"{conversation.get('create_time')}"
    yield Began(session_id=t.session_name(PROGRAM, session))
    started = t.time_ms(conversation.get("create_time"))
    parents = {key: _parent(node, mapping) for key, node in mapping.items()}
    for key in list(_cycles(parents)):
        parents[key] = None
        yield Skipped(reason="cycle")
    for key in _in_order(parents):
        yield from _node(key, parents[key], t.object_of(mapping[key]), started)
    if t.text_of(conversation.get("title")):
        yield Named(text=conversation["title"])
    current = t.text_of(conversation.get("current_node"))
    if current in mapping:
        yield Ended(leaf=current)


def _in_order(parents: Mapping[str, str | None]) -> list[str]:
    """Return the keys, parents before children, siblings as they stand; there is no cycle."""
    children: dict[str | None, list[str]] = {}
    for key, parent in parents.items():
        children.setdefault(parent, []).append(key)
    order: list[str] = []
    stack = children.get(None, [])[::-1]
    while stack:
        key = stack.pop()
        order.append(key)
        stack += children.get(key, [])[::-1]
    return order


def _cycles(parents: Mapping[str, str | None]) -> Iterator[str]:
    """Yield of each cycle of parents the key that stands first: made a root, it cuts the cycle."""
    place = {key: i for i, key in enumerate(parents)}
    seen: dict[str, str] = {}  # key -> where the walk began that met it first
    for start in parents:
        path: list[str] = []
        key: str | None = start
        while key is not None and key not in seen:
            seen[key] = start
            path.append(key)
            key = parents[key]
        if key is not None and seen[key] == start:
            yield min(path[path.index(key) :], key=place.__getitem__)


def _parent(node: object, mapping: t.Json) -> str | None:
    parent = t.object_of(node).get("parent")
    return parent if isinstance(parent, str) and parent in mapping else None


def _node(key: str, parent: str | None, node: t.Json, started: int | None) -> Iterator[Event]:
    message = t.object_of(node.get("message"))
    role = t.text_of(t.object_of(message.get("author")).get("role"))
    blocks = [] if role == "system" else _blocks(key, role, message, parent)
    if blocks:
        at = t.time_ms(message.get("create_time"))
        turn = t.turn_of(role if role in ("user", "assistant", "tool") else "user", blocks)
        yield Said(key=key, parent=parent, turn=turn, at_ms=started if at is None else at)
        return
    if message:
        yield Skipped(reason="system message" if role == "system" else "message without content")
    yield Passed(key=key, parent=parent)


def _blocks(key: str, role: str, message: t.Json, parent: str | None) -> list[t.Block]:
    content = t.object_of(message.get("content"))
    recipient = t.text_of(message.get("recipient"))
    words = _words(content)
    if content.get("content_type") in ("thoughts", "reasoning_recap"):
        return [t.thinking(words)] if words else []
    if role == "assistant" and recipient not in ("", "all"):
        return [t.tool_call(key, recipient, words)]
    if role == "tool":
        failed = content.get("content_type") == "system_error"
        return [t.tool_result(parent, words, failed=failed)] if words else []
    return [t.text(words)] if words else []


def _words(content: t.Json) -> str:
    """Return the texts of a message, one part a line."""
    if content.get("content_type") == "thoughts":
        thoughts = [t.object_of(thought) for thought in t.list_of(content.get("thoughts"))]
        return "\n".join(filter(None, (_thought(thought) for thought in thoughts)))
    parts = content.get("parts")
    if isinstance(parts, list):
        return "\n".join(filter(None, map(_part, parts)))
    found = (content.get(name) for name in ("text", "result", "content"))
    return next((text for text in found if isinstance(text, str) and text), "")


def _thought(thought: t.Json) -> str:
    texts = (t.text_of(thought.get("summary")), t.text_of(thought.get("content")))
    return "\n".join(filter(None, texts))


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    found = t.object_of(part)
    said = t.text_of(found.get("text"))
    kind = t.text_of(found.get("content_type"))
    # The export keeps images and sounds in other files, by names that nothing else tells.
    asset = t.text_of(found.get("asset_pointer"))
    return said or (f"[{kind or 'asset'} {asset}]" if asset else "")
