"""What a killed writer leaves behind, and how it's told from what a living one is working on."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from litemem.files.flock import is_at, try_lock

_NAME: Final = re.compile(r".*\.[0-9a-f]{12}\.tmp", re.DOTALL)
BINARY: Final = getattr(os, "O_BINARY", 0)  # Windows turns LF into CRLF without it
_STEM: Final = 32  # characters of the file's own name; the whole stays below 255 bytes


def beside(path: Path) -> Path:
    """Return a new name beside a file or folder, for the time of a change to it."""
    return path.with_name(f"{path.name[:_STEM]}.{os.urandom(6).hex()}.tmp")


def create_beside(path: Path) -> tuple[int, Path]:
    """Create a private file beside another one, safe from `sweep` as long as it's open."""
    while True:
        new = beside(path)
        fd = os.open(new, os.O_CREAT | os.O_EXCL | os.O_RDWR | BINARY, 0o600)
        if try_lock(fd) and is_at(fd, new):
            return fd, new
        os.close(fd)  # swept in the moment before it was locked


def is_leftover(name: str) -> bool:
    """Say whether a name is one that `beside` and `create_beside` give."""
    return _NAME.fullmatch(name) is not None


def sweep(folder: Path) -> int:
    """Remove what killed writers left in a folder, and count it; living writers keep theirs."""
    try:
        with os.scandir(folder) as found:
            names = [entry.name for entry in found if is_leftover(entry.name)]
    except OSError:
        return 0
    return sum(_swept(folder / name) for name in names)


def remove_tree(folder: Path) -> None:
    """Remove a folder with all that is in it, in no order that a reader could rely on."""
    import shutil  # 8 ms: it brings bz2 and lzma along

    shutil.rmtree(folder)


def _swept(path: Path) -> bool:
    try:
        if path.is_dir():
            remove_tree(path)
            return True
        fd = os.open(path, os.O_RDWR)
        try:
            is_dead = try_lock(fd)  # a living writer holds it
            if is_dead and os.name != "nt":  # Windows removes only closed files
                path.unlink()
        finally:
            os.close(fd)
        if is_dead:
            path.unlink(missing_ok=True)
    except OSError:
        return False  # somebody else's, or swept by another process meanwhile
    return is_dead
