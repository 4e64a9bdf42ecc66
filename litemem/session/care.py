"""Session files checked, mended, brought up to date, branched off and removed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

from litemem.errors import InvalidValue, SessionError, UnknownNode, UnknownSession
from litemem.files.write import remove_file, replace_file
from litemem.session.lineage import examine
from litemem.session.lines import read_line
from litemem.session.migrate import upgraded_line
from litemem.session.nodes import Migrator, SessionNode
from litemem.session.reading import Log
from litemem.session.records import Compaction, Head, Label, Record, Redaction, format_record
from litemem.session.report import Finding, LoadReport
from litemem.session.rewrite import copies_of, read_lines, replace_lines
from litemem.session.store import SessionStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """Whether a session file holds what its ids say."""

    nodes: int
    redacted: tuple[str, ...]  # nodes whose texts were taken out knowingly
    report: LoadReport  # an `id mismatch` is a node that was changed otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """What a new version of a session file changed."""

    backup: Path | None  # the old file; None: nothing had to change
    changed: int  # lines left out, written anew or added
    left: tuple[Finding, ...] = ()  # by a repair, with the new file's lines: it can't mend them


def verify(store: SessionStore, session_id: str) -> Verification:
    """Compute every node's id again, and report all that is odd. Raises UnknownSession."""
    if not store.folder.file(session_id).path.exists():
        raise UnknownSession(f"there is no session {session_id!r} in {store.folder.root}")
    graph = store.load_session(session_id, check_ids=True)
    redacted = tuple(sorted(node for node in graph.marks.redacted if node in graph))
    return Verification(nodes=graph.size, redacted=redacted, report=graph.report)


def repair(store: SessionStore, session_id: str) -> Rewrite:
    """
    Leave out the lines that can't be read, heads of unknown nodes and repeated nodes.

    Sound lines stay byte for byte; glued ones are parted. What can't be mended stays as well:
    orphans, cycles, bad bytes inside of a record; `Rewrite.left` names it. Where no head is valid,
    the last node that has all its ancestors gets one. The old file is kept beside, as
    `<id>.jsonl.bak`. A kill leaves the old file or the new one.

    Raises:
        UnknownSession: there is no such file.
    """
    with store.folder.writing(session_id) as file:
        lines = read_lines(file.path)
        mend = _Mend(lines, store.folder.migrators)
        done = _replaced(file.path, lines, [mend.line(line) for line in lines], mend.head())
        return replace(done, left=file.load(check_ids=True).findings)


def upgrade(store: SessionStore, session_id: str) -> Rewrite:
    """
    Write a session file as the store's migrators have it, the old one kept beside.

    Lines they fail on, or that are no JSON, stay as they are. Raises UnknownSession.
    """
    with store.folder.writing(session_id) as file:
        lines = read_lines(file.path)
        return _replaced(
            file.path, lines, [upgraded_line(line, store.folder.migrators) for line in lines], b""
        )


def fork_session(
    store: SessionStore, session_id: str, new_id: str, *, at: str | None = None
) -> None:
    """
    Copy the path to a node (default: the leaf) into a new session, with all that is said of it.

    Of a path with a gap the part below it is copied.

    Raises:
        UnknownNode: no node has the id `at`, or the session has no turn, or no leaf.
        SessionError: the new session exists already.
    """
    graph = store.load_session(session_id)
    if not graph.size:
        raise UnknownNode(f"session {session_id!r} has no turns to fork")
    if at is None and graph.leaf is None:
        raise UnknownNode(f"session {session_id!r} has no head: name the last turn to fork")
    nodes, marks = graph.readable_nodes(at), graph.marks
    ids = {node.id for node in nodes}
    records: list[Record] = [record for node in nodes for record in (node, Head(leaf=node.id))]
    now = store.now()
    records += (Label(node=n, label=text, at=now) for n, text in marks.labels.items() if n in ids)
    records += (Redaction(node=node, at=now) for node in sorted(marks.redacted & ids))
    records += (record for record in marks.compactions.values() if _covers(ids, record))
    with store.folder.writing(new_id, new=True) as file:
        if file.path.exists():
            raise SessionError(f"session {new_id!r} exists already; choose another id")
        replace_file(file.path, b"".join(map(format_record, records)))


def _covers(ids: Set[str], compaction: Compaction) -> bool:
    """Say whether a path has a condensation's nodes, which one below a gap may not have."""
    first = compaction.first_kept
    return {compaction.leaf, *compaction.pinned, *([] if first is None else [first])} <= ids


def remove_session(store: SessionStore, session_id: str) -> None:
    """Remove a session's file and its backups for good. Raises UnknownSession."""
    with store.folder.writing(session_id) as file:
        for path in copies_of(file.path):
            remove_file(path)


def _replaced(path: Path, old: Sequence[bytes], new: Sequence[bytes], added: bytes) -> Rewrite:
    changed = sum(before != after for before, after in zip(old, new, strict=True)) + bool(added)
    backup = replace_lines(path, [*new, added]) if changed else None
    return Rewrite(backup=backup, changed=changed)


class _Mend:
    """Decides line by line what a repaired file keeps."""

    def __init__(self, lines: Iterable[bytes], migrators: Sequence[Migrator]) -> None:
        self._migrators = migrators
        self._nodes = Log(lines, migrators).nodes
        self._last: dict[str, bytes] = {}  # by node id, the line that counts so far
        self._has_head = False

    def line(self, line: bytes) -> bytes:
        """Return what stands for a line; ask for each line once, in their order."""
        read = read_line(line, self._migrators)
        kinds = {odd.kind for odd in read.odd}
        if kinds & {"bad line", "glued line"} and (parts := _parts(read.records)) is not None:
            pairs = zip(read.records, parts, strict=True)
            return b"".join(part for record, part in pairs if self._keeps(record, part))
        keeps = [record for record in read.records if self._keeps(record, line)]
        if keeps or read.skipped or "failed migration" in kinds:
            return line if line.endswith(b"\n") else line + b"\n"
        return b""

    def head(self) -> bytes:
        """Return the head that the file lacks, if it lacks one; ask after all lines."""
        rooted = set() if self._has_head else examine(self._nodes.parents)[0]
        last = next((node for node in reversed(self._nodes.parents) if node in rooted), None)
        return b"" if last is None else format_record(Head(leaf=last))

    def _keeps(self, record: Record, line: bytes) -> bool:
        if isinstance(record, Head):
            is_known = record.leaf in self._nodes
            self._has_head = self._has_head or is_known
            return is_known
        if not isinstance(record, SessionNode):
            return True
        is_new = self._last.get(record.id) != line.strip()
        self._last[record.id] = line.strip()
        return is_new


def _parts(records: Sequence[Record]) -> list[bytes] | None:
    """Write the records of a glued line anew; None where one is nested deeper than is written."""
    try:
        return [format_record(record) for record in records]
    except InvalidValue:
        return None
