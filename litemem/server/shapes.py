"""The JSON of answers: schemas for the OpenAPI document, and dicts made of the core's values."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from litemem.aio.shapes import iso
from litemem.server.schema import Schema, or_null, share
from litemem.types import Fact, Hit, Place

TEXT: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "integer", "minimum": 0}
REAL: Final[Schema] = {"type": "number"}
TRUTH: Final[Schema] = {"type": "boolean"}
ANY: Final[Schema] = {"type": "object"}
MOMENT: Final[Schema] = {"type": "string", "format": "date-time"}
DATE: Final[Schema] = {"type": "string", "format": "date"}


def made(**properties: Schema) -> Schema:
    """Describe an object that has all of these keys, and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def rows(of: Schema) -> Schema:
    """Describe a list of an answer."""
    return {"type": "array", "items": of}


def counts() -> Schema:
    """Describe numbers by name."""
    return {"type": "object", "additionalProperties": NUMBER}


FACT: Final = made(
    id=TEXT,
    content=TEXT,
    category=TEXT,
    importance=share(),
    tags=rows(TEXT),
    created_at=MOMENT,
    chat_id=or_null(TEXT),
    speaker=or_null(TEXT),
    metadata=ANY,
    replaces=or_null(TEXT),
    merges=rows(TEXT),
)
PLACE: Final = made(
    path=TEXT,
    line=NUMBER,
    session_id=or_null(TEXT),
    transcript_line=or_null(NUMBER),
    timestamp=or_null(TEXT),
)
ROW: Final = made(
    id=TEXT,
    content=TEXT,
    category=TEXT,
    importance=share(),
    tags=rows(TEXT),
    similarity=or_null(REAL),
    score=REAL,
    created_at=or_null(MOMENT),
    metadata=ANY,
    user_id=TEXT,
    chat_id=or_null(TEXT),
    speaker=or_null(TEXT),
    source=PLACE,
    matched=rows(TEXT),
)
STORED: Final = made(
    id=TEXT,
    content=TEXT,
    category=TEXT,
    importance=share(),
    tags=rows(TEXT),
    created_at=MOMENT,
    metadata=ANY,
    user_id=TEXT,
    chat_id=or_null(TEXT),
    speaker=or_null(TEXT),
    replaces=or_null(TEXT),
    merges=rows(TEXT),
    access_count=NUMBER,
)
HIT: Final = made(
    id=TEXT,
    kind=TEXT,
    content=TEXT,
    snippet=TEXT,
    category=TEXT,
    importance=share(),
    tags=rows(TEXT),
    similarity=or_null(REAL),
    score=REAL,
    parts={"type": "object", "additionalProperties": REAL},
    matched=rows(TEXT),
    created_at=or_null(MOMENT),
    metadata=ANY,
    chat_id=or_null(TEXT),
    speaker=or_null(TEXT),
    source=PLACE,
)


def fact_json(fact: Fact) -> dict[str, Any]:  # Any: JSON
    """Return a fact as FACT has it."""
    return {
        "id": fact.id,
        "content": fact.content,
        "category": fact.category,
        "importance": fact.importance,
        "tags": [*fact.tags],
        "created_at": iso(fact.created_at),
        "chat_id": fact.chat_id,
        "speaker": fact.speaker,
        "metadata": dict(fact.metadata),
        "replaces": fact.replaces,
        "merges": [*fact.merges],
    }


def place_json(place: Place) -> dict[str, Any]:  # Any: JSON
    """Return a place as PLACE has it."""
    origin = place.origin
    return {
        "path": place.path,
        "line": place.line,
        "session_id": origin.session if origin else None,
        "transcript_line": origin.line if origin else None,
        "timestamp": moment(origin.at) if origin else None,
    }


def hit_json(hit: Hit) -> dict[str, Any]:  # Any: JSON
    """Return a search result as HIT has it."""
    return {
        "id": hit.id,
        "kind": hit.kind,
        "content": hit.content,
        "snippet": hit.snippet,
        "category": hit.category,
        "importance": hit.importance,
        "tags": [*hit.tags],
        "similarity": hit.similarity,
        "score": hit.score,
        "parts": dict(hit.parts),
        "matched": [*hit.matched],
        "created_at": moment(hit.created_at),
        "metadata": dict(hit.metadata),
        "chat_id": hit.chat_id,
        "speaker": hit.speaker,
        "source": place_json(hit.source),
    }


def moment(at: datetime | None) -> str | None:
    """Return a time as ISO 8601 in UTC, None for none."""
    return None if at is None else iso(at)


def page(of: Schema, key: str) -> Schema:
    """Describe one page of rows under a key."""
    return made(**{key: rows(of)}, count=NUMBER, total=NUMBER, limit=NUMBER, offset=NUMBER)


def public_note(note: str | None) -> str | None:
    """Return what a search lacked without why: that may name a file."""
    return None if note is None else note.partition(":")[0]


_ABSOLUTE: Final = re.compile(r"(?<![\w.])(?:[A-Za-z]:)?(?:[\\/][^\s\\/:;,'\"]+)+")


def without_paths(text: str) -> str:
    """Return a message in which only the last part of each absolute path is left."""
    return _ABSOLUTE.sub(lambda found: re.split(r"[\\/]", found[0])[-1], text)
