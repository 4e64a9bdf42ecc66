"""What a list of sessions says of each, without loading its turns."""

from __future__ import annotations

from contextlib import suppress
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
    last_at: datetime  # of the turn that was written last; of the file where that has no time
    size: int  # bytes


def glance_all(store: SessionStore, *, archived: bool = False) -> list[Glance]:
    """
    Return all sessions, the one with the newest turn first; archived ones too where asked.

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
    return sorted(shown, key=lambda one: (one.last_at, one.id), reverse=True)


def _glance(session_id: str, path: Path) -> Glance:
    seen = _Seen()
    with translated(path, "read"), path.open("rb") as file:
        for line in file:
            if not line.startswith(_HEAD):
                seen.add(line)
        stat = path.stat()
    return Glance(
        id=session_id,
        name=seen.marks.name,
        archived=seen.marks.archived,
        nodes=seen.nodes,
        first_words=seen.words,
        last_at=seen.last_at() or datetime.fromtimestamp(stat.st_mtime, UTC),
        size=stat.st_size,
    )


class _Seen:
    """What the lines so far say."""

    def __init__(self) -> None:
        self.marks, self.nodes, self.words = Marks(), 0, ""
        self._last = b""

    def add(self, line: bytes) -> None:
        if line.startswith(_NODE) and (self.words or self.nodes > _OPENING):
            self.nodes += 1
            self._last = line
            return
        for record in read_line(line, ()).records:
            if isinstance(record, SessionNode):
                self.nodes += 1
                self._last = line
                self.words = self.words or _words(record)
            elif not isinstance(record, Head):
                self.marks.add(record)

    def last_at(self) -> datetime | None:
        """Return when the last turn was said; None where there is none, or it doesn't say."""
        for record in reversed(read_line(self._last, ()).records):
            if isinstance(record, SessionNode) and record.created_at > 0:
                with suppress(OverflowError, OSError, ValueError):
                    return datetime.fromtimestamp(record.created_at / 1000, UTC)
        return None


def _words(node: SessionNode) -> str:
    return preview(node.turn) if role_of(node.turn) == "user" else ""
