"""What a turn shows to a person, whatever wrote it: its blocks as titled pieces of text."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, TypeAlias

from litemem.errors import InvalidValue
from litemem.session.nodes import Turn
from litemem.text import jsjson

PieceKind: TypeAlias = Literal["text", "thinking", "call", "result", "image", "command", "other"]

PREVIEW_CHARS: Final = 72
UNWRITABLE: Final = "[nested too deeply to be shown]"
_SIGNS: Final = {"call": "→ ", "result": "← ", "thinking": "(thinks) ", "command": "/"}


class Piece(NamedTuple):
    """One block, ready to be shown."""

    kind: PieceKind
    title: str  # a tool's name, an image's media type, a command; '' for plain text
    text: str
    is_failed: bool = False


def pieces_of(turn: Turn) -> list[Piece]:
    """Return a turn's blocks as pieces; a block that is no block is shown as its JSON."""
    blocks = turn.get("blocks")
    if not isinstance(blocks, list):
        return [] if blocks is None else [Piece("other", "blocks", written(blocks))]
    return [_piece(block) for block in blocks]


def role_of(turn: Turn) -> str:
    """Return who speaks; `?` where a turn doesn't say."""
    role = turn.get("role")
    return role if isinstance(role, str) and role else "?"


def preview(turn: Turn, *, max_chars: int = PREVIEW_CHARS) -> str:
    """Return a turn in one line: its words, else its tools."""
    pieces = pieces_of(turn)
    spoken = [piece.text for piece in pieces if piece.kind == "text" and piece.text.strip()]
    shown = spoken or [f"{_SIGNS.get(piece.kind, '')}{_short(piece)}" for piece in pieces]
    # A turn may be megabytes long, and only its start is shown.
    return shortened(" ".join(text[: 4 * max_chars] for text in shown[:3]), max_chars=max_chars)


def shortened(text: str, *, max_chars: int = PREVIEW_CHARS) -> str:
    """Return a text in one line of at most `max_chars` characters."""
    line = " ".join(text.split())
    return line if len(line) <= max_chars else line[: max_chars - 1].rstrip() + "…"


def written(value: object) -> str:
    """
    Return a tool's input or output as text: a string as it is, null as nothing, else JSON.

    For what can't be written, as it's nested too deeply, `UNWRITABLE` stands.
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    try:
        return jsjson.dumps(value)
    except InvalidValue:
        return UNWRITABLE


def writable(turn: Turn) -> Turn:
    """Return a turn itself where it can be written as JSON, else its role and a placeholder."""
    try:
        jsjson.dumps(turn)
    except InvalidValue:
        return {"role": role_of(turn), "blocks": [{"kind": "text", "text": UNWRITABLE}]}
    return turn


def _short(piece: Piece) -> str:
    if piece.kind == "image":
        return f"[image {piece.title}]"
    return piece.text if piece.kind in ("result", "thinking") else f"{piece.title} {piece.text}"


def _piece(block: Any) -> Piece:  # noqa: ANN401 - JSON as it came
    if not isinstance(block, dict):
        return Piece("other", "", written(block))
    known = _KEYS.get(str(block.get("kind")))
    if known is None:
        return Piece("other", written(block.get("kind")), written(block))
    kind, title, text = known
    failed = kind == "result" and block.get("isError") is True
    shown = "failed" if failed else written(block.get(title))
    return Piece(kind, shown, written(block.get(text)), failed)


_KEYS: Final[dict[str, tuple[PieceKind, str, str]]] = {  # block kind -> piece, its title, its text
    "text": ("text", "", "text"),
    "thinking": ("thinking", "", "text"),
    "tool_call": ("call", "name", "input"),
    "tool_result": ("result", "", "output"),
    "image": ("image", "mediaType", ""),
    "command": ("command", "command", "args"),
}
