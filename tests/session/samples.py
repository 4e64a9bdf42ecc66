"""Small logs in the shape of each program's, written for these tests."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Json = dict[str, Any]

SESSION = "0b6c2d1e-1111-4222-8333-444455556666"


def write_lines(path: Path, records: Iterable[object]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def write_json(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def claude_message(
    uuid: str, parent: str | None, role: str, content: object, **more: object
) -> Json:
    return {
        "type": role,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": SESSION,
        "isSidechain": False,
        "timestamp": "2026-02-08T14:05:12.345Z",
        "message": {"role": role, "content": content},
        **more,
    }


def claude_code() -> list[Json]:
    """A branch, a tool, reasoning, an image, a sidechain, a progress record, a title."""
    read = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "a.py"}}
    done = {
        "type": "tool_result",
        "tool_use_id": "t1",
        "is_error": True,
        "content": [{"type": "text", "text": "no such"}, {"type": "text", "text": "file"}],
    }
    picture = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "AA=="},
    }
    return [
        {"type": "file-history-snapshot", "messageId": "x"},
        claude_message("u1", None, "user", "Fix the bug"),
        claude_message(
            "a1",
            "u1",
            "assistant",
            [{"type": "thinking", "thinking": "hm", "signature": "sig"}, read],
        ),
        {"type": "progress", "uuid": "p1", "parentUuid": "a1", "sessionId": SESSION},
        claude_message("s1", None, "user", "look around", isSidechain=True),
        claude_message("s2", "s1", "assistant", "looked", isSidechain=True),
        claude_message("r1", "p1", "user", [done]),
        claude_message("a2", "r1", "assistant", "It is in a.py"),
        claude_message("u2", "a2", "user", "first try"),
        claude_message("u3", "a2", "user", [{"type": "text", "text": "second try"}, picture]),
        {"type": "summary", "summary": "Bug hunt", "leafUuid": "a2"},
    ]


def codex(session: str = "0199-abc") -> list[Json]:
    def item(payload: Json) -> Json:
        return {"timestamp": "2026-02-08T14:05:12Z", "type": "response_item", "payload": payload}

    user = {"type": "message", "role": "user"}
    return [
        {
            "timestamp": "2026-02-08T14:05:11Z",
            "type": "session_meta",
            "payload": {"id": session, "cwd": "/w"},
        },
        item({**user, "content": [{"type": "input_text", "text": "<environment_context>x"}]}),
        item({"type": "message", "role": "developer", "content": []}),
        item(
            {
                **user,
                "content": [
                    {"type": "input_text", "text": "Run the tests"},
                    {"type": "input_image", "image_url": "data:image/png;base64,AA=="},
                    {"type": "input_image", "image_url": "https://example.invalid/a.png"},
                ],
            }
        ),
        {
            "timestamp": "2026-02-08T14:05:12Z",
            "type": "event_msg",
            "payload": {"type": "user_message", "message": "Run the tests"},
        },
        item(
            {
                "type": "reasoning",
                "summary": [{"type": "summary_text", "text": "plan"}],
                "content": None,
                "encrypted_content": "x",
            }
        ),
        item({"type": "reasoning", "summary": [], "encrypted_content": "x"}),
        item(
            {
                "type": "function_call",
                "name": "shell",
                "call_id": "c1",
                "arguments": '{"command": ["pytest"]}',
            }
        ),
        item(
            {
                "type": "function_call_output",
                "call_id": "c1",
                "output": '{"output": "1 failed", "metadata": {"exit_code": 1}}',
            }
        ),
        item({"type": "local_shell_call", "id": "c2", "action": {"command": ["ls"]}}),
        item(
            {
                "type": "custom_tool_call_output",
                "call_id": "c2",
                "output": [{"type": "output_text", "text": "a.py"}],
            }
        ),
        item({"type": "ghost_snapshot"}),
        item(
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "One test fails"}],
            }
        ),
    ]


def codex_older() -> list[Json]:
    return [
        {"id": "old-1", "timestamp": "2025-05-01T10:00:00Z", "instructions": None},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello"}]},
        {"type": "message", "role": "assistant", "content": "Hi"},
    ]


def pi() -> list[Json]:
    def entry(kind: str, id: str, parent: str | None, **more: object) -> Json:
        return {
            "type": kind,
            "id": id,
            "parentId": parent,
            "timestamp": "2026-02-08T14:05:12.000Z",
            **more,
        }

    def message(id: str, parent: str | None, role: str, content: object, **more: object) -> Json:
        return entry("message", id, parent, message={"role": role, "content": content, **more})

    call = {"type": "toolCall", "id": "t1", "name": "read", "arguments": {"path": "a.py"}}
    reason = {"type": "thinking", "thinking": "hm", "thinkingSignature": "sig"}
    picture = {"type": "image", "mimeType": "image/png", "data": "AA=="}
    return [
        {"type": "session", "version": 3, "id": "pi-1", "timestamp": "2026-02-08T14:05:11Z"},
        message("e1", None, "user", [{"type": "text", "text": "Fix it"}, picture]),
        entry("model_change", "e2", "e1", provider="x", modelId="y"),
        message("e3", "e2", "assistant", [reason, call]),
        message(
            "e4",
            "e3",
            "toolResult",
            [{"type": "text", "text": "code"}, picture],
            toolCallId="t1",
            toolName="read",
            isError=True,
        ),
        message("e5", "e4", "assistant", "Done"),
        message("e6", "e5", "assistant", [], stopReason="aborted"),
        entry(
            "compaction", "e7", "e6", summary="We fixed it", firstKeptEntryId="e5", tokensBefore=900
        ),
        message("e8", "e7", "bashExecution", None, command="ls", output="a.py"),
        entry("branch_summary", "e9", "e3", fromId="e8", summary="The other way"),
        entry("custom_message", "e10", "e9", customType="x", content="Note", display=True),
        entry("label", "e11", "e10", targetId="e5", label="good"),
        entry("session_info", "e12", "e11", name="Repairs"),
        message("e13", "e12", "user", "Go on"),
    ]


def chat_node(id: str, parent: str | None, role: str, content: object, **more: object) -> Json:
    said = {"content_type": "text", "parts": [content]} if isinstance(content, str) else content
    message = {
        "id": id,
        "author": {"role": role},
        "create_time": 1770559512.345,
        "content": said,
        "recipient": "all",
        **more,
    }
    return {"id": id, "parent": parent, "children": [], "message": message}


def chatgpt(id: str = "c-1", title: str = "Trip") -> Json:
    """An edited question, a tool, reasoning, an image, a system message."""
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    code = {"content_type": "code", "language": "python", "text": "1 + 1"}
    nodes = [
        {"id": "root", "parent": None, "children": ["s"], "message": None},
        chat_node("s", "root", "system", ""),
        chat_node(
            "q",
            "s",
            "user",
            {
                "content_type": "multimodal_text",
                "parts": ["Plan a trip", picture, {"text": "spoken"}, {}],
            },
        ),
        chat_node(
            "w",
            "q",
            "assistant",
            {
                "content_type": "thoughts",
                "thoughts": [{"summary": "Think", "content": "of trains"}],
            },
        ),
        chat_node("call", "w", "assistant", code, recipient="python"),
        chat_node("ran", "call", "tool", {"content_type": "execution_output", "text": "2"}),
        chat_node("a", "ran", "assistant", "Take the train"),
        chat_node("q2", "s", "user", "Plan a walk"),
        chat_node("a2", "q2", "assistant", "Walk", create_time=None),
        chat_node("e", "a2", "assistant", ""),
    ]
    return {
        "title": title,
        "create_time": 1770559500.0,
        "conversation_id": id,
        "mapping": {node["id"]: node for node in nodes},
        "current_node": "a",
    }


def claude_ai(id: str = "ai-1", *, branches: bool = True) -> Json:
    def message(uuid: str, parent: str, sender: str, **more: object) -> Json:
        named = {"parent_message_uuid": parent} if branches else {}
        return {
            "uuid": uuid,
            "sender": sender,
            "created_at": "2026-02-08T14:05:12.345678Z",
            **named,
            **more,
        }

    def said(text: str) -> list[Json]:
        return [{"type": "text", "text": text}]

    return {
        "uuid": id,
        "name": "Garden",
        "created_at": "2026-02-08T14:00:00Z",
        "chat_messages": [
            message(
                "m1",
                "0000",
                "human",
                text="What grows?",
                content=[],
                attachments=[{"file_name": "soil.txt", "extracted_content": "sandy"}],
                files=[{"file_name": "a.png"}, {}],
            ),
            message(
                "m2",
                "m1",
                "assistant",
                content=[
                    {"type": "thinking", "thinking": "hm"},
                    {"type": "tool_use", "id": "t1", "name": "search", "input": {"q": "soil"}},
                    {"type": "tool_result", "tool_use_id": "t1", "content": said("sand")},
                    {"type": "text", "text": ""},
                    {"type": "token_budget"},
                    *said("Carrots"),
                ],
            ),
            message("m3", "m1", "assistant", text="", content=said("Leeks")),
            message("m4", "m3", "human", text="", content=[]),
            message("m5", "m4", "human", text="Thanks", content=said("Thanks")),
        ],
    }
