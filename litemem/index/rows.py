"""A document as the columns of its row, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from litemem.files.read import visible
from litemem.index.docs import Doc, State, StoredDoc, microseconds, moment
from litemem.index.schema import FACT, KIND_CODES, STORED
from litemem.index.words import prepare
from litemem.text.normal import normalise
from litemem.types import Kind, Origin, Seen

KINDS: Final[tuple[Kind, ...]] = ("fact", "block", "turn", "node")
STATES: Final[tuple[State, ...]] = ("current", "superseded", "duplicate")


class Row(NamedTuple):
    """What a row says, without its number and state."""

    line: int
    kind: int
    scope: int
    thread: int
    at: int | None
    importance: float
    id: str
    category: str
    replaces: str | None
    merges: str | None
    head: str
    text: str
    extra: str

    @property
    def embedded(self) -> tuple[int, str, str]:
        """What the vector was made of; equal means that the row may keep it."""
        return self.kind, self.head, self.text

    @property
    def parents(self) -> tuple[str, ...]:
        """The ids of all that a fact replaces, the main one first."""
        return parents_of(self.replaces, self.merges)


COLUMNS: Final = ", ".join(f"doc.{name}" for name in Row._fields)


class Stored(NamedTuple):
    """A row that is in the index."""

    rowid: int
    state: int
    vector: int
    row: Row


def row_of(doc: Doc, scope: int, thread: int) -> Row:
    """Return a document as a row; characters that UTF-8 can't hold become U+FFFD."""
    return Row(
        line=doc.line,
        kind=KIND_CODES[doc.kind],
        scope=scope,
        thread=thread,
        at=None if doc.at is None else microseconds(doc.at),
        importance=float(doc.importance),
        id=clean(doc.id),
        category=clean(doc.category),
        replaces=None if doc.replaces is None else clean(doc.replaces),
        merges=json.dumps([clean(one) for one in doc.merges]) if doc.merges else None,
        head=clean(doc.head),
        text=clean(doc.text),
        extra=_extra(doc),
    )


def doc_of(row: Row, chat: str, thread: str) -> Doc:
    """Return the document of a row; the inverse of `row_of`."""
    extra = _parsed(row.extra)
    return Doc(
        kind=KINDS[row.kind],
        id=row.id,
        line=row.line,
        text=row.text,
        at=None if row.at is None else moment(row.at),
        chat_id=chat or None,
        thread=thread,
        head=row.head,
        importance=row.importance,
        category=row.category,
        replaces=row.replaces,
        merges=row.parents[1:],
        tags=tuple(extra.get("tags", ())),
        speaker=extra.get("speaker"),
        metadata=extra.get("metadata", {}),
        origin=_origin(extra["origin"]) if "origin" in extra else None,
        seen=_seen(extra["seen"]) if "seen" in extra else None,
        explicit=not extra.get("derived", False),
    )


def parents_of(replaces: str | None, merges: str | None) -> tuple[str, ...]:
    """Return the ids in these two columns."""
    if replaces is None:
        return ()
    return (replaces, *json.loads(merges)) if merges else (replaces,)


def stored_doc(found: tuple[Any, ...]) -> StoredDoc:  # Any: a row of SQLite
    """Return the value of (rowid, state, vector, user, chat, thread, path, *COLUMNS)."""
    rowid, state, vector, user, chat, thread, path = found[:7]
    return StoredDoc(
        rowid=rowid,
        doc=doc_of(Row(*found[7:]), chat, thread),
        user=user,
        path=path_of(path),
        state=STATES[state],
        has_vector=vector == STORED,
    )


def words_of(row: Row) -> str:
    """Return what the keyword table holds of a row: its text with tags."""
    tags = _parsed(row.extra).get("tags", ())
    text = f"{row.text} {' '.join(tags)}" if tags else row.text
    return prepare(text)


def text_key(row: Row) -> int:
    """Return a 32-bit hash of what a row's vector is made of; never 0."""
    return embedded_key(row.head + row.text)


def embedded_key(embedded: str) -> int:
    """Return the `text_key` of a row whose head and text joined are this."""
    return _key(embedded) or 1


def same_key(row: Row) -> int | None:
    """Return the hash by which a fact that is said again is found; None for other kinds."""
    if row.kind != FACT:
        return None
    return same_text_key(row.text, _parsed(row.extra).get("speaker"))


def same_text_key(text: str, speaker: str | None) -> int:
    """Return a 32-bit hash of a fact's normalised text and speaker."""
    return _key(normalise(text), "" if speaker is None else f"={speaker}")


def clean(text: str) -> str:
    """Return text that SQLite can hold: lone surrogates become U+FFFD."""
    return text if text.isascii() else visible(text)


def stored_path(path: str) -> str | bytes:
    """Return a path as its column holds it: bytes where the name isn't UTF-8."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogatepass")
    return path


def path_of(stored: str | bytes) -> str:
    """Return the path of a column; the inverse of `stored_path`."""
    return stored if isinstance(stored, str) else stored.decode("utf-8", "surrogatepass")


def _key(*texts: str) -> int:
    from hashlib import sha256  # loads OpenSSL: 4 ms that a mere search needn't pay

    joined = "\0".join(texts).encode("utf-8", "replace")
    return int.from_bytes(sha256(joined).digest()[:4], "big", signed=True)


def _extra(doc: Doc) -> str:
    extra: dict[str, Any] = {}  # Any: JSON
    if doc.tags:
        extra["tags"] = doc.tags
    if doc.speaker is not None:
        extra["speaker"] = doc.speaker
    if doc.metadata:
        extra["metadata"] = doc.metadata
    if doc.origin is not None:
        extra["origin"] = [doc.origin.session, doc.origin.line, _us(doc.origin.at)]
    if doc.seen is not None:
        extra["seen"] = [doc.seen.n, _us(doc.seen.last)]
    if not doc.explicit:
        extra["derived"] = True
    # ASCII, so that lone surrogates survive as escapes.
    return json.dumps(extra, separators=(",", ":")) if extra else ""


def _parsed(extra: str) -> Mapping[str, Any]:
    parsed: Mapping[str, Any] = json.loads(extra) if extra else {}
    return parsed


def _us(at: datetime | None) -> int | None:
    return None if at is None else microseconds(at)


def _origin(value: list[Any]) -> Origin:
    session, line, at = value
    return Origin(session=session, line=line, at=None if at is None else moment(at))


def _seen(value: list[Any]) -> Seen:
    n, last = value
    return Seen(n=n, last=moment(last))
