"""The one place that opens the SQLite file and gives its errors a meaning."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import apsw

from litemem.errors import FileTrouble, IndexBusy, IndexDamaged, IndexReadOnly, IndexTrouble

Mode: TypeAlias = Literal["write", "read", "read-only", "frozen"]
"""read-only: the file can't be written. frozen: nor can its folder, so there can be no WAL."""

BUSY_MS: Final = 30_000
# Mapped pages make a look-up of a vector 4 us instead of 12, and count as the process's memory
# until the kernel takes them back. Of 100,000 rows of 384 dimensions 40 % fit in: a search takes
# 1 ms longer than with all of them, and the process stays 105 MB smaller.
MMAP_BYTES: Final = 80 << 20
LEAST_FREE: Final = 1 << 16  # bytes; the file of a WAL's index takes half of it at least
LOG_BYTES: Final = 1 << 24  # what the write-ahead log is cut to after a checkpoint

_DAMAGED: Final = ("no such table", "no such column", "no such module", "malformed")


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors in the body into ours, which name the file and the way out."""
    try:
        yield
    except apsw.Error as error:
        raise _meaning(path, error) from error


def connect(path: Path, mode: Mode) -> apsw.Connection:
    """Open a connection; `write` is the one that changes rows. Raises apsw.Error."""
    flags = apsw.SQLITE_OPEN_READWRITE
    name = str(path)
    if mode == "read-only":
        flags = apsw.SQLITE_OPEN_READONLY
    elif mode == "frozen":
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        name = f"{path.absolute().as_uri()}?immutable=1"
    db = apsw.Connection(name, flags=flags)
    db.set_busy_timeout(BUSY_MS)
    pragma(db, "temp_store=memory")
    if mode == "write":
        pragma(db, "synchronous=normal")  # the source files are the durable part
        pragma(db, "secure_delete=on")
        pragma(db, f"journal_size_limit={LOG_BYTES}")
    else:
        pragma(db, "query_only=on")
    return db


def load_vectors(db: apsw.Connection) -> None:
    """Make the vector table usable on a connection (0.2 ms)."""
    # Whoever scans vectors reads much of the file. A search for words reads little of it, and
    # mapped pages count as its memory: with 13,000 facts 31 MB instead of 26.
    pragma(db, f"mmap_size={MMAP_BYTES}")
    db.enable_load_extension(True)
    db.load_extension(_extension())
    db.enable_load_extension(False)


def fetch(db: apsw.Connection, sql: str, bindings: apsw.Bindings | None = None) -> list[Any]:
    """Return all rows of a query (Any: what SQLite holds)."""
    return db.execute(sql, bindings).fetchall()


def pragma(db: apsw.Connection, text: str) -> None:
    """Set something; one statement a call, read to its end: SQLite stops at the first row."""
    db.execute(f"pragma {text}").fetchall()


@contextmanager
def transaction(db: apsw.Connection, *, nested: bool = False) -> Iterator[None]:
    """
    Run the body in a transaction of its own, or inside the open one; an error undoes the body.

    Not apsw's own: it holds the GIL while it waits for another connection, so that every thread
    stands still; and where a full disk made SQLite roll back, it hides the error by another one.
    """
    begin, end, undo = (
        ("savepoint inner", "release inner", "rollback to inner; release inner")
        if nested
        else ("begin immediate", "commit", "rollback")
    )
    db.execute(begin)
    try:
        yield
        db.execute(end)
    except BaseException:
        if db.in_transaction:
            db.execute(undo)
        raise


def patiently(work: Callable[[], object], patience_ms: int = BUSY_MS) -> None:
    """Repeat what doesn't wait for other connections by itself. Raises apsw.Error in the end."""
    deadline = time.monotonic() + patience_ms / 1000
    while True:
        try:
            work()
        except (apsw.BusyError, apsw.LockedError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)
        else:
            return


@cache
def _extension() -> str:
    from importlib.util import find_spec

    # "import sqlite_vec" pulls in numpy.typing (0.3 s), so only its folder is asked for.
    spec = find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:  # pragma: no cover  (half installed)
        msg = "the package sqlite-vec isn't installed; install litemem again"
        raise IndexTrouble(msg)
    return str(Path(spec.submodule_search_locations[0]) / "vec0")


def _meaning(path: Path, error: apsw.Error) -> Exception:
    damaged = any(sign in str(error) for sign in _DAMAGED)
    match error:
        case apsw.BusyError() | apsw.LockedError():
            found: Exception = IndexBusy(f"{path} is locked by another process; try again later")
        case apsw.ReadOnlyError() | apsw.PermissionsError():
            found = IndexReadOnly(f"{path} can't be written; check its owner and permissions")
        case apsw.IOError() if _is_full(path):
            # Even a search makes a small file beside the index where no process has it open.
            found = FileTrouble(f"can't open {path}: the disk is full; free some space")
        case apsw.FullError():
            found = FileTrouble(f"can't write {path}: the disk is full; free some space")
        case apsw.CantOpenError() | apsw.IOError():
            found = FileTrouble(f"can't read or write {path}: {error}; check disk and folder")
        case _ if damaged or isinstance(error, apsw.CorruptError | apsw.NotADBError):
            found = IndexDamaged(f"{path} is damaged ({error}); run 'litemem index rebuild'")
        case _:
            found = IndexTrouble(f"{path}: {error}")
    return found


def _is_full(path: Path) -> bool:
    free = free_bytes(path)
    return free is not None and free < LEAST_FREE


def free_bytes(path: Path) -> int | None:
    """Return how much room there is beside a file; None where it can't be told."""
    from shutil import disk_usage  # 8 ms: it brings bz2 and lzma along

    try:
        return disk_usage(path.parent).free
    except OSError:
        return None
