"""Logs of other programs taken in: found, told apart, read as streams, merged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from litemem.errors import LitememError
from litemem.session.imports import chatgpt, claude_ai, claude_code, codex, own, pi
from litemem.session.imports.detect import (
    HEAD_BYTES,
    Format,
    detect,
    is_our_export,
    is_transcript_turn,
)
from litemem.session.imports.events import Began, Event
from litemem.session.imports.jsonstream import array_items, parsed
from litemem.session.imports.merge import Merger
from litemem.session.imports.report import FileReport, ImportReport
from litemem.session.imports.source import Source, opened, sources_of
from litemem.session.store import SessionStore

Progress: TypeAlias = Callable[[int, int], None]
"""Called with (bytes read, all bytes) while files are read."""

_EXPORTS: Final = {"chatgpt": chatgpt.read, "claude-ai": claude_ai.read}
_LOGS: Final = {"claude-code": claude_code.read, "codex": codex.read, "pi": pi.read}


def import_sessions(
    store: SessionStore,
    paths: Sequence[str | Path],
    *,
    format: Format | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """
    Take the sessions of other programs' logs into a store: branches, tools, times and titles.

    An import is idempotent: a second one adds nothing, and a log that has grown adds what is new.
    Names, labels and heads that were changed here stay. Memory is that of the largest conversation.

    Args:
        store: where they go; a session is called `<program>-<its id there>`.
        paths: files, zip archives, and folders to be searched for `*.jsonl`, `*.json` and `*.zip`;
            what isn't known of these is reported as skipped.
        format: what all files are; None: each one is looked at.
        progress: called after each file and each session.

    Returns:
        What was new, what was left out and why, and which files had a problem; nothing of that
        stops the others.

    Raises:
        FileTrouble: the store can't be written, or a zip archive can't be read.
    """
    sources = list(sources_of([Path(path) for path in paths]))
    reports = []
    done, total = 0, sum(source.size for source in sources)
    with Merger(store).open() as merger:
        for source in sources:

            def step(read: int, before: int = done) -> None:
                if progress is not None:
                    progress(before + read, total)

            reports.append(_File(source, format, step).take(merger))
            done += source.size
            step(source.size)
    return ImportReport(files=tuple(reports))


class _File:
    """One source, and what came of it so far."""

    def __init__(self, source: Source, format: Format | None, step: Callable[[int], None]) -> None:
        self._source, self._format, self._step = source, format, step
        self._tally: Counter[str] = Counter()
        self._new: list[str] = []
        self._grown: list[str] = []
        self._same = self._turns = 0
        self._problem: str | None = None

    def take(self, merger: Merger) -> FileReport:
        """Read the source to its end, or to where it can't be read on."""
        try:
            with opened(self._source) as stream:
                self._read(merger, stream)
        except (LitememError, ValueError) as error:
            self._problem = str(error)
        return FileReport(
            path=self._source.shown,
            format=self._format,
            new=tuple(self._new),
            grown=tuple(self._grown),
            same=self._same,
            turns=self._turns,
            skipped=dict(self._tally.most_common()),
            problem=self._problem,
        )

    def _read(self, merger: Merger, stream: BinaryIO) -> None:
        head = stream.read(HEAD_BYTES)
        self._format = self._told(head)
        stream.seek(0)
        if self._format is None:
            if self._source.asked:
                self._problem = "no log of a program that is known; say which with --format"
            self._tally["file of an unknown format"] += 1
            return
        for events in self._conversations(self._format, head, stream):
            self._merge(merger, events)
            self._step(stream.tell())

    def _told(self, head: bytes) -> Format | None:
        """Return the format; a file that only its ending speaks for must be an export by itself."""
        if self._source.is_log:
            return self._format or detect(head)
        found = detect(head)
        is_export = found in _EXPORTS or is_our_export(head)
        return found if is_export and self._format in (None, found) else None

    def _conversations(
        self, format: Format, head: bytes, stream: BinaryIO
    ) -> Iterator[Iterator[Event]]:
        stem = self._source.stem
        if format in _EXPORTS:
            items = array_items(stream)
            for conversation in parsed(items, self._tally, "conversation"):
                yield _EXPORTS[format](conversation)
        elif format in _LOGS:
            yield _LOGS[format](parsed(stream, self._tally, "line"), stem)
        elif is_our_export(head):
            for document in parsed(array_items(stream), self._tally, "session"):
                yield own.read_export(document)
        elif any(map(is_transcript_turn, parsed(head.split(b"\n")[:1], Counter(), ""))):
            yield own.read_transcript(parsed(stream, self._tally, "line"), stem)
        else:
            yield own.read_session(stream, stem)

    def _merge(self, merger: Merger, events: Iterator[Event]) -> None:
        began = next(events, None)
        if not isinstance(began, Began):
            return  # an empty file
        try:
            outcome, turns = merger.merge(began.session_id, events, self._tally)
        except LitememError as error:
            self._problem = str(error)
            return
        self._turns += turns
        match outcome:
            case "new":
                self._new.append(began.session_id)
            case "grown":
                self._grown.append(began.session_id)
            case "same":
                self._same += 1
            case _:  # no turns at all
                self._tally["session without turns"] += 1
