"""Crash-safe writes: after a kill or a full disk a file holds its old text or its new one."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from litemem.errors import FileTrouble
from litemem.files.folders import fsync_folder, make_folder
from litemem.files.leftover import BINARY, create_beside, sweep
from litemem.files.trouble import translated

__all__ = ["append", "make_folder", "remove_file", "replace_file"]

# Linux looks for a kill between two pages of a write: 5 of 400 kills tore appends of 300 bytes,
# 35 of 400 those of 3,000, and none of them within a page.


def replace_file(path: Path, data: bytes) -> None:
    """
    Give a file new content atomically and durably: every reader sees the old or the new one.

    A symbolic link is followed. An existing file keeps its owner and permissions, a new one gets
    0600; missing folders are made. On an error the old file stays. What killed writers left in the
    folder goes: it may hold text that was forgotten since.

    Raises:
        ReadOnly: the folder or the file itself is write-protected.
        FileTrouble: the disk is full, or another trouble of the system.
    """
    with translated(path, "write"):
        target = _followed(path)
        make_folder(target.parent)
        old = _state_to_keep(target)
        fd, tmp = create_beside(target)
        try:
            with os.fdopen(fd, "wb", buffering=0) as file:
                if old is not None:
                    _take_over(fd, tmp, old)
                _write_all(fd, data)
                os.fsync(fd)
                if os.name == "nt":  # pragma: no cover - Windows renames only closed files
                    file.close()
                tmp.replace(target)
        finally:
            tmp.unlink(missing_ok=True)
        sweep(target.parent)
        fsync_folder(target.parent)


def append(path: Path, data: bytes, *, fsync: bool = True) -> int:
    """
    Add bytes at the end of a file, and return the offset where they start.

    A last line without its end gets one first. When writing fails, the file is cut back to what it
    was. A symbolic link is followed; a missing file is made (0600), and its folders. The caller
    holds the lock of the file: a system may tear large writes of several processes apart. A killed
    process can leave a torn line; `note.append_noted` doesn't.

    Args:
        path: the file.
        data: whole lines.
        fsync: make it durable before returning.

    Raises:
        ReadOnly: the file or its folder is write-protected.
        FileTrouble: the disk is full, or another trouble of the system.
    """
    with translated(path, "write"):
        target = _followed(path)
        fd, is_new = _open_to_append(target)
        try:
            size = os.fstat(fd).st_size
            gap = b"" if _ends_whole(fd, size) else b"\n"
            _write_or_cut_back(fd, gap + data, size, fsync=fsync)
        except BaseException:
            if is_new:
                target.unlink(missing_ok=True)
            raise
        finally:
            os.close(fd)
        if is_new and fsync:
            fsync_folder(target.parent)
        return size + len(gap)


def remove_file(path: Path) -> None:
    """
    Remove a file durably; nothing happens when it's gone. Of a symbolic link, only the link goes.

    Raises FileTrouble, or ReadOnly where the folder is write-protected.
    """
    with translated(path, "remove"):
        try:
            path.unlink()
        except FileNotFoundError:
            return
        fsync_folder(path.parent)


def _followed(path: Path) -> Path:
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _state_to_keep(target: Path) -> os.stat_result | None:
    try:
        state = target.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(state.st_mode):  # replacing /dev/null would harm the whole machine
        msg = f"can't write {target}: it is a folder or a device, not a file; move it away"
        raise FileTrouble(msg)
    # Fails where a person write-protected this one file: a rename would go around that.
    os.close(os.open(target, os.O_WRONLY))
    return state


def _take_over(fd: int, tmp: Path, old: os.stat_result) -> None:
    """Give a new file the owner and the permissions of the one that it'll replace."""
    with suppress(OSError):  # some file systems know neither; only root may give a file away
        if hasattr(os, "fchown"):
            os.fchown(fd, old.st_uid, old.st_gid)
    with suppress(OSError):
        tmp.chmod(stat.S_IMODE(old.st_mode))


def _open_to_append(path: Path) -> tuple[int, bool]:
    flags = os.O_RDWR | os.O_APPEND | BINARY
    try:
        return os.open(path, flags), False
    except FileNotFoundError:
        make_folder(path.parent)
        return os.open(path, flags | os.O_CREAT, 0o600), True


def _ends_whole(fd: int, size: int) -> bool:
    if size == 0:
        return True
    os.lseek(fd, size - 1, os.SEEK_SET)
    return os.read(fd, 1) == b"\n"


def _write_or_cut_back(fd: int, data: bytes, size: int, *, fsync: bool) -> None:
    try:
        _write_all(fd, data)
        if fsync:
            os.fsync(fd)
    except BaseException:
        with suppress(OSError):
            os.ftruncate(fd, size)
            os.fsync(fd)
        raise


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
