"""What tells that a file changed: its size and times, and in doubt a digest of its blocks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from litemem.errors import FileTrouble
from litemem.files.trouble import translated

BLOCK: Final = 1 << 16
_DIGEST: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class FileState:
    """What the system says about a file without reading it."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


def state_of(path: Path) -> FileState | None:
    """Return a file's state, or None where there is no such file. Raises FileTrouble."""
    with translated(path, "read"):
        return _state_of(path)


def _state_of(path: Path) -> FileState | None:
    try:
        stat = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return FileState(
        size=stat.st_size,
        mtime_ns=stat.st_mtime_ns,
        ctime_ns=stat.st_ctime_ns,
        inode=stat.st_ino,
    )


def digests(data: bytes) -> bytes:
    """Return the sha256 of each 64 KiB of the data (the last block may be shorter), joined."""
    from hashlib import sha256  # 3 ms that a command which finds nothing changed needn't pay

    view = memoryview(data)
    blocks = (view[start : start + BLOCK] for start in range(0, len(data), BLOCK))
    return b"".join(sha256(block).digest() for block in blocks)


def extend_digests(old: bytes, old_size: int, path: Path, new_size: int) -> bytes:
    """
    Return the digests of a file that grew from `old_size` to `new_size` bytes.

    Only what follows the last whole old block is read. Raises FileTrouble: the file is shorter
    than `new_size`, so it changed meanwhile.
    """
    whole = min(old_size, new_size) // BLOCK
    start = whole * BLOCK
    with translated(path, "read"), path.open("rb") as file:
        file.seek(start)
        data = file.read(new_size - start)
    if len(data) != new_size - start:
        msg = f"{path} got shorter while it was read; try again"
        raise FileTrouble(msg)
    return old[: whole * _DIGEST] + digests(data)
