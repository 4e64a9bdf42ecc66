"""System errors into FileTrouble and ReadOnly: which file, what's wrong, and the way out."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from litemem.errors import FileTrouble, ReadOnly

Verb = Literal["read", "write", "remove", "lock"]

_DENIED: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_REASONS: Final = {
    errno.ENOENT: "there is no such file or folder",
    errno.ENOTDIR: "a part of its path is a file, not a folder; move that file away",
    errno.EEXIST: "a file stands where a folder is needed; move that file away",
    errno.EISDIR: "it is a folder, not a file; move that folder away",
    errno.ENOSPC: "the disk is full; free some space and try again",
    errno.EDQUOT: "your disk quota is used up; free some space and try again",
    errno.EFBIG: "it would be larger than this system allows; raise the limit (ulimit -f)",
    errno.ENAMETOOLONG: "its path is too long; move the home to a shorter path",
    errno.EMFILE: "too many files are open; close some or raise the limit (ulimit -n)",
    errno.ELOOP: "its symbolic links lead in a circle; remove one of them",
    errno.ENOLCK: "its file system can't lock files; move the home to a local disk",
    errno.EROFS: "the file system is read-only; use a home that can be written",
}


@contextmanager
def translated(path: Path, verb: Verb) -> Iterator[None]:
    """
    Turn an OSError of the body into FileTrouble, or ReadOnly where writing is denied.

    The error keeps `errno`, so that a caller can tell a missing file (ENOENT) from others.
    """
    try:
        yield
    except FileTrouble:
        raise
    except OSError as error:
        raise _trouble(path, verb, error) from error


def _trouble(path: Path, verb: Verb, error: OSError) -> FileTrouble:
    denied = error.errno in _DENIED
    kind = ReadOnly if denied and verb != "read" else FileTrouble
    fallback = f"permission denied; check who may {verb} it" if denied else error.strerror or "?"
    # A file name may hold bytes that aren't UTF-8; a message must be printable.
    shown = str(path).encode("utf-8", "replace").decode()
    trouble = kind(f"can't {verb} {shown}: {_REASONS.get(error.errno or 0, fallback)}")
    trouble.errno = error.errno
    return trouble
