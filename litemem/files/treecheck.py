"""What a tree of files may hold that somebody else made: no name that harms, no link, no flood."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from litemem.errors import InvalidValue
from litemem.files.names import fold

_BAD: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_MAX_BYTES: Final = 255  # of one name


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How large a tree may be."""

    files: int = 500_000
    file_bytes: int = 1 << 30
    all_bytes: int = 1 << 34


class Entry(NamedTuple):
    """One file of a tree."""

    name: str  # with `/`, below the tree
    size: int
    read: Callable[[], bytes]  # before the next entry is asked for


class Check:
    """Refuses what may not be in a tree."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self._path, self._limits = path, limits
        self._names: dict[str, str] = {}
        self._bytes = 0

    def refuse(self, name: str, why: str) -> InvalidValue:
        """Return the error that says what is wrong with a file."""
        return InvalidValue(f"{self._path}: {name[:200]!r} {why}; nothing was taken from it")

    def add(self, entry: Entry) -> None:
        """Count a file in, or raise InvalidValue."""
        name, limits = entry.name, self._limits
        if why := _trouble(name):
            raise self.refuse(name, why)
        self._bytes += entry.size
        if len(self._names) >= limits.files:
            raise self.refuse(name, f"is one file too many (at most {limits.files})")
        if entry.size > limits.file_bytes or self._bytes > limits.all_bytes:
            most = f"at most {limits.file_bytes} bytes, and {limits.all_bytes} in all"
            raise self.refuse(name, f"is too large ({most})")
        self._add_names(name)

    def _add_names(self, name: str) -> None:
        if (other := self._names.get(fold(name))) is not None:
            raise self.refuse(name, f"and {other!r} are one file on some systems")
        self._names[fold(name)] = name
        at = name.find("/")
        while at >= 0:
            folder = name[: at + 1]
            other = self._names.setdefault(fold(name[:at]), folder)
            if other != folder:
                raise self.refuse(name, f"and {other!r} are in one place on some systems")
            at = name.find("/", at + 1)


def _trouble(name: str) -> str | None:
    """Return why a name may not be in a tree, None where it may."""
    parts = name.split("/")
    if name.startswith("/") or "\\" in name or name[1:2] == ":":
        return "leads out of the tree: it is no path below it"
    if any(part in ("", ".", "..") for part in parts):
        return "leads out of the tree: '..', '.' and empty names aren't taken"
    if _BAD.search(name):
        return "holds a character that no name should"
    return "is too long" if max(len(part.encode()) for part in parts) > _MAX_BYTES else None
