"""One session's file: read whole, read at its end, added to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final

from litemem.files.state import FileState, state_of
from litemem.files.trouble import translated
from litemem.files.write import append
from litemem.session import tail
from litemem.session.lines import read_line
from litemem.session.nodes import Migrator, SessionNode, Turn
from litemem.session.reading import Log
from litemem.session.records import Compaction, Head, Record, format_record

_BUFFER: Final = 1 << 18
_GUARD: Final = 32  # bytes before `scanned` that tell an append from an edit


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """What holds at the end of a session file while the file has `state`."""

    state: FileState | None  # None: there is no file
    leaf: str | None
    has_nodes: bool
    compaction: str | None = None  # the last one before `scanned`
    scanned: int = 0
    guard: bytes = b""


_NO_FILE: Final = End(state=None, leaf=None, has_nodes=False)


class SessionFile:
    """
    A session's file, and what is known of its end.

    The cost of `end` and `write` doesn't grow with the file. Whoever writes holds the lock; what
    is read without it may be old when it's returned.
    """

    def __init__(self, path: Path, migrators: Sequence[Migrator], *, fsync: bool) -> None:
        self.path = path
        self._migrators = migrators
        self._fsync = fsync
        self._end = _NO_FILE

    def load(self, *, check_ids: bool = False) -> Log:
        """Read the whole file; one that is missing is empty. This needs no lock."""
        state = state_of(self.path)
        with self._opened() as file:
            log = Log(file or (), self._migrators, check_ids=check_ids)
            if file is not None and state is not None and state == state_of(self.path):
                file.seek(max(0, state.size - _GUARD))
                self._end = End(
                    state=state,
                    leaf=log.leaf,
                    has_nodes=bool(log.nodes),
                    compaction=log.marks.last_compaction,
                    scanned=state.size,
                    guard=file.read(),
                )
        return log

    def last_turns(self, leaf: str | None, last_n: int) -> list[Turn] | None:
        """Return the newest turns of a context (None: of the last head's); see `tail`."""
        with self._opened() as file:
            if file is None:
                return [] if leaf is None else None
            end = tail.last_head(file, self._migrators) if leaf is None else leaf
            return None if end is None else tail.last_turns(file, end, last_n, self._migrators)

    def find_node(self, node_id: str) -> SessionNode | None:
        """Return a node by its id, or None."""
        with self._opened() as file:
            return None if file is None else tail.find_node(file, node_id, self._migrators)

    def has_sibling(self, node: SessionNode) -> bool:
        """Say whether a node with this one's id hangs at its parent already."""
        with self._opened() as file:
            return file is not None and tail.has_sibling(file, node, self._migrators)

    def end(self) -> End:
        """Return what holds at the file's end."""
        state = state_of(self.path)
        if state != self._end.state or state is None:
            leaf, has_nodes = self._find_leaf()
            known = self._end if self._has_grown(state) else _NO_FILE
            self._end = replace(known, state=state, leaf=leaf, has_nodes=has_nodes)
        return self._end

    def last_compaction(self) -> str | None:
        """Return the id of the last condensation in the file; only what is new is read."""
        end = self.end()
        if end.state is None or end.scanned == end.state.size:
            return end.compaction
        found, guard = end.compaction, end.guard
        with self._opened() as file:
            assert file is not None
            file.seek(end.scanned)
            for line in file:
                guard = (guard + line)[-_GUARD:]
                if b'"compaction"' in line:
                    found = _last_compaction(read_line(line, self._migrators).records, found)
        self._end = replace(end, compaction=found, scanned=end.state.size, guard=guard)
        return found

    def write(self, records: Sequence[Record]) -> None:
        """Add records in one write."""
        data = b"".join(map(format_record, records))
        end = self.end()
        start = append(self.path, data, fsync=self._fsync)
        state = state_of(self.path)
        if state is None or state.size != start + len(data):
            return  # a program that knows no lock wrote too: the next `end` will look
        is_scanned = end.scanned == (end.state.size if end.state else 0)
        heads = [record.leaf for record in records if isinstance(record, Head)]
        self._end = End(
            state=state,
            leaf=heads[-1] if heads else end.leaf,
            has_nodes=end.has_nodes or bool(heads),
            compaction=_last_compaction(records, end.compaction),
            scanned=state.size if is_scanned else end.scanned,
            guard=data[-_GUARD:] if is_scanned else end.guard,
        )

    def _find_leaf(self) -> tuple[str | None, bool]:
        with self._opened() as file:
            if file is None:
                return None, False
            leaf = tail.last_head(file, self._migrators)
            if leaf is not None and tail.find_node(file, leaf, self._migrators):
                return leaf, True
        log = self.load()
        return log.leaf, bool(log.nodes)

    def _has_grown(self, state: FileState | None) -> bool:
        """Say whether the file is the one that was scanned, with something added."""
        old = self._end
        if state is None or old.state is None or state.inode != old.state.inode:
            return False
        with self._opened() as file:
            if file is None or state.size < old.scanned:
                return False
            file.seek(old.scanned - len(old.guard))
            return file.read(len(old.guard)) == old.guard

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO | None]:
        with translated(self.path, "read"):
            try:
                file = self.path.open("rb", buffering=_BUFFER)
            except FileNotFoundError:
                yield None
                return
            with file:
                yield file


def _last_compaction(records: Sequence[Record], before: str | None) -> str | None:
    ids = [record.id for record in records if isinstance(record, Compaction)]
    return ids[-1] if ids else before
