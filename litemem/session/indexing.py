"""What a transcript or a session log says, as rows of the index: chunks of its turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from typing import Any

from litemem.index.docs import Doc
from litemem.index.following import SourceFile
from litemem.index.schema import CHUNK_OVERLAP, CHUNK_WORDS
from litemem.session.lines import read_line
from litemem.session.nodes import SessionNode, Turn
from litemem.session.transcript import parse_transcript
from litemem.text.chunk import Chunk, chunks
from litemem.text.head import head, local_day
from litemem.types import Kind, Origin, Problem

Rows = tuple[list[Doc], list[Problem]]
Cut = Callable[[str], list[Chunk]]


def by_words(text: str) -> list[Chunk]:
    """Cut a text as the index follows it: without a tokenizer, so that no model has to load."""
    return chunks(text, words=CHUNK_WORDS, overlap=CHUNK_OVERLAP)


def transcript_docs(
    file: SourceFile,
    session: str,
    data: bytes,
    zone: tzinfo,
    cut: Cut = by_words,
    *,
    above: int = 0,
) -> Rows:
    """
    Return the rows of a transcript, one turn's chunks after the other's.

    `data` may be the end of the file; then `above` says how many lines end before it.
    """
    transcript = parse_transcript(file.key, data)
    docs: list[Doc] = []
    for turn in transcript.turns:
        at, line = _instant(turn.entry.get("ts")), turn.line + above
        row = f"{session}:{line}"
        role, content = turn.entry["role"], turn.entry["content"]
        docs += _docs("turn", row, session, line, role, cut(content), at, zone)
    return docs, [replace(one, line=one.line + above) for one in transcript.problems]


def session_docs(file: SourceFile, session: str, data: bytes, zone: tzinfo) -> Rows:
    """
    Return the rows of a session log: each node once, however many branches share it.

    Reasoning, tool outputs and images aren't searched; tool calls are, by name and input.
    """
    docs: list[Doc] = []
    problems: list[Problem] = []
    seen: set[str] = set()
    for number, line in enumerate(data.split(b"\n"), start=1):
        read = read_line(line, ())
        problems += [Problem(path=file.key, line=number, reason=odd.detail) for odd in read.odd]
        for node in read.records:
            if isinstance(node, SessionNode) and node.id not in seen:
                seen.add(node.id)
                docs += _node_docs(node, session, number, zone)
    return docs, problems


def turn_text(turn: Turn) -> str:
    """Return what of a turn is searched."""
    blocks = turn.get("blocks")
    parts = [_block_text(block) for block in blocks] if isinstance(blocks, list) else []
    return "\n".join(part for part in parts if part)


def _node_docs(node: SessionNode, session: str, line: int, zone: tzinfo) -> Iterator[Doc]:
    role = node.turn.get("role")
    speaker = role if isinstance(role, str) else ""
    at = _from_ms(node.created_at)
    parts = by_words(turn_text(node.turn))
    yield from _docs("node", node.id, session, line, speaker, parts, at, zone)


def _docs(
    kind: Kind,
    row: str,
    session: str,
    line: int,
    role: str,
    parts: Iterable[Chunk],
    at: datetime | None,
    zone: tzinfo,
) -> Iterable[Doc]:
    for chunk in parts:
        yield Doc(
            kind=kind,
            id=row,
            line=line,
            text=chunk.text,
            at=at,
            chat_id=session,
            thread=f"{kind}:{session}",
            head="" if at is None else head(role or None, local_day(at, zone)),
            speaker=role or None,
            origin=Origin(session=session, line=line, at=at),
        )


def _block_text(block: Any) -> str:  # noqa: ANN401  # Any: another program's JSON
    if not isinstance(block, dict):
        return ""
    if block.get("kind") == "text":
        return _text(block.get("text"))
    if block.get("kind") == "tool_call":
        return f"{_text(block.get('name'))} {_words_of(block.get('input'))}".strip()
    return ""


def _words_of(value: object) -> str:
    """Return the texts in a tool's input, in order."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        value = list(value.values())
    words = [_words_of(item) for item in value] if isinstance(value, list) else []
    return " ".join(word for word in words if word)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _instant(value: object) -> datetime | None:
    try:
        at = datetime.fromisoformat(_text(value))
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _from_ms(value: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(value / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None
