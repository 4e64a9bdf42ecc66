"""What an import did: file by file, and what it left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """One source file."""

    path: Path
    format: str | None  # None: it's none that is known
    new: tuple[str, ...] = ()  # ids of sessions that weren't here before
    grown: tuple[str, ...] = ()  # of sessions that got new turns
    same: int = 0  # sessions with nothing new
    turns: int = 0  # new ones
    skipped: Mapping[str, int]  # why -> how often
    problem: str | None = None  # why the file wasn't read, or not to its end


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """All source files, in the order they were read."""

    files: tuple[FileReport, ...]

    @property
    def unknown(self) -> tuple[Path, ...]:
        """Which files were passed over, because they are no log of a program that is known."""
        return tuple(file.path for file in self.files if file.format is None and not file.problem)

    @property
    def turns(self) -> int:
        """How many turns are new."""
        return sum(file.turns for file in self.files)

    @property
    def skipped(self) -> Mapping[str, int]:
        """What was left out of all files, the most frequent first."""
        found: Counter[str] = Counter()
        for file in self.files:
            found.update(file.skipped)
        return dict(found.most_common())
