"""What a message of the protocol is: all others are answered here, for the SDK might not."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, TypeAlias, TypeGuard

from litemem.mcp.strict import Twice, read_strict

PARSE_ERROR: Final = -32700  # these three: JSON-RPC 2.0
INVALID_REQUEST: Final = -32600
INVALID_PARAMS: Final = -32602
MAX_DEPTH: Final = 100  # the SDK's parser gives up at 200

Id: TypeAlias = str | int
Message: TypeAlias = dict[str, Any]  # Any: JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why something is no message."""

    code: int
    why: str
    id: Id | None = None  # of the request that it would be
    is_answer: bool = False  # over a lasting connection, it gets no answer itself

    def __str__(self) -> str:
        return json.dumps(error_of(self.id, self.code, self.why))


def read_message(data: bytes) -> Message | Refusal:
    """Return the message that bytes are, exactly where the SDK takes them for one too."""
    try:
        found = read_strict(data.decode())
    except Twice as error:
        return Refusal(code=INVALID_REQUEST, why=str(error)[:200])
    except ValueError:
        return Refusal(code=PARSE_ERROR, why="not JSON in UTF-8")
    wrong = _unfit(found)
    if wrong is not None:
        return Refusal(code=PARSE_ERROR, why=wrong)
    if not isinstance(found, dict):
        return Refusal(code=INVALID_REQUEST, why="a message is a JSON object, one at a time")
    return _refusal(found) or found


def error_of(id_: Id | None, code: int, message: str, **more: object) -> Message:
    """Return the answer that says what is wrong."""
    return {"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message, **more}}


def is_id(value: object) -> TypeGuard[Id]:
    """Say whether something can be the id of a request."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def _refusal(message: Message) -> Refusal | None:
    is_answer = "method" not in message and ("result" in message or "error" in message)
    wrong = _answer_trouble(message) if is_answer else _trouble(message)
    if wrong is None:
        return None
    code, why = wrong
    id_ = message.get("id")
    return Refusal(code=code, why=why, id=id_ if is_id(id_) else None, is_answer=is_answer)


def _trouble(message: Message) -> tuple[int, str] | None:
    """Return what is wrong with a request or notification."""
    if message.get("jsonrpc") != "2.0":
        return INVALID_REQUEST, 'a message says "jsonrpc": "2.0"'
    if not isinstance(message.get("method"), str):
        return INVALID_REQUEST, "a message has a method, which is text"
    if "id" in message and not is_id(message["id"]):
        return INVALID_REQUEST, "an id is text or a whole number"
    if "result" in message or "error" in message:
        return INVALID_REQUEST, "a message asks or answers, not both"
    if not isinstance(message.get("params"), dict | None):
        return INVALID_PARAMS, "params must be an object"
    return None


def _answer_trouble(message: Message) -> tuple[int, str] | None:
    """Return what is wrong with an answer, to something that the server asked."""
    if message.get("jsonrpc") != "2.0":
        return INVALID_REQUEST, 'a message says "jsonrpc": "2.0"'
    error = message.get("error")
    if "error" in message:
        fits = (
            isinstance(error, dict)
            and isinstance(error.get("code"), int)
            and isinstance(error.get("message"), str)
            and "id" in message
            and (message["id"] is None or is_id(message["id"]))
            and "result" not in message
        )
    else:
        fits = is_id(message.get("id")) and isinstance(message["result"], dict)
    return None if fits else (INVALID_REQUEST, "this is no answer")


def _unfit(value: object) -> str | None:
    """Look at all that is inside, level by level, for what the SDK's parser can't take."""
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            return f"nested deeper than {MAX_DEPTH} levels"
        inside = list[object]()
        for one in level:
            if isinstance(one, dict):
                inside += one
                inside += one.values()
            elif isinstance(one, list):
                inside += one
            elif isinstance(one, float) and not isfinite(one):
                return "a number is too large"
            elif isinstance(one, str) and not _is_whole(one):
                return "a text holds half a character"
        level = inside
    return None


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
