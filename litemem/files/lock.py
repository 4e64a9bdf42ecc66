"""Locks between threads and processes, freed by the system when their holder dies."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from litemem.errors import LockTimeout
from litemem.files.flock import is_at, try_lock, unlock
from litemem.files.folders import make_folder
from litemem.files.trouble import translated

FOLDER_LOCK: Final = ".lock"
"""The lock file in a folder of transcripts, sessions or states; who writes there holds it."""

_FIRST_PAUSE_S: Final = 0.0005
_LONGEST_PAUSE_S: Final = 0.01


@contextmanager
def locked(path: Path, *, timeout_s: float = 30.0) -> Iterator[None]:
    """
    Hold an exclusive lock while the body runs.

    It keeps out every other holder: processes, threads, and the same thread (it isn't re-entrant).
    The lock file is made where it's missing (0600, its folders 0700) and never deleted.

    Raises:
        LockTimeout: somebody else held it for `timeout_s` seconds.
        ReadOnly: the lock file can't be written.
        FileTrouble: it can't be made for another reason.
    """
    fd = _acquire(path, timeout_s)
    try:
        yield
    finally:
        unlock(fd)  # a forked child may hold a copy of fd, so that closing ours frees nothing
        os.close(fd)


def _acquire(path: Path, timeout_s: float) -> int:
    deadline = time.monotonic() + timeout_s
    pause_s = _FIRST_PAUSE_S
    while True:
        with translated(path, "lock"):
            fd = _try(path)
        if fd is not None:
            return fd
        left_s = deadline - time.monotonic()
        if left_s <= 0:
            msg = (
                f"{path} is held by another process or thread for more than {timeout_s:g} s; "
                "try again when it is done, or end it"
            )
            raise LockTimeout(msg)
        time.sleep(min(pause_s, left_s))
        pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)


def _try(path: Path) -> int | None:
    make_folder(path.parent)
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    held = False
    try:
        held = try_lock(fd) and is_at(fd, path)  # a person may delete lock files
    finally:
        if not held:
            os.close(fd)
    return fd if held else None
