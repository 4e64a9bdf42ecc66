"""Crash-safe writes: after a kill or a full disk a file holds its old text or its new one."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from litemem.errors import ReadOnly
from litemem.files.flock import try_lock
from litemem.files.trouble import translated

_BINARY: Final = getattr(os, "O_BINARY", 0)  # Windows turns LF into CRLF without it
_TMP_NAME: Final = re.compile(r".*\.[0-9a-f]{12}\.tmp", re.DOTALL)
_TMP_STEM: Final = 32  # characters of the file's own name; the whole stays below 255 bytes


def make_folder(path: Path) -> None:
    """Make a folder and the missing ones above it, 0700, durably. Raises FileTrouble."""
    with translated(path, "write"):
        _make_folder(path)


def replace_file(path: Path, data: bytes) -> None:
    """
    Give a file new content atomically and durably: every reader sees the old or the new one.

    A symbolic link is followed. An existing file keeps its permissions, a new one gets 0600;
    missing folders are made. On an error the old file stays.

    Raises:
        ReadOnly: the folder or the file itself is write-protected.
        FileTrouble: the disk is full, or another trouble of the system.
    """
    with translated(path, "write"):
        target = _followed(path)
        _make_folder(target.parent)
        old = _old_state(target)
        tmp = _tmp_beside(target)
        fd = os.open(tmp, os.O_CREAT | os.O_EXCL | os.O_RDWR | _BINARY, 0o600)
        try:
            with os.fdopen(fd, "wb", buffering=0) as file:
                try_lock(fd)  # says to `sweep` that the writer is alive
                if old is not None:
                    _take_over(fd, tmp, old)
                _write_all(fd, data)
                os.fsync(fd)
                if os.name == "nt":  # pragma: no cover - Windows renames only closed files
                    file.close()
                tmp.replace(target)
        finally:
            tmp.unlink(missing_ok=True)
        _fsync_folder(target.parent)


def append(path: Path, data: bytes, *, fsync: bool = True) -> int:
    """
    Add bytes at the end of a file, and return the offset where they start.

    A last line without its end gets one first. When writing fails, the file is cut back to what it
    was. A missing file is made (0600), and its folders. The caller holds the lock of the file:
    a system may tear large writes of several processes apart.

    Raises FileTrouble: the disk is full; ReadOnly: the file or its folder is write-protected.
    """
    with translated(path, "write"):
        fd, is_new = _open_to_append(path)
        try:
            size = os.fstat(fd).st_size
            gap = b"" if _ends_whole(fd, size) else b"\n"
            try:
                _write_all(fd, gap + data)
                if fsync:
                    os.fsync(fd)
            except BaseException:
                _cut_back(fd, size)
                raise
        finally:
            os.close(fd)
        if is_new and fsync:
            _fsync_folder(path.parent)
        return size + len(gap)


def remove_file(path: Path) -> None:
    """Remove a file durably; nothing happens when it's gone. Of a link, only the link goes."""
    with translated(path, "remove"):
        try:
            path.unlink()
        except FileNotFoundError:
            return
        _fsync_folder(path.parent)


def remove_folder(path: Path) -> None:
    """Remove a folder with all that is in it: it's gone at once, or still whole."""
    with translated(path, "remove"):
        if path.is_symlink():
            path.unlink()
        elif path.exists():
            tmp = _tmp_beside(path)
            path.rename(tmp)
            _fsync_folder(path.parent)
            shutil.rmtree(tmp)
        else:
            return
        _fsync_folder(path.parent)


def sweep(folder: Path) -> int:
    """Remove what killed writers left in a folder, and count it; living writers keep theirs."""
    try:
        with os.scandir(folder) as found:
            names = [entry.name for entry in found if is_leftover(entry.name)]
    except OSError:
        return 0
    return sum(_swept(folder / name) for name in names)


def is_leftover(name: str) -> bool:
    """Say whether a name is one that `replace_file` and `remove_folder` use on their way."""
    return _TMP_NAME.fullmatch(name) is not None


def _swept(path: Path) -> bool:
    try:
        if path.is_dir():
            shutil.rmtree(path)
            return True
        fd = os.open(path, os.O_RDWR)
        try:
            is_dead = try_lock(fd)
        finally:
            os.close(fd)
        if is_dead:
            path.unlink()
    except OSError:
        return False
    return is_dead


def _followed(path: Path) -> Path:
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _tmp_beside(path: Path) -> Path:
    return path.with_name(f"{path.name[:_TMP_STEM]}.{secrets.token_hex(6)}.tmp")


def _make_folder(path: Path) -> None:
    if path.is_dir():
        return
    if path.parent != path:
        _make_folder(path.parent)
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        if not path.is_dir():
            raise
    _fsync_folder(path.parent)


def _old_state(target: Path) -> os.stat_result | None:
    try:
        state = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(state.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    # A rename would go around the protection that a person gave this one file.
    if not os.access(target, os.W_OK):
        msg = f"can't write {target}: the file is write-protected; allow writing it"
        raise ReadOnly(msg)
    return state


def _take_over(fd: int, tmp: Path, old: os.stat_result) -> None:
    """Give a new file the owner and the permissions of the one that it'll replace."""
    if hasattr(os, "fchown"):
        new = os.fstat(fd)
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            with suppress(PermissionError):
                os.fchown(fd, old.st_uid, old.st_gid)
    tmp.chmod(stat.S_IMODE(old.st_mode))


def _open_to_append(path: Path) -> tuple[int, bool]:
    flags = os.O_RDWR | os.O_APPEND | _BINARY
    try:
        return os.open(path, flags), False
    except FileNotFoundError:
        _make_folder(path.parent)
        return os.open(path, flags | os.O_CREAT, 0o600), True


def _ends_whole(fd: int, size: int) -> bool:
    if size == 0:
        return True
    os.lseek(fd, size - 1, os.SEEK_SET)
    return os.read(fd, 1) == b"\n"


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _cut_back(fd: int, size: int) -> None:
    with suppress(OSError):
        os.ftruncate(fd, size)
        os.fsync(fd)


def _fsync_folder(folder: Path) -> None:
    if os.name == "nt":  # pragma: no cover - Windows can't open folders
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network file systems refuse; the file itself is synced
            os.fsync(fd)
    finally:
        os.close(fd)
