"""Write a tree of files into a new folder, zip or tar.gz archive: whole, or not at all."""

from __future__ import annotations

import glob
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Protocol

from litemem.errors import FileTrouble, InvalidValue
from litemem.files.folders import fsync_folder
from litemem.files.leftover import BINARY, create_beside, remove_tree, sweep
from litemem.files.trouble import translated

if TYPE_CHECKING:
    from tarfile import TarFile
    from zipfile import ZipFile

ZIP: Final = (".zip",)
TAR: Final = (".tar.gz", ".tgz")
_OTHER: Final = (".tar", ".gz", ".bz2", ".xz", ".zst", ".7z", ".rar")
_OLD_S: Final = 86_400  # no export takes longer, so a folder that is older is of a killed one
_STEM: Final = 32  # characters of a path's own name
_FIRST_YEAR: Final = 1980  # of a zip archive


class Packer(Protocol):
    """Something that takes files."""

    def add(self, name: str, data: bytes, mtime: float) -> None:
        """Add a file; its name is below the tree, with `/`."""
        ...


def check_target(path: Path, *, force: bool) -> None:
    """
    Raise where a tree can't be written to a path.

    InvalidValue: it's there already and not to be replaced, or is called like an archive of
    another kind; FileTrouble: the folder that it is to be in isn't there.
    """
    name = path.name.lower()
    if name.endswith(_OTHER) and not name.endswith(TAR):
        known = ", ".join((*ZIP, *TAR))
        raise InvalidValue(f"can't make {path}: an archive ends with {known}; else it's a folder")
    if not path.parent.is_dir():
        raise FileTrouble(f"can't write {path}: there is no folder {path.parent}; make it first")
    if os.path.lexists(path) and not force:
        raise InvalidValue(f"{path} is there already; name another, or replace it with --force")


@contextmanager
def packing(path: Path, *, force: bool = False) -> Iterator[Packer]:
    """
    Build a tree beside its path, and give it the path when the body is done.

    After an error or a kill nothing stands at the path that wasn't there before. Raises as
    `check_target`, and FileTrouble.
    """
    check_target(path, force=force)
    name = path.name.lower()
    with translated(path, "write"):
        if name.endswith((*ZIP, *TAR)):
            with _archive(path, is_zip=name.endswith(ZIP), force=force) as packer:
                yield packer
        else:
            with _folder(path, force=force) as packer:
                yield packer
        fsync_folder(path.parent)


@contextmanager
def _archive(path: Path, *, is_zip: bool, force: bool) -> Iterator[Packer]:
    fd, tmp = create_beside(path)
    try:
        with os.fdopen(fd, "wb") as file:
            with _zip(file) if is_zip else _tar(file) as packer:
                yield packer
            file.flush()
            os.fsync(fd)
            if os.name == "nt":  # pragma: no cover - Windows renames only closed files
                file.close()
            check_target(path, force=force)
            tmp.replace(path)
            sweep(path.parent)
    finally:
        tmp.unlink(missing_ok=True)


@contextmanager
def _zip(file: IO[bytes]) -> Iterator[Packer]:
    import zipfile

    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        yield _Zip(archive)


@contextmanager
def _tar(file: IO[bytes]) -> Iterator[Packer]:
    import tarfile

    with tarfile.open(fileobj=file, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        yield _Tar(archive)


class _Zip:
    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive

    def add(self, name: str, data: bytes, mtime: float) -> None:
        import zipfile

        at = time.gmtime(mtime)[:6]
        info = zipfile.ZipInfo(name, at if at[0] >= _FIRST_YEAR else (_FIRST_YEAR, 1, 1, 0, 0, 0))
        info.external_attr = 0o100600 << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self._archive.writestr(info, data)


class _Tar:
    def __init__(self, archive: TarFile) -> None:
        self._archive = archive

    def add(self, name: str, data: bytes, mtime: float) -> None:
        import io
        import tarfile

        info = tarfile.TarInfo(name)
        info.size, info.mtime, info.mode = len(data), int(mtime), 0o600
        self._archive.addfile(info, io.BytesIO(data))


class _Folder:
    def __init__(self, root: Path) -> None:
        self._root = root

    def add(self, name: str, data: bytes, mtime: float) -> None:
        path = self._root / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY
        with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.utime(path, (mtime, mtime))


@contextmanager
def _folder(path: Path, *, force: bool) -> Iterator[Packer]:
    _sweep(path)
    tmp = _beside(path)
    tmp.mkdir(mode=0o700)
    try:
        yield _Folder(tmp)
        for folder, _, _ in os.walk(tmp):
            fsync_folder(Path(folder))
        check_target(path, force=force)
        _put(tmp, path)
    finally:
        if tmp.exists():
            remove_tree(tmp)


def _put(new: Path, path: Path) -> None:
    """Give a folder its path; what stood there goes."""
    if not os.path.lexists(path):
        new.rename(path)
        return
    old = _beside(path)
    path.rename(old)
    try:
        new.rename(path)
    except OSError:
        old.rename(path)
        raise
    if old.is_dir() and not old.is_symlink():
        remove_tree(old)
    else:
        old.unlink()


def _beside(path: Path) -> Path:
    # Not as `leftover.beside` calls it: who sweeps a folder takes every folder of such a name.
    return path.with_name(f".{path.name[:_STEM]}.{os.urandom(6).hex()}.partial")


def _sweep(path: Path) -> None:
    """Remove what killed exports to this path left long ago."""
    for left in path.parent.glob(f".{glob.escape(path.name[:_STEM])}.*.partial"):
        if left.is_dir() and time.time() - left.stat().st_mtime > _OLD_S:
            remove_tree(left)
