"""The files of an import: folders searched, zip archives opened, everything read as a stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, cast

from litemem.errors import FileTrouble
from litemem.files.trouble import translated

_LOGS: Final = ("*.jsonl", "conversations*.json")
_ENDINGS: Final = frozenset({".jsonl", ".json", ".zip"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file, or a member of a zip archive."""

    path: Path
    asked: bool  # named itself, not found in a folder
    size: int  # bytes to be read
    member: str | None = None

    @property
    def is_log(self) -> bool:
        """Whether it is a log by its name, or because someone said so; else its content tells."""
        return self.asked or _is_log(self.member or self.path.name)

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
    Yield the files of paths: of a folder and of a zip archive all that may be logs.

    A path that isn't there is yielded too: opening it says so. Raises FileTrouble: an archive that
    was named can't be read.
    """
    for path in paths:
        if path.is_dir():
            for found in sorted(path.rglob("*")):
                if found.suffix.lower() in _ENDINGS and found.is_file():
                    yield from _found(found)
        elif path.suffix.lower() == ".zip":
            yield from _members(path, asked=True)
        else:
            yield Source(path=path, asked=True, size=_size(path))


def _found(path: Path) -> Iterator[Source]:
    """Yield a file of a folder, or what is in it; a zip archive that is none is a file."""
    if path.suffix.lower() == ".zip":
        with suppress(FileTrouble):
            yield from _members(path, asked=False)
            return
    yield Source(path=path, asked=False, size=_size(path))


@contextmanager
def opened(source: Source) -> Iterator[BinaryIO]:
    """Open a source to be read from its start. Raises FileTrouble."""
    with translated(source.path, "read"):
        if source.member is None:
            with source.path.open("rb") as file:
                yield file
            return
        import zipfile
        import zlib

        try:
            with zipfile.ZipFile(source.path) as archive, archive.open(source.member) as member:
                yield cast("BinaryIO", member)
        except (zipfile.BadZipFile, zlib.error, RuntimeError) as error:  # RuntimeError: a password
            raise FileTrouble(f"can't read {source.shown}: {error}") from error


def _members(path: Path, *, asked: bool) -> Iterator[Source]:
    """Yield what may be logs in a zip archive, or the archive itself where nothing may."""
    import zipfile

    try:
        with translated(path, "read"), zipfile.ZipFile(path) as archive:
            sizes = {info.filename: info.file_size for info in archive.infolist()}
    except zipfile.BadZipFile as error:
        raise FileTrouble(f"can't read {path}: {error}") from error
    names = [name for name in sorted(sizes) if Path(name).suffix.lower() in (".json", ".jsonl")]
    for name in names:
        yield Source(path=path, asked=asked and _is_log(name), size=sizes[name], member=name)
    if not names:
        yield Source(path=path, asked=asked, size=_size(path))


def _is_log(name: str) -> bool:
    return any(Path(name.lower()).match(pattern) for pattern in _LOGS)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # opening it will say what is wrong
