"""The texts of one node taken out of a session's file and its backups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from litemem.errors import BrokenLineage, UnknownNode
from litemem.files.write import replace_file
from litemem.session.lineage import Parents, path_to
from litemem.session.lines import read_line
from litemem.session.nodes import Migrator, SessionNode, Turn
from litemem.session.reading import Log
from litemem.session.records import Compaction, Record, Redaction, format_record
from litemem.session.rewrite import copies_of, read_lines
from litemem.session.store import SessionStore
from litemem.session.tail import needle_of
from litemem.text import jsjson

MARKER: Final = "[redacted]"

_STRUCTURE: Final = frozenset({"role", "kind", "id", "callId", "name", "mediaType", "isError"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """What a redaction took away."""

    node: str
    compactions: tuple[str, ...]  # condensations whose summaries may have told of the node


def redact_node(store: SessionStore, session_id: str, node_id: str) -> Redacted:
    """
    Take a node's texts out of a session's file and of its backups.

    The node stays in its place, with its id, its kinds of blocks, and a marker for each text.
    Condensations that include it are removed, since their summaries may repeat it: the history
    they stood for shows again. So are lines that can't be read and hold the node's id. Each file
    is replaced atomically, backups first.

    Raises:
        UnknownSession, UnknownNode: it isn't there.
    """
    migrators = store.folder.migrators
    with store.folder.writing(session_id) as file:
        if file.find_node(node_id) is None:
            raise UnknownNode(f'session {session_id!r} has no node "{node_id}"')
        *backups, path = copies_of(file.path)
        for backup in backups:
            lines, _ = _without(read_lines(backup), node_id, migrators)
            replace_file(backup, b"".join(lines))
        lines, told = _without(read_lines(path), node_id, migrators)
        record = Redaction(node=node_id, at=store.now())
        replace_file(path, b"".join((*lines, format_record(record))))
        return Redacted(node=node_id, compactions=told)


def _without(
    lines: Sequence[bytes], node_id: str, migrators: Sequence[Migrator]
) -> tuple[list[bytes], tuple[str, ...]]:
    """Return lines without a node's texts, and which condensations are gone with them."""
    log = Log(lines, migrators)
    parents = log.nodes.parents
    told = [c.id for c in log.marks.compactions.values() if _tells(c, node_id, parents)]
    needle = needle_of(node_id)
    kept: list[bytes] = []
    for line in lines:
        new = line
        if needle in line or b'"compaction"' in line:
            new = _redacted_line(line, node_id, told, migrators)
        kept.append(new if not new or new.endswith(b"\n") else new + b"\n")
    return kept, tuple(told)


def _tells(compaction: Compaction, node_id: str, parents: Parents) -> bool:
    """Say whether a summary was made of a path's part that the node is in; in doubt, yes."""
    try:
        path = path_to(parents, compaction.leaf)
    except BrokenLineage:
        return True
    first = compaction.first_kept
    return node_id in path[: path.index(first) if first in path else len(path)]


def _redacted_line(
    line: bytes, node_id: str, told: Sequence[str], migrators: Sequence[Migrator]
) -> bytes:
    read = read_line(line, migrators)
    touched = [record for record in read.records if _touches(record, node_id, told)]
    is_bad = any(odd.kind in ("bad line", "glued line") for odd in read.odd)
    if not touched and not (is_bad and jsjson.encode(node_id)[1:-1] in line):
        return line
    records = (_redacted(record, node_id, told) for record in read.records)
    return b"".join(format_record(record) for record in records if record is not None)


def _touches(record: Record, node_id: str, told: Sequence[str]) -> bool:
    return _redacted(record, node_id, told) is not record


def _redacted(record: Record, node_id: str, told: Sequence[str]) -> Record | None:
    if isinstance(record, Compaction) and record.id in told:
        return None
    if not isinstance(record, SessionNode) or record.id != node_id:
        return record
    extra = tuple((key, _marker(value)) for key, value in record.extra)
    return replace(record, turn=redacted_turn(record.turn), extra=extra)


def redacted_turn(turn: Turn) -> Turn:
    """Return a turn whose texts are the marker; what says which kind of block it is stays."""
    return {key: _blank(key, value) for key, value in turn.items()}


def _blank(key: str, value: object) -> object:
    if key == "blocks" and isinstance(value, list):
        return [_blank_block(block) for block in value]
    return value if key in _STRUCTURE and not _is_deep(value) else _marker(value)


def _blank_block(block: object) -> object:
    if not isinstance(block, Mapping):
        return _marker(block)
    return {
        key: value if key in _STRUCTURE and not _is_deep(value) else _marker(value)
        for key, value in block.items()
    }


def _is_deep(value: object) -> bool:
    return isinstance(value, dict | list)


def _marker(value: object) -> object:
    """Return something of the value's JSON type that says nothing; a number may be a secret too."""
    match value:
        case dict():
            return {}
        case list():
            return []
        case bool() | None:
            return value
        case int() | float():
            return 0
        case _:
            return MARKER
