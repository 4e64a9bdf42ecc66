"""Turns, blocks and times out of other programs' JSON, of which nothing is certain."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from litemem.errors import InvalidName
from litemem.files.names import check_name
from litemem.text import jsjson

Block: TypeAlias = dict[str, Any]  # Any: JSON
Json: TypeAlias = dict[str, Any]  # Any: JSON

SUMMARY_HEADING: Final = "[condensed earlier context]"
"""How the text of a summary turn begins, as in `litemem.run`, which tells summaries by it."""

_DATA_URL: Final = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,", re.ASCII)
_LATEST_MS: Final = 253402300799999  # 9999-12-31T23:59:59.999Z


def session_name(program: str, source_id: str) -> str:
    """
    Return the id of an imported session: `<program>-<the source's id>`.

    Where that is no file name on every system, the source's id is replaced by 16 hex characters
    of its sha256.
    """
    try:
        return check_name(f"{program}-{source_id}", "session id")
    except InvalidName:
        digest = hashlib.sha256(source_id.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{program}-{digest[:16]}"


def text_of(value: object) -> str:
    """Return a string; '' for anything else."""
    return value if isinstance(value, str) else ""


def object_of(value: object) -> Json:
    """Return a JSON object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def list_of(value: object) -> list[Any]:  # Any: JSON
    """Return a JSON array; an empty one for anything else."""
    return value if isinstance(value, list) else []


def time_ms(value: object) -> int | None:
    """Read a time: ISO 8601 (naive: UTC), seconds, or milliseconds since 1970; None: no time."""
    if isinstance(value, str):
        try:
            at = datetime.fromisoformat(value)
        except ValueError:
            return None
        value = (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    # 1e11 s is the year 5138, 1e11 ms the year 1973: no log of a model is that new or old.
    ms = round(value if value >= 1e11 else value * 1000)
    return ms if 0 <= ms <= _LATEST_MS else None


def turn_of(role: str, blocks: Sequence[Block]) -> Json:
    """Make a turn; one of tool results alone is the tool's."""
    if blocks and all(block["kind"] == "tool_result" for block in blocks):
        role = "tool"
    return {"role": role, "blocks": list(blocks)}


def text(value: str) -> Block:
    """Make a text block."""
    return {"kind": "text", "text": value}


def text_part(part: object, kind: object) -> Block | None:
    """Make a text block of a bare string, or of a part whose kind is `text`; None for others."""
    if isinstance(part, str):
        return text(part)
    return text(text_of(object_of(part).get("text"))) if kind == "text" else None


def thinking(value: str, signature: object = None) -> Block:
    """Make a block of a model's reasoning."""
    block: Block = {"kind": "thinking", "text": value}
    return {**block, "signature": signature} if isinstance(signature, str) else block


def tool_call(id: object, name: object, input: object) -> Block:
    """Make a call of a tool; an input that is JSON in a string is read."""
    given = loaded(input) if isinstance(input, str) else input
    return {"kind": "tool_call", "id": text_of(id), "name": text_of(name), "input": given}


def tool_result(call_id: object, output: object, *, failed: bool = False) -> Block:
    """Make a tool's answer."""
    block: Block = {"kind": "tool_result", "callId": text_of(call_id), "output": output}
    return {**block, "isError": True} if failed else block


def image(media_type: object, data: object) -> Block:
    """Make an image of base64 text."""
    return {"kind": "image", "mediaType": text_of(media_type), "dataBase64": text_of(data)}


def image_of_url(url: object) -> Block | None:
    """Make an image of a data URL; None for another address."""
    found = _DATA_URL.match(text_of(url))
    return None if found is None else image(found[1], text_of(url)[found.end() :])


def summary_turn(gist: str) -> Json:
    """Make the turn that stands for condensed ones."""
    return turn_of("user", [text(f"{SUMMARY_HEADING}\n{gist}")])


def loaded(value: str) -> object:
    """Read an object or array of JSON in a string; another string is itself."""
    if value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        found: object = jsjson.loads(value)
    except ValueError:
        return value
    return found


def joined(parts: object) -> str:
    """Return the texts of content parts, one a line; of a string, itself."""
    if isinstance(parts, str):
        return parts
    return "\n".join(filter(None, _texts(parts)))


def _texts(parts: object) -> Iterator[str]:
    for part in list_of(parts):
        yield part if isinstance(part, str) else text_of(object_of(part).get("text"))
