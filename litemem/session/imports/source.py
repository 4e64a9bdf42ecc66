"""The files of an import: folders searched, zip archives opened, everything read as a stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, cast

from litemem.errors import FileTrouble
from litemem.files.trouble import translated

_LOGS: Final = ("*.jsonl", "conversations*.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file, or a member of a zip archive."""

    path: Path
    asked: bool  # named itself, not found in a folder
    size: int  # bytes to be read
    member: str | None = None

    @property
    def stem(self) -> str:
        """The name without its ending: what a session without an id is called after."""
        return Path(self.member or self.path).stem

    @property
    def shown(self) -> Path:
        """The path for messages."""
        return self.path if self.member is None else self.path / self.member


def sources_of(paths: Sequence[Path]) -> Iterator[Source]:
    """
    Yield the files of paths: of a folder all logs in it, of a zip archive its conversations.

    A path that isn't there is yielded too: opening it says so.
    """
    for path in paths:
        if path.is_dir():
            found = sorted({log for pattern in _LOGS for log in path.rglob(pattern)})
            for log in found:
                yield Source(path=log, asked=False, size=_size(log))
        elif path.suffix.lower() == ".zip":
            yield from _members(path)
        else:
            yield Source(path=path, asked=True, size=_size(path))


@contextmanager
def opened(source: Source) -> Iterator[BinaryIO]:
    """Open a source to be read from its start. Raises FileTrouble."""
    with translated(source.path, "read"):
        if source.member is None:
            with source.path.open("rb") as file:
                yield file
            return
        import zipfile

        with zipfile.ZipFile(source.path) as archive, archive.open(source.member) as member:
            yield cast("BinaryIO", member)


def _members(path: Path) -> Iterator[Source]:
    import zipfile

    try:
        with translated(path, "read"), zipfile.ZipFile(path) as archive:
            found = {info.filename: info.file_size for info in archive.infolist()}
    except zipfile.BadZipFile as error:
        raise FileTrouble(f"can't read {path}: {error}") from error
    for name in sorted(found):
        if any(Path(name).match(pattern) for pattern in _LOGS):
            yield Source(path=path, asked=True, size=found[name], member=name)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # opening it will say what is wrong
