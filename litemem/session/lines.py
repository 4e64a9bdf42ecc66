"""One line of a session file into records, whatever the line looks like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from litemem.session.migrate import BLANK, FailedMigration, migrated
from litemem.session.nodes import Migrator, SessionNode, hash_node
from litemem.session.records import BadRecord, Head, Record, parse_mark
from litemem.session.report import Oddity
from litemem.text import jsjson
from litemem.types import JsonObject

_GLUED: Final = '{"type":"node",'
_MAX_GLUED: Final = 8  # tries to find a record in a bad line; each may read the whole line
_HEAD: Final = b'{"type":"head","leaf":"'
_HEAD_END: Final = b'"}\n'
_HEAD_ID: Final = slice(len(_HEAD), -len(_HEAD_END))
_NUMBERS: Final = frozenset({int, float})
_NODE_KEYS: Final = frozenset({"id", "parent", "turn", "createdAt"})


class Odd(NamedTuple):
    """What is odd about a line."""

    kind: Oddity
    detail: str


class Line(NamedTuple):
    """What a line holds: most have one record and nothing odd."""

    records: list[Record]
    odd: list[Odd]
    skipped: int = 0  # records of unknown types


Usual: TypeAlias = str | tuple[str, str | None] | None
"""A head's leaf; or the id and parent of a sound node; or None for any other line."""


def read_usual(line: bytes) -> Usual:
    """
    Read a line as far as loading needs it; None where `read_line` must look.

    This is what makes a session of 20,000 nodes load in the time of their `json.loads`: hence the
    bare tuple, and no value for a head.
    """
    try:
        if line.startswith(_HEAD) and line[_HEAD_ID].isalnum() and line.endswith(_HEAD_END):
            return line[_HEAD_ID].decode()
        text = line.decode()
        raw, end = jsjson.scan(text, 0)
        body = raw["node"]
        node_id, parent = body["id"], body["parent"]
        is_sound = type(body["turn"]) is dict and type(body["createdAt"]) in _NUMBERS
        is_node = raw["type"] == "node" and text[end:] == "\n"
    except (ValueError, KeyError, TypeError):
        return None
    if is_node and is_sound and type(node_id) is str and (parent is None or type(parent) is str):
        return node_id, parent
    return None


def make_node(line: bytes) -> SessionNode:
    """Make the node of a line that `read_usual` has read."""
    body = jsjson.loads(line.decode())["node"]
    return _made(body["id"], body["parent"], body["turn"], body["createdAt"], body)


def read_line(line: bytes, migrators: Sequence[Migrator]) -> Line:
    """
    Read a line, whatever it looks like, into records, each run through the migrators.

    A line that isn't one JSON value is searched for whole records: another program's writer glues
    its line onto one that was torn before.
    """
    records: list[Record] = []
    odd: list[Odd] = []
    skipped = 0
    for value in _values(_decoded(line, odd).strip(BLANK), odd):
        try:
            new = migrated(value, migrators)
            is_dropped = new is None and value is not None
            record = None if is_dropped else parse_record(new, odd)
        except FailedMigration as error:
            odd.append(Odd("failed migration", str(error)))
        except BadRecord as error:
            odd.append(Odd("bad record", str(error)))
        else:
            records += [] if record is None else [record]
            skipped += record is None
    return Line(records, odd, skipped)


def parse_record(raw: object, odd: list[Odd]) -> Record | None:
    """
    Turn a stored record into a value; None for an unknown type.

    Raises:
        BadRecord: no record at all, or one of a known type that can't be used; says why. What can
            be used in part is noted in `odd` instead.
    """
    kind = raw.get("type") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(kind, str):
        raise BadRecord("no record: it has no type")
    if kind == "node":
        return _node(raw.get("node"), odd)
    if kind == "head":
        leaf = raw.get("leaf")
        return Head(leaf=leaf if isinstance(leaf, str) else None)
    return parse_mark(raw)


def _node(body: object, odd: list[Odd]) -> SessionNode:
    if not isinstance(body, dict):
        raise BadRecord("a node record without its node")
    node_id, parent, turn = body.get("id"), body.get("parent"), body.get("turn")
    if not isinstance(node_id, str):
        raise BadRecord("a node without an id")
    if parent is not None and not isinstance(parent, str):
        raise BadRecord(f"node {node_id}: the parent is no id")
    created_at = body.get("createdAt")
    if not isinstance(turn, dict):
        odd.append(Odd("bad record", f"node {node_id}: no turn; read as an empty one"))
        turn = {}
    if created_at is None or type(created_at) not in _NUMBERS:
        odd.append(Odd("bad record", f"node {node_id}: no time; read as 1970"))
        created_at = 0
    return _made(node_id, parent, turn, created_at, body)


def _made(
    node_id: str, parent: str | None, turn: JsonObject, created_at: float, body: JsonObject
) -> SessionNode:
    if len(body) == len(_NODE_KEYS):
        return SessionNode(id=node_id, parent=parent, turn=turn, created_at=created_at)
    extra = tuple((key, value) for key, value in body.items() if key not in _NODE_KEYS)
    return SessionNode(id=node_id, parent=parent, turn=turn, created_at=created_at, extra=extra)


def _decoded(line: bytes, odd: list[Odd]) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        odd.append(Odd("bad bytes", f"byte {error.start} of the line isn't UTF-8"))
        return line.decode("utf-8", "replace")


def _values(text: str, odd: list[Odd]) -> Iterator[Any]:  # Any: JSON as it came
    """Yield the JSON values of a line: one, or the whole ones of a line that was torn or glued."""
    start = 0
    trouble = ""
    while start < len(text) and not trouble:
        try:
            value, end = _scan_from(text, start)
        except ValueError as error:
            trouble = str(error)
            continue
        if start:
            odd.append(Odd("glued line", f"a second record at character {start}"))
        yield value
        start = end
    if trouble:
        glued = _glued(text, start)
        if glued is None:
            odd.append(Odd("bad line", trouble))
        else:
            odd.append(Odd("glued line", f"a record after a torn one: {trouble}"))
            yield glued


def _scan_from(text: str, start: int) -> tuple[Any, int]:
    if start and text[start] != "{":
        raise ValueError(f"unexpected text at character {start}")
    return jsjson.scan(text, start)


def _glued(text: str, start: int) -> Any:  # noqa: ANN401 - JSON as it came
    """
    Find the record that ends a line, behind a torn one.

    Tool output may hold what looks like a record, so only one counts that ends with the line, and
    whose id is its hash.
    """
    at = len(text)
    for _ in range(_MAX_GLUED):
        at = text.rfind(_GLUED, start + 1, at)
        if at < 0:
            return None
        try:
            value, end = jsjson.scan(text, at)
            if end == len(text) and is_sound(parse_record(value, [])):
                return value
        except ValueError:
            continue
    return None


def is_sound(record: Record | None) -> bool:
    """Say whether a record is a node whose id is the hash of what it holds."""
    return isinstance(record, SessionNode) and record.id == hash_node(
        record.parent, record.turn, record.created_at
    )
