"""What a source file says, as rows of the index."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import date, tzinfo

from litemem.errors import FileTrouble
from litemem.files.read import decode, has_bad_bytes, read_file, visible
from litemem.files.state import FileState, digests, state_of
from litemem.index.docs import Doc, Source
from litemem.index.following import SourceFile
from litemem.index.schema import CHUNK_OVERLAP, CHUNK_WORDS
from litemem.memory.rows import fact_doc
from litemem.text.chunk import chunks
from litemem.text.dailylog import parse_log
from litemem.types import Problem


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
    if file.reader is not None:
        docs, problems = file.reader.docs(file, data, zone)
    elif file.day is not None:
        docs, problems = _log_docs(file, text, file.day, zone)
    else:
        docs, problems = _block_docs(file, text), []
    if file.reader is None and text.count("\r") > text.count("\r\n"):
        reason = "holds a carriage return inside of a line; save it with LF or CRLF line ends"
        problems.append(Problem(path=file.key, line=0, reason=reason))
    if file.reader is None and has_bad_bytes(text) and not problems:
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


def unreadable(file: SourceFile, error: FileTrouble, state: FileState) -> Source:
    """Return what the index keeps of a file that can't be read: no rows, and why."""
    problem = Problem(path=file.key, line=0, reason=str(error))
    now = time.time_ns()
    return make_source(file, state=state, read_ns=now, lines=0, sums=b"", problems=[problem])
