"""Read a tree of files from a folder, zip or tar archive that somebody else may have made."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from litemem.errors import FileTrouble, FormatError
from litemem.files.treecheck import Check, Entry, Limits
from litemem.files.trouble import translated

if TYPE_CHECKING:
    from io import BufferedIOBase
    from tarfile import TarInfo
    from zipfile import ZipInfo

    from _typeshed import SupportsRead

ARCHIVES: Final = (".zip", ".tar.gz", ".tgz", ".tar")
_BLOCK: Final = 1 << 20
_HEADER: Final = 1 << 24  # bytes that the header of one file in an archive may have
_LINK, _ODD = "is a link", "is no file but a pipe or a device"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A tree of files whose names are safe, and that isn't too large."""

    path: Path
    limits: Limits
    names: tuple[str, ...] = ()  # of all its files

    def entries(self) -> Iterator[Entry]:
        """
        Yield the files, as the folder or archive has them; it may be asked for again.

        Raises:
            FormatError: an archive is damaged, or holds a file that isn't as large as it says.
            FileTrouble: it can't be read.
            InvalidValue: as `open_tree`, where it changed since.
        """
        check = Check(self.path, self.limits)
        with _damage(self.path):
            for entry in _found(self.path, check):
                check.add(entry)
                yield entry._replace(read=_Read(self.path, entry.read).now)


def open_tree(path: Path, limits: Limits | None = None) -> Tree:
    """
    Look at all names and sizes of a tree, before any of its files is read.

    Args:
        path: a folder, or an archive that ends with .zip, .tar.gz, .tgz or .tar.
        limits: how large it may be.

    Raises:
        InvalidValue: it holds what could harm: a link, a device, a name that leads out of the tree
            or that another one of its files has in other letters; or it is too large. Says what.
        FormatError, FileTrouble: it can't be read.
    """
    tree = Tree(path=path, limits=limits or Limits())
    return replace(tree, names=tuple(entry.name for entry in tree.entries()))


class _Read(NamedTuple):
    tree: Path
    read: Callable[[], bytes]

    def now(self) -> bytes:
        with _damage(self.tree), translated(self.tree, "read"):
            return self.read()


def _found(path: Path, check: Check) -> Iterator[Entry]:
    if path.is_dir():
        yield from _in_folder(path, path, check)
    elif path.name.lower().endswith(".zip"):
        yield from _in_zip(path, check)
    elif path.name.lower().endswith(ARCHIVES):
        yield from _in_tar(path, check)
    elif path.exists():
        raise FormatError(path, 0, f"is neither a folder nor an archive ({', '.join(ARCHIVES)})")
    else:
        raise FileTrouble(f"can't read {path}: there is no such file or folder")


def _in_folder(root: Path, folder: Path, check: Check) -> Iterator[Entry]:
    with translated(folder, "read"), os.scandir(folder) as found:
        inside = sorted(found, key=lambda entry: entry.name)
    for entry in inside:
        path = Path(entry.path)
        name = path.relative_to(root).as_posix()
        mode = entry.stat(follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            yield from _in_folder(root, path, check)
        elif stat.S_ISREG(mode):
            size = entry.stat(follow_symlinks=False).st_size
            yield Entry(name, size, lambda path=path, size=size: _file(path, size))  # type: ignore[misc]  # bound now
        else:
            raise check.refuse(name, _LINK if stat.S_ISLNK(mode) else _ODD)


def _file(path: Path, size: int) -> bytes:
    with translated(path, "read"), path.open("rb") as file:
        return _whole(path, file, size)


def _in_zip(path: Path, check: Check) -> Iterator[Entry]:
    from zipfile import ZipFile

    with translated(path, "read"), ZipFile(path) as archive:
        for info in archive.infolist():
            mode = info.external_attr >> 16
            if info.flag_bits & 1:
                raise check.refuse(info.filename, "is encrypted")
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise check.refuse(info.filename, _LINK if stat.S_ISLNK(mode) else _ODD)
            if not info.is_dir():
                yield Entry(info.orig_filename, info.file_size, _Member(archive, info).read)


class _Member(NamedTuple):
    archive: Any  # ZipFile: imported where it's needed
    info: ZipInfo

    def read(self) -> bytes:
        with self.archive.open(self.info) as file:
            return _whole(Path(self.info.filename), file, self.info.file_size)


def _in_tar(path: Path, check: Check) -> Iterator[Entry]:
    import gzip
    import tarfile

    with translated(path, "read"), path.open("rb") as raw:
        is_packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        # Any: it reads, seeks and tells, which is all that is asked of it.
        stream: Any = _Bounded(gzip.GzipFile(fileobj=raw) if is_packed else raw)
        with tarfile.open(fileobj=stream, mode="r:") as archive:
            for info in archive:
                if not (info.isreg() or info.isdir()):
                    raise check.refuse(info.name, _LINK if info.islnk() or info.issym() else _ODD)
                if info.isreg():
                    name = info.name.removeprefix("./")  # of `tar -czf x.tgz .`
                    yield Entry(name, info.size, _TarMember(archive, info).read)
                archive.members = []  # type: ignore[attr-defined]  # they would all be kept


class _TarMember(NamedTuple):
    archive: Any  # TarFile: imported where it's needed
    info: TarInfo

    def read(self) -> bytes:
        return _whole(Path(self.info.name), self.archive.extractfile(self.info), self.info.size)


class _Bounded:
    """A stream from which nothing is read that is larger than a header, at once."""

    def __init__(self, stream: BufferedIOBase) -> None:
        self._stream = stream
        self.seek, self.tell = stream.seek, stream.tell

    def read(self, size: int = -1) -> bytes:
        """Read; tarfile itself takes any header into memory."""
        if not 0 <= size <= _HEADER:
            raise EOFError(f"a header of {size} bytes")
        return self._stream.read(size)


def _whole(path: Path, file: SupportsRead[bytes], size: int) -> bytes:
    data = bytearray()
    while len(data) <= size and (block := file.read(_BLOCK)):
        data += block
    if len(data) != size:
        raise FormatError(path, 0, f"isn't as large as it should be ({size} bytes)")
    return bytes(data)


@contextmanager
def _damage(path: Path) -> Iterator[None]:
    """Turn what the libraries raise for a damaged archive into FormatError."""
    import tarfile
    import zipfile
    import zlib

    try:
        yield
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise FormatError(path, 0, f"is no whole archive: {error}") from error
    except (NotImplementedError, UnicodeError) as error:
        raise FormatError(path, 0, f"is an archive of another kind: {error}") from error
