"""The records of a session file besides nodes, and every record as a line of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from litemem.session.nodes import SessionNode, Turn
from litemem.text import jsjson


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The leaf is now this node; None names no node and is never valid."""

    leaf: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A node has this label from now on; None takes it away."""

    node: str
    label: str | None
    at: datetime  # aware, UTC


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """The session is called this from now on; None takes the name away."""

    name: str | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """The session is put away, or taken out again."""

    archived: bool
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """What stands for the older part of one path; the nodes themselves stay in the file."""

    id: str
    leaf: str  # the path's end when it was condensed
    first_kept: str | None  # from this node to `leaf` all is kept; None: nothing is
    pinned: tuple[str, ...]  # older nodes that are kept all the same
    summary: Turn
    tokens_before: int | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """The texts of a node were taken out; its id no longer is its hash."""

    node: str
    at: datetime


class BadRecord(ValueError):
    """A stored record of a known type has a missing or wrong field; the message says which."""


Mark: TypeAlias = Label | Name | Archive | Compaction | Redaction
Record: TypeAlias = SessionNode | Head | Mark


def parse_mark(raw: Mapping[str, Any]) -> Mark | None:  # Any: JSON as it came
    """
    Turn a stored record that is neither node nor head into a value; None for an unknown type.

    Raises:
        BadRecord: a known type with a missing or wrong field; says which.
    """
    match raw.get("type"):
        case "label":
            return Label(node=_text(raw, "node"), label=_text_or_none(raw, "label"), at=_at(raw))
        case "name":
            return Name(name=_text_or_none(raw, "name"), at=_at(raw))
        case "archive":
            return Archive(archived=_flag(raw, "archived"), at=_at(raw))
        case "redaction":
            return Redaction(node=_text(raw, "node"), at=_at(raw))
        case "compaction":
            return _compaction(raw)
        case _:
            return None


def format_record(record: Record) -> bytes:
    """Write a record as one line, its LF included. Raises InvalidValue: a turn isn't JSON."""
    return jsjson.encode(_wire(record)) + b"\n"


def node_body(node: SessionNode) -> dict[str, object]:
    """Return a node as the format has it, with the keys it came with."""
    body: dict[str, object] = {"id": node.id, "parent": node.parent}
    body |= {"turn": node.turn, "createdAt": node.created_at}
    return body | dict(node.extra)


def _wire(record: Record) -> dict[str, object]:
    match record:
        case SessionNode():
            return {"type": "node", "node": node_body(record)}
        case Head():
            return {"type": "head", "leaf": record.leaf}
        case Compaction():
            return {"type": "compaction", "id": record.id, **compaction_body(record)}
        case _:
            return {**_small_mark(record), "at": format_at(record.at)}


def _small_mark(record: Label | Name | Archive | Redaction) -> dict[str, object]:
    match record:
        case Label():
            return {"type": "label", "node": record.node, "label": record.label}
        case Name():
            return {"type": "name", "name": record.name}
        case Archive():
            return {"type": "archive", "archived": record.archived}
        case Redaction():
            return {"type": "redaction", "node": record.node}


def compaction_body(record: Compaction) -> dict[str, object]:
    """Return all that a condensation says, without its id, which is a hash of this."""
    return {
        "leaf": record.leaf,
        "firstKept": record.first_kept,
        "pinned": list(record.pinned),
        "summary": record.summary,
        "tokensBefore": record.tokens_before,
        "at": format_at(record.at),
    }


def _compaction(raw: Mapping[str, Any]) -> Compaction:
    pinned, summary, tokens = raw.get("pinned", []), raw.get("summary"), raw.get("tokensBefore")
    if not isinstance(pinned, list) or not all(isinstance(node, str) for node in pinned):
        raise BadRecord("compaction: pinned is no list of node ids")
    if not isinstance(summary, dict):
        raise BadRecord("compaction: summary is no turn")
    return Compaction(
        id=_text(raw, "id"),
        leaf=_text(raw, "leaf"),
        first_kept=_text_or_none(raw, "firstKept"),
        pinned=tuple(pinned),
        summary=summary,
        tokens_before=tokens if type(tokens) is int else None,
        at=_at(raw),
    )


_WRONG: Final = "{}: {} is missing or isn't {}"


def _text(raw: Mapping[str, Any], key: str) -> str:
    value = raw.get(key)
    if not isinstance(value, str):
        raise BadRecord(_WRONG.format(raw["type"], key, "text"))
    return value


def _text_or_none(raw: Mapping[str, Any], key: str) -> str | None:
    return None if raw.get(key) is None else _text(raw, key)


def _flag(raw: Mapping[str, Any], key: str) -> bool:
    value = raw.get(key)
    if not isinstance(value, bool):
        raise BadRecord(_WRONG.format(raw["type"], key, "true or false"))
    return value


def _at(raw: Mapping[str, Any]) -> datetime:
    """Read when a record was made; 1970 where it doesn't say, for the record itself still holds."""
    try:
        at = datetime.fromisoformat(raw["at"])
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (KeyError, TypeError, ValueError, OverflowError):
        return datetime.fromtimestamp(0, UTC)


def format_at(at: datetime) -> str:
    """Write an aware time as the files have it: UTC, milliseconds, `Z`."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
