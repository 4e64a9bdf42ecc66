"""Bring the index up to date with the source files."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path
from typing import NamedTuple

from litemem.errors import FileTrouble, IndexReadOnly
from litemem.files.leftover import sweep
from litemem.files.read import read_file
from litemem.files.state import FileState, digests, state_of
from litemem.index.docs import Source
from litemem.index.following import SourceFile
from litemem.index.schema import NOBODY
from litemem.index.store import Index
from litemem.memory.sources import names_in
from litemem.memory.workspace import Followed, Workspace

logger = logging.getLogger(__name__)

UNSEEN = FileState(size=0, mtime_ns=0, ctime_ns=0, inode=0)
_STEP_BYTES = 1_000_000  # of logs that are read in one transaction: about 0.2 s
_RACY_NS = 2_000_000_000  # FAT and cloud folders keep times of 2 s


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What a sync found and did."""

    files: int = 0  # looked at
    changed: int = 0  # read again
    removed: int = 0  # files that are gone
    facts_added: int = 0
    facts_removed: int = 0
    facts_updated: int = 0

    def __add__(self, other: SyncReport) -> SyncReport:
        """Sum two reports."""
        return SyncReport(
            files=self.files + other.files,
            changed=self.changed + other.changed,
            removed=self.removed + other.removed,
            facts_added=self.facts_added + other.facts_added,
            facts_removed=self.facts_removed + other.facts_removed,
            facts_updated=self.facts_updated + other.facts_updated,
        )


class _Unchanged(NamedTuple):
    files: int
    confirmed: list[Source]  # as seen now: their times alone didn't tell that they're unchanged


def sync(space: Workspace, users: Iterable[str]) -> SyncReport:
    """
    Read again what changed in the files of these users and of `global/`.

    Costs one stat a file when nothing changed. Raises IndexReadOnly when something did and the
    index can't be written.
    """
    owners = tuple(dict.fromkeys((*users, NOBODY)))
    report = SyncReport()
    for user in owners:
        sweep_user(space, user)
        found = _compare(space, user)
        if found is None:
            if space.index.read_only:
                msg = f"{space.index.path} isn't current and can't be written; open it where it can"
                raise IndexReadOnly(msg)
            report += _catch_up(space, user)
        else:
            space.index.confirm_sources(found.confirmed)
            report += SyncReport(files=found.files)
    return report


def sweep_user(space: Workspace, user: str) -> None:
    """Remove what killed writers left beside a user's files: it may hold a forgotten text."""
    home = space.home
    root = home.global_dir if user == NOBODY else home.memory_dir(user)
    for folder in (root, *(root / "chats" / chat for chat in names_in(root / "chats"))):
        sweep(folder)


def stale(space: Workspace, user: str) -> bool:
    """Say whether a user's files differ from what was indexed."""
    return _compare(space, user) is None


def _compare(space: Workspace, user: str) -> _Unchanged | None:
    """Look at a user's files; None where they differ from what was indexed."""
    known = space.index.sources(user)
    confirmed = []
    count = 0
    for file in space.followed.files(user):
        source = known.get(file.key)
        if source is None and seen_state(file.path) is None:
            continue  # a link to nothing
        seen = None if source is None else unchanged(file, source)
        if seen is None:
            return None
        if seen is not source and not _racy(seen):
            confirmed.append(seen)
        count += 1
    return _Unchanged(count, confirmed) if count == len(known) else None


def seen_state(path: Path) -> FileState | None:
    """Return a file's state, None where it's gone, and UNSEEN where the system can't say."""
    try:
        return state_of(path)
    except FileTrouble:  # reading it says why
        return UNSEEN


def unchanged(file: SourceFile, source: Source) -> Source | None:
    """
    Return the source where the file is as it was indexed, else None.

    Its bytes decide where its times can't; then the times are those of now.
    """
    read_ns = time.time_ns()
    state = seen_state(file.path)
    if state == source.state and not _racy(source):
        return source
    if state is None or state.size != source.state.size or _digests(file) != source.digests:
        return None
    return replace(source, state=state, read_ns=read_ns)


class Step(NamedTuple):
    """Files that are read in one transaction, and those whose rows go."""

    files: list[SourceFile]
    gone: list[str]  # keys
    same: int = 0  # files that needn't be read


def steps(followed: Followed, index: Index, user: str) -> list[Step]:
    """
    Part what may have changed of one user's files; the first step is all markdown.

    Facts of several files make up chains, so they change at once. Logs, which may be many, come
    after them: what was read of them before a kill is kept, and the next sync goes on from there.
    """
    known = index.sources(user)  # before the files: what others add meanwhile isn't gone then
    files = list(followed.files(user))
    there = {file.key for file in files}
    gone = [key for key in known if key not in there]
    home = followed.home
    markdown = home.relative(home.global_dir if user == NOBODY else home.memory_dir(user)) + "/"
    changed = [file for file in files if not _is_same(file, known.get(file.key))]
    first = Step(
        files=[file for file in changed if file.reader is None],
        gone=[key for key in gone if key.startswith(markdown)],
        same=len(files) - len(changed),
    )
    # At the end: under a new name its rows copy the vectors of the old ones.
    last = Step(files=[], gone=[key for key in gone if not key.startswith(markdown)])
    return [first, *_logs(file for file in changed if file.reader is not None), last]


def _is_same(file: SourceFile, source: Source | None) -> bool:
    return source is not None and unchanged(file, source) is not None


def _logs(files: Iterable[SourceFile]) -> Iterator[Step]:
    """Part logs into steps of about equal cost."""
    step, size = Step([], []), 0
    for file in files:
        step.files.append(file)
        size += (seen_state(file.path) or UNSEEN).size
        if size >= _STEP_BYTES:
            yield step
            step, size = Step([], []), 0
    yield step


def take(followed: Followed, index: Index, user: str, step: Step) -> SyncReport:
    """Bring the rows of a step's files up to date; the caller holds the write lock."""
    report = SyncReport(files=step.same)
    if not step.files and not step.gone:
        return report
    with index.transaction():
        for file in step.files:
            report += _bring_file(followed.zone, index, file, index.source(file.key))
        there = {file.key for file in followed.files(user)} if step.gone else set()
        for key in step.gone:
            if key not in there:  # nobody made it anew since
                report += SyncReport(removed=1, facts_removed=index.drop_source(key).removed)
    return report


def bring(followed: Followed, index: Index, user: str) -> SyncReport:
    """Bring one user's rows up to date; the caller holds the write lock."""
    found = (take(followed, index, user, step) for step in steps(followed, index, user))
    return sum(found, start=SyncReport())


def _catch_up(space: Workspace, user: str) -> SyncReport:
    """Bring one user's rows up to date, and let others write between two steps."""
    followed, index = space.followed, space.index
    with space.writing():
        first, *rest = steps(followed, index, user)
        report = take(followed, index, user, first)
    for step in rest:
        if step.files or step.gone:
            with space.writing():
                report += take(followed, index, user, step)
    return report


def bring_file(space: Workspace, file: SourceFile) -> None:
    """Bring one file's rows up to date after it was rewritten; the caller holds the lock."""
    index = space.index
    if state_of(file.path) is None:
        index.drop_source(file.key)
    else:
        _bring_file(space.zone, index, file, index.source(file.key))


def _bring_file(zone: tzinfo, index: Index, file: SourceFile, known: Source | None) -> SyncReport:
    if known is not None and unchanged(file, known) is not None:
        return SyncReport(files=1)
    from litemem.memory.reading import read_source, unreadable  # the parsers: 15 ms of start-up

    try:
        reading = read_source(file, zone)
    except FileTrouble as error:
        # A file that can't be read now is named in `doctor`; its old rows would be stale answers.
        logger.warning("%s", error)
        index.put_source(unreadable(file, error, seen_state(file.path) or UNSEEN), ())
        return SyncReport(files=1, changed=1)
    if reading is None:
        return SyncReport()
    changes = index.put_source(reading.source, reading.docs)
    return SyncReport(
        files=1,
        changed=1,
        facts_added=changes.added,
        facts_removed=changes.removed,
        facts_updated=changes.updated,
    )


def _digests(file: SourceFile) -> bytes | None:
    try:
        return digests(read_file(file.path))
    except FileTrouble:  # reading it as changed says why
        return None


def _racy(source: Source) -> bool:
    return abs(source.read_ns - source.state.mtime_ns) < _RACY_NS
