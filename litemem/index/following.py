"""Files that the index follows, and who can read them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import tzinfo

    from litemem.index.docs import Doc
    from litemem.settings import Home
    from litemem.types import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file that the index follows."""

    path: Path
    key: str  # below the home folder, with /
    user: str
    day: date | None = None  # of a daily log
    label: str | None = None  # of a block
    chat_id: str | None = None  # of a chat's block
    reader: Reader | None = None  # of a file that isn't memory's own


class Reader(Protocol):
    """A kind of source files beside the markdown, such as sessions: which, and what they say."""

    def files(self, home: Home, user: str) -> Iterator[SourceFile]:
        """Find one user's files, in name order."""
        ...

    def docs(self, file: SourceFile, data: bytes, zone: tzinfo) -> tuple[list[Doc], list[Problem]]:
        """Return a file's rows, and what couldn't be read."""
        ...
