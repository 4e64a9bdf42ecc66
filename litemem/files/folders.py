"""Folders made and removed durably."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from litemem.files.leftover import beside, remove_tree
from litemem.files.trouble import translated


def make_folder(path: Path) -> None:
    """Make a folder and the missing ones above it, 0700, durably. Raises FileTrouble."""
    with translated(path, "write"):
        _make_folder(path)


def remove_folder(path: Path) -> None:
    """
    Remove a folder with all that is in it; nothing happens when it's gone.

    It loses its name first, so that after a kill it's there whole or not at all; `sweep` of the
    folder above removes the rest. Of a symbolic link, only the link goes. Raises FileTrouble.
    """
    with translated(path, "remove"):
        if path.is_symlink():
            path.unlink()
        elif path.exists():
            with os.scandir(path):  # a file isn't renamed
                gone = beside(path)
            path.rename(gone)
            fsync_folder(path.parent)
            remove_tree(gone)
        else:
            return
        fsync_folder(path.parent)


def fsync_folder(folder: Path) -> None:
    """Make durable which names are in a folder."""
    if os.name == "nt":  # pragma: no cover - Windows can't open folders
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network file systems refuse; the files are synced
            os.fsync(fd)
    finally:
        os.close(fd)


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
    fsync_folder(path.parent)
