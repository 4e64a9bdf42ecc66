"""What a list of sessions says of each, without loading its turns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from litemem.errors import FileTrouble
from litemem.files.trouble import translated
from litemem.session.lines import read_line
from litemem.session.marks import Marks
from litemem.session.nodes import SessionNode
from litemem.session.pieces import preview, role_of
from litemem.session.records import Head
from litemem.session.store import SessionStore

_NODE: Final = b'{"type":"node"'
_HEAD: Final = b'{"type":"head"'
_OPENING: Final = 20  # turns in which the first words of the user are looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """One session in a list."""

    id: str
    name: str | None
    archived: bool
    nodes: int  # lines with a turn, on all branches
    first_words: str  # of the user, in one line
    changed_at: datetime  # of the file
    size: int  # bytes


def glance_all(store: SessionStore, *, archived: bool = False) -> list[Glance]:
    """
    Return all sessions, the one changed last first; archived ones too where asked.

    The files are scanned, not parsed: 200 MB take about a second. One that was removed meanwhile
    is left out. Raises FileTrouble.
    """
    found = []
    for session_id in store.list_sessions():
        try:
            found.append(_glance(session_id, store.folder.root / f"{session_id}.jsonl"))
        except FileTrouble as trouble:
            if not isinstance(trouble.__cause__, FileNotFoundError):
                raise
    shown = [one for one in found if archived or not one.archived]
    return sorted(shown, key=lambda one: (one.changed_at, one.id), reverse=True)


def _glance(session_id: str, path: Path) -> Glance:
    marks, nodes, words = Marks(), 0, ""
    with translated(path, "read"), path.open("rb") as file:
        for line in file:
            if line.startswith(_HEAD):
                continue
            if line.startswith(_NODE) and (words or nodes > _OPENING):
                nodes += 1
                continue
            for record in read_line(line, ()).records:
                if isinstance(record, SessionNode):
                    nodes += 1
                    words = words or _words(record)
                elif not isinstance(record, Head):
                    marks.add(record)
        stat = path.stat()
    return Glance(
        id=session_id,
        name=marks.name,
        archived=marks.archived,
        nodes=nodes,
        first_words=words,
        changed_at=datetime.fromtimestamp(stat.st_mtime, UTC),
        size=stat.st_size,
    )


def _words(node: SessionNode) -> str:
    return preview(node.turn) if role_of(node.turn) == "user" else ""
