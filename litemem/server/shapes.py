"""The JSON of answers: schemas for the OpenAPI document, and dicts made of the core's values."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from litemem.aio.shapes import hit_row, iso
from litemem.server.schema import Schema, or_null, share
from litemem.types import Hit

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


_BOTH: Final[dict[str, Schema]] = {  # what facts and search results have
    "id": TEXT,
    "content": TEXT,
    "category": TEXT,
    "importance": share(),
    "tags": rows(TEXT),
    "metadata": ANY,
    "chat_id": or_null(TEXT),
    "speaker": or_null(TEXT),
}
_FACT: Final = _BOTH | {
    "created_at": MOMENT,
    "replaces": or_null(TEXT),
    "merges": rows(TEXT),
}
PLACE: Final = made(
    path=TEXT,
    line=NUMBER,
    session_id=or_null(TEXT),
    transcript_line=or_null(NUMBER),
    timestamp=or_null(TEXT),
)
_HIT: Final = _BOTH | {
    "similarity": or_null(REAL),
    "score": REAL,
    "created_at": or_null(MOMENT),
    "source": PLACE,
    "matched": rows(TEXT),
}
FACT: Final = made(**_FACT)
STORED: Final = made(**_FACT, user_id=TEXT, access_count=NUMBER)
ROW: Final = made(**_HIT, user_id=TEXT)
HIT: Final = made(
    **_HIT, kind=TEXT, snippet=TEXT, parts={"type": "object", "additionalProperties": REAL}
)


def hit_json(hit: Hit) -> dict[str, Any]:  # Any: JSON
    """Return a search result as HIT has it."""
    own = {"kind": hit.kind, "snippet": hit.snippet, "parts": dict(hit.parts)}
    return {**hit_row(hit), **own}


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
