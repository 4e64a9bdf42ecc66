"""One imported session into the store's folder: a new file, or a new version of the one there."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, Literal, NamedTuple, TypeAlias

from litemem.errors import Conflict, InvalidName, SessionError
from litemem.files.folders import fsync_folder, make_folder
from litemem.files.leftover import create_beside, sweep
from litemem.files.lock import FOLDER_LOCK, locked
from litemem.files.names import fold
from litemem.files.trouble import translated
from litemem.session.folder import SUFFIX
from litemem.session.imports.events import Event
from litemem.session.imports.weave import Weaver
from litemem.session.marks import Marks
from litemem.session.nodes import Revision
from litemem.session.records import Record, format_record
from litemem.session.store import SessionStore

_BLOCK: Final = 1 << 20

Outcome: TypeAlias = Literal["new", "grown", "same", "empty"]


class Merged(NamedTuple):
    """What became of a session."""

    outcome: Outcome
    turns: int  # new ones


class Merger:
    """
    Writes imported sessions into a store's folder.

    Names are compared with a list made once: asking the folder for each of 10,000 new sessions
    took minutes.
    """

    def __init__(self, store: SessionStore) -> None:
        self._store = store
        self._names = {fold(name): name for name in store.list_sessions()}

    @contextmanager
    def open(self) -> Iterator[Merger]:
        """Make the folder, and make its new names durable at the end."""
        root = self._store.folder.root
        make_folder(root)
        sweep(root)
        try:
            yield self
        finally:
            with translated(root, "write"):
                fsync_folder(root)

    def merge(self, session_id: str, events: Iterable[Event], tally: Counter[str]) -> Merged:
        """
        Add what a session's file lacks. A kill leaves the old file or the new one.

        Raises:
            InvalidName: another spelling of the id exists.
            SessionError: a copied session meets another one of its name, or somebody wrote to the
                session meanwhile; what was to be added isn't.
            FileTrouble: the disk fails.
        """
        there = self._names.get(fold(session_id), session_id)
        if there != session_id:
            raise InvalidName(f"session id {session_id!r} exists in another spelling: {there!r}")
        path = self._store.folder.root / f"{session_id}{SUFFIX}"
        if path.exists():
            return self._grow(session_id, events, tally)
        merged = self._create(path, events, tally)
        if merged.outcome == "new":
            self._names[fold(session_id)] = session_id
        return merged

    def _create(self, path: Path, events: Iterable[Event], tally: Counter[str]) -> Merged:
        weaver = Weaver((), Marks(), tally)
        with translated(path, "write"), _beside(path) as (file, tmp):
            for event in events:
                _write(file, weaver.weave(event))
            if not weaver.new_turns:
                return Merged("empty", 0)
            _write(file, weaver.finish(None))
            with locked(path.with_name(FOLDER_LOCK)):
                if path.exists():
                    raise Conflict(f"{path} was made by others meanwhile; import again")
                _replace(file, tmp, path)
        return Merged("new", weaver.new_turns)

    def _grow(self, session_id: str, events: Iterable[Event], tally: Counter[str]) -> Merged:
        log = self._store.folder.load(session_id)
        before = Revision(log.leaf, log.marks.last_compaction)
        weaver = Weaver(log.nodes.parents, log.marks, tally)
        records: list[Record] = []
        for event in events:
            records += weaver.weave(event)
        if log.nodes and weaver.new_turns and not weaver.known_turns:
            raise SessionError(f"another session is called {session_id!r} here; rename one of them")
        records += weaver.finish(log.leaf)
        if not records:
            return Merged("same", 0)
        with self._store.folder.writing(session_id) as file:
            if Revision(file.end().leaf, file.last_compaction()) != before:
                raise Conflict(f"session {session_id!r} changed meanwhile; import again")
            _add(file.path.resolve(), records)
        return Merged("grown", weaver.new_turns)


@contextmanager
def _beside(path: Path) -> Iterator[tuple[BinaryIO, Path]]:
    fd, tmp = create_beside(path)
    try:
        with os.fdopen(fd, "wb") as file:
            yield file, tmp
    finally:
        tmp.unlink(missing_ok=True)


def _add(path: Path, records: Iterable[Record]) -> None:
    """Put records behind a file's lines by a new version of it: a kill tears no append."""
    with translated(path, "write"), _beside(path) as (file, tmp):
        with path.open("rb") as old:
            last = b"\n"
            while block := old.read(_BLOCK):
                file.write(block)
                last = block[-1:]
        if last != b"\n":
            file.write(b"\n")
        _write(file, records)
        _replace(file, tmp, path)


def _replace(file: BinaryIO, tmp: Path, path: Path) -> None:
    file.flush()
    os.fsync(file.fileno())
    if os.name == "nt":  # pragma: no cover - Windows renames only closed files
        file.close()
    tmp.replace(path)


def _write(file: BinaryIO, records: Iterable[Record]) -> None:
    file.writelines(map(format_record, records))
