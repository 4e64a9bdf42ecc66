"""Facts into daily logs, then into the index: the one way by which facts are added."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import groupby

from litemem.errors import FileTrouble, IndexTrouble
from litemem.files.folders import make_folder
from litemem.files.note import append_noted
from litemem.files.read import decode, encode, read_tail
from litemem.files.state import FileState, extend_digests, state_of
from litemem.index.docs import Source
from litemem.index.following import SourceFile
from litemem.memory.reading import make_source
from litemem.memory.rows import fact_doc
from litemem.memory.sources import log_file
from litemem.memory.sync import bring_file
from litemem.memory.workspace import Workspace
from litemem.text.dailylog import Item, entry, parse_log
from litemem.text.head import local_day
from litemem.types import Fact, Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Vectors:
    """What is known of new facts' vectors."""

    by_id: Mapping[str, Vector]
    own: frozenset[str] = frozenset()  # ids whose vector the caller made


_TAIL = 4096  # bytes of a log that are read to see whether its last heading still fits


def freshen(space: Workspace, user: str, days: set[date]) -> None:
    """Read again the logs of these days where somebody else changed them; needs the lock."""
    for day in days:
        file = log_file(space.home, user, day)
        known = space.index.source(file.key)
        if (known.state if known else None) != state_of(file.path):
            bring_file(space, file)


def append_facts(
    space: Workspace,
    user: str,
    facts: Sequence[Fact],
    vectors: Vectors,
    *,
    written: datetime | None = None,
) -> None:
    """
    Write facts to the logs of their days, durably, and index them; the caller holds the lock.

    With `written` all stand in the log of that day, whenever they were said. A fact without a
    vector gets it later. The logs must be fresh. A fact whose index write fails is in its log
    already and appears at the next sync.
    """

    def day_of(fact: Fact) -> date:
        return local_day(written or fact.created_at, space.zone)

    for day, group in groupby(sorted(facts, key=day_of), key=day_of):  # keeps a day's order
        file = log_file(space.home, user, day)
        _append_day(space, file, day, list(group), vectors, written=written)


def _append_day(
    space: Workspace,
    file: SourceFile,
    day: date,
    facts: list[Fact],
    vectors: Vectors,
    *,
    written: datetime | None,
) -> None:
    make_folder(file.path.parent)
    known = space.index.source(file.key)
    before = state_of(file.path)
    tail = None if before is None else decode(read_tail(file.path, _TAIL))
    text = entry(facts, day=day, zone=space.zone, tail=tail, written=written)
    start = append_noted(file.path, encode(text), note=space.home.note)  # never half a fact
    read_ns = time.time_ns()

    items = _placed(text, facts, file, day, space)
    if items is None or (known is None) != (before is None):
        bring_file(space, file)
        return
    first = (known.lines if known else 0) + (start > (before.size if before else 0))
    source = _grown(file, known, read_ns, lines=first + text.count("\n"))
    moved = [replace(item, line=item.line + first) for item in items]
    docs = [fact_doc(item, day, space.zone) for item in moved]
    given = {n: vectors.by_id[doc.id] for n, doc in enumerate(docs) if doc.id in vectors.by_id}
    own = [n for n, doc in enumerate(docs) if doc.id in vectors.own]
    try:
        space.index.extend_source(source, docs, given, own=own)
    except (IndexTrouble, FileTrouble) as error:
        raise type(error)(
            f"{error}; what was to be remembered is in {file.path}, and is found once "
            "the index can be written"
        ) from error


def _placed(
    text: str, facts: list[Fact], file: SourceFile, day: date, space: Workspace
) -> list[Item] | None:
    """Find the lines of new facts in the appended text; None where only the whole file tells."""
    items = list(parse_log(text, day=day, key=file.key, zone=space.zone).items)
    by_id = {fact.id: fact for fact in facts}
    if len(items) != len(by_id) or any(item.fact.id not in by_id for item in items):
        return None
    return [replace(item, fact=by_id[item.fact.id]) for item in items]


def _grown(file: SourceFile, known: Source | None, read_ns: int, *, lines: int) -> Source:
    state = state_of(file.path) or FileState(size=0, mtime_ns=0, ctime_ns=0, inode=0)
    old, size = (known.digests, known.state.size) if known else (b"", 0)
    return make_source(
        file,
        state=state,
        read_ns=read_ns,
        lines=lines,
        sums=extend_digests(old, size, file.path, state.size),
        problems=list(known.problems) if known else [],
    )
