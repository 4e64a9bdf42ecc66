"""Turns that another program wrote, as the nearest input items of the OpenAI Agents SDK."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from litemem.session.nodes import Turn

Item: TypeAlias = dict[str, Any]  # Any: JSON

_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]+=*")


def data_url(block: Item) -> str:
    """Return the data URL of an image block. Raises KeyError."""
    return f"data:{block['mediaType']};base64,{block['dataBase64']}"


def nearest_items(turn: Turn) -> Iterator[Item]:
    """
    Yield a turn's messages, function calls and their outputs, in order.

    Reasoning is left out, for a provider takes back its own alone; so are commands, and images that
    aren't the user's.
    """
    role = str(turn.get("role"))
    said: list[Item] = []
    blocks = turn.get("blocks")
    for block in blocks if isinstance(blocks, list) else ():
        kind = block.get("kind") if isinstance(block, dict) else None
        if kind == "text" or (kind == "image" and role == "user" and _is_whole(block)):
            said.append(block)
        elif kind in ("tool_call", "tool_result"):
            yield from _said(role, said)
            said = []
            yield _call(block) if kind == "tool_call" else _result(block)
    yield from _said(role, said)


def _said(role: str, blocks: list[Item]) -> Iterator[Item]:
    speaker = role if role in ("assistant", "system", "developer") else "user"
    if not blocks:
        return
    if all(block["kind"] == "text" for block in blocks):
        text = "\n".join(_written(block.get("text")) for block in blocks)
        yield {"role": speaker, "content": text}
        return
    yield {"role": speaker, "content": [_part(block) for block in blocks]}


def _part(block: Item) -> Item:
    if block["kind"] == "text":
        return {"type": "input_text", "text": _written(block.get("text"))}
    return {"type": "input_image", "image_url": data_url(block), "detail": "auto"}


def _call(block: Item) -> Item:
    call, name = str(block.get("id")), str(block.get("name"))
    arguments = _arguments(block.get("input"))
    return {"type": "function_call", "call_id": call, "name": name, "arguments": arguments}


def _result(block: Item) -> Item:
    output = _written(block.get("output"))
    return {"type": "function_call_output", "call_id": str(block.get("callId")), "output": output}


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _is_whole(image: Item) -> bool:
    """Say whether an image is there: a redacted one would fail the whole request."""
    kind, data = image.get("mediaType"), image.get("dataBase64")
    return isinstance(kind, str) and isinstance(data, str) and bool(_BASE64.fullmatch(data))


def _arguments(value: object) -> str:
    """Write a call's input as JSON, which some providers read: a redacted one is none."""
    try:
        json.loads(value if isinstance(value, str) else "-")
    except (ValueError, RecursionError):
        return json.dumps(value, ensure_ascii=False)
    return str(value)
