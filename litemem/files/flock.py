"""The one place that knows how a system locks an open file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform == "win32":  # pragma: no cover - Windows
    import errno
    import msvcrt

    def try_lock(fd: int) -> bool:
        """Lock an open file against every other opening of it; say whether that worked."""
        os.lseek(fd, 0, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EDEADLK):
                return False
            raise
        return True

    def unlock(fd: int) -> None:
        """Give up the lock of an open file."""
        os.lseek(fd, 0, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def try_lock(fd: int) -> bool:
        """Lock an open file against every other opening of it; say whether that worked."""
        # flock, not lockf: POSIX record locks are the process's, so that two threads would both
        # get one, and closing any descriptor of the file would drop it.
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(fd: int) -> None:
        """Give up the lock of an open file."""
        fcntl.flock(fd, fcntl.LOCK_UN)


def is_at(fd: int, path: Path) -> bool:
    """Say whether an open file still has its name; it may have lost it before it was locked."""
    try:
        return os.path.samestat(os.fstat(fd), path.stat())
    except FileNotFoundError:
        return False
