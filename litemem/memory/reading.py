"""What a source file says, as rows of the index."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from litemem.errors import FileTrouble
from litemem.files.read import decode, has_bad_bytes, read_file, visible
from litemem.files.state import FileState, digests, state_of
from litemem.index.docs import Doc, Source
from litemem.index.schema import CHUNK_OVERLAP, CHUNK_WORDS
from litemem.memory.sources import SourceFile
from litemem.text.chunk import chunks
from litemem.text.dailylog import Item, parse_log
from litemem.types import Fact, Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one source file says now."""

    source: Source
    docs: tuple[Doc, ...]


def read_source(file: SourceFile, zone: tzinfo) -> Reading | None:
    """Read one source file; None where it's gone. Raises FileTrouble."""
    read_ns = time.time_ns()
    before = state_of(file.path)
    if before is None:
        return None
    data = read_file(file.path)
    text = decode(data)
    if file.day is not None:
        docs, problems = _log_docs(file, text, file.day, zone)
    else:
        docs, problems = _block_docs(file, text), []
    if has_bad_bytes(text) and not problems:
        problems.append(Problem(path=file.key, line=0, reason="holds bytes that aren't UTF-8"))
    source = make_source(
        file,
        state=before,
        read_ns=read_ns,
        lines=text.count("\n"),
        sums=digests(data),
        problems=problems,
    )
    return Reading(source=source, docs=tuple(docs))


def make_source(
    file: SourceFile,
    *,
    state: FileState,
    read_ns: int,
    lines: int,
    sums: bytes,
    problems: list[Problem],
) -> Source:
    """Return what the index keeps of a file itself."""
    return Source(
        path=file.key,
        user=file.user,
        state=state,
        read_ns=read_ns,
        lines=lines,
        digests=sums,
        problems=tuple(problems),
    )


def fact_doc(item: Item, day: date, zone: tzinfo) -> Doc:
    """Return the row of a fact."""
    fact = item.fact
    return Doc(
        kind="fact",
        id=fact.id,
        line=item.line,
        text=fact.content,
        at=fact.created_at,
        chat_id=fact.chat_id,
        thread=f"chat:{fact.chat_id}" if fact.chat_id else f"day:{day.isoformat()}",
        head=head_of(fact.speaker, fact.created_at, zone),
        importance=fact.importance,
        category=fact.category,
        replaces=fact.replaces,
        tags=fact.tags,
        speaker=fact.speaker,
        metadata=fact.metadata,
        origin=fact.source,
        seen=fact.seen,
        explicit=item.explicit,
    )


def fact_of(doc: Doc) -> Fact:
    """Return the fact of a row; the inverse of `fact_doc`."""
    if doc.at is None:
        msg = f"row {doc.id} is a fact without a time"
        raise ValueError(msg)
    return Fact(
        id=doc.id,
        content=doc.text,
        created_at=doc.at,
        category=doc.category,
        importance=doc.importance,
        tags=doc.tags,
        chat_id=doc.chat_id,
        speaker=doc.speaker,
        metadata=doc.metadata,
        replaces=doc.replaces,
        source=doc.origin,
        seen=doc.seen,
    )


def head_of(speaker: str | None, at: datetime, zone: tzinfo) -> str:
    """
    Return what is embedded before a text: who said it, and on which day.

    Measured on locomo: dense R@10 25 without it, 49 with it.
    """
    day = at.astimezone(zone).date().isoformat()
    return f"{speaker} ({day}): " if speaker else f"({day}): "


def _log_docs(
    file: SourceFile, text: str, day: date, zone: tzinfo
) -> tuple[list[Doc], list[Problem]]:
    log = parse_log(text, day=day, key=file.key, zone=zone)
    problems = [Problem(path=file.key, line=line, reason=reason) for line, reason in log.problems]
    return [fact_doc(item, day, zone) for item in log.items], problems


def _block_docs(file: SourceFile, text: str) -> list[Doc]:
    label = file.label or ""
    shown = visible(text.removeprefix("\ufeff"))
    return [
        Doc(
            kind="block",
            id=label,
            line=chunk.first_line,
            text=chunk.text,
            at=None,
            chat_id=file.chat_id,
            thread=f"block:{file.key}",
        )
        for chunk in chunks(shown, words=CHUNK_WORDS, overlap=CHUNK_OVERLAP)
    ]


def unreadable(file: SourceFile, error: FileTrouble) -> Source:
    """Return what the index keeps of a file that can't be read: no rows, and why."""
    state = state_of(file.path) or FileState(size=0, mtime_ns=0, ctime_ns=0, inode=0)
    problem = Problem(path=file.key, line=0, reason=str(error))
    return make_source(file, state=state, read_ns=0, lines=0, sums=b"", problems=[problem])
