"""What was odd in a session file, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from litemem.errors import FormatError

Oddity: TypeAlias = Literal[
    "torn line",  # the last line has no end and is no record: a writer died
    "bad line",  # not JSON
    "glued line",  # two writes in one line; the records in it were kept
    "bad bytes",  # not UTF-8, read as U+FFFD
    "bad record",  # no record, or one of a known type with missing or wrong fields
    "failed migration",
    "duplicate id",  # the last node with the id counts
    "unknown head",  # names no node; the last known head counts
    "node without head",  # no head ever named the node or one that follows it
    "orphan",  # the parent isn't in the file
    "cycle",  # the node is its own ancestor
    "lost condensed",  # a condensation names a node that isn't in the file
    "id mismatch",  # the id isn't the hash of what the node holds
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One odd thing in a session file."""

    kind: Oddity
    line: int  # from 1
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadReport:
    """What reading a session file met besides sound records, by line."""

    path: Path | None = None  # None: the session is in memory alone
    skipped: int = 0  # records of types that aren't known
    findings: tuple[Finding, ...] = ()

    def of(self, kind: Oddity) -> tuple[Finding, ...]:
        """Return the findings of one kind."""
        return tuple(finding for finding in self.findings if finding.kind == kind)

    def raise_first(self) -> None:
        """Raise FormatError for the first finding; nothing happens when there is none."""
        for finding in self.findings[:1]:
            reason = f"{finding.kind}: {finding.detail}"
            raise FormatError(str(self.path), finding.line, reason)
