"""The one place that opens the SQLite file and gives its errors a meaning."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal, TypeAlias

import apsw

from litemem.errors import FileTrouble, IndexBusy, IndexDamaged, IndexReadOnly, IndexTrouble
from litemem.index.schema import TABLE_NAMES, TABLES, VECTOR_TABLE, VECTORS_PER_CHUNK, Fingerprint

Mode: TypeAlias = Literal["write", "read", "read-only", "frozen"]
"""read-only: the file can't be written. frozen: nor can its folder, so no WAL can be made."""

BUSY_MS: Final = 30_000
PAGE_BYTES: Final = 16_384  # a vector scan of 100,000 rows: 56 ms, with 4 KiB pages 75
MMAP_BYTES: Final = 1 << 34

_DAMAGED: Final = ("no such table", "no such column", "malformed", "no such module")
_SAME: Final = "select value from meta where key = 'fingerprint'"


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
    _pragma(db, f"mmap_size={MMAP_BYTES}")
    _pragma(db, "temp_store=memory")
    if mode == "write":
        db.transaction_mode = "IMMEDIATE"
        _pragma(db, "synchronous=normal")  # the files are the durable part
        _pragma(db, "secure_delete=on")
    else:
        _pragma(db, "query_only=on")
    return db


def load_vectors(db: apsw.Connection) -> None:
    """Make the vector table usable on a connection (0.2 ms)."""
    # "import sqlite_vec" pulls in numpy.typing (0.3 s), so only its folder is asked for.
    spec = find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        msg = "the package sqlite-vec isn't installed; install litemem again"
        raise IndexTrouble(msg)
    db.enable_load_extension(True)
    db.load_extension(str(Path(spec.submodule_search_locations[0]) / "vec0"))
    db.enable_load_extension(False)


def make(path: Path, fingerprint: Fingerprint, first_rowid: int = 1) -> None:
    """Create the file and its tables where they don't exist; several processes may do so at once."""
    make_file(path)
    db = connect(path, "write")
    try:
        _pragma(db, f"page_size={PAGE_BYTES}")
        _into_wal(db)
        load_vectors(db)
        with db:
            if not db.execute("select count(*) from sqlite_schema").get:
                _make_tables(db, fingerprint, first_rowid)
    finally:
        db.close()


def make_file(path: Path) -> None:
    """Create an empty file for its owner alone; SQLite gives the files beside it the same mode."""
    # Where it exists it isn't opened: closing a descriptor drops our connections' locks on it.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def check(db: apsw.Connection, path: Path, expected: Fingerprint | None) -> Fingerprint:
    """Return the fingerprint of a file. Raises IndexDamaged where it's unlike the expected one."""
    marks = ",".join("?" * len(TABLE_NAMES))
    tables = f"select count(*) from sqlite_schema where name in ({marks})"  # noqa: S608
    if db.execute(tables, TABLE_NAMES).get != len(TABLE_NAMES):
        msg = f"{path} has not all tables of an index; run 'litemem index rebuild'"
        raise IndexDamaged(msg)
    text = db.execute(_SAME).get
    try:
        found = Fingerprint.from_text(text)
    except (ValueError, TypeError) as error:
        msg = f"{path} doesn't say what it was made with; run 'litemem index rebuild'"
        raise IndexDamaged(msg) from error
    if expected is not None and found != expected:
        msg = f"{path} was made with {text}, not with {expected.as_text()}: it must be rebuilt"
        raise IndexDamaged(msg)
    return found


def _make_tables(db: apsw.Connection, fingerprint: Fingerprint, first_rowid: int) -> None:
    db.execute(TABLES)
    db.execute(VECTOR_TABLE.format(dimension=fingerprint.dimension, chunk=VECTORS_PER_CHUNK))
    db.execute("insert into meta values('fingerprint', ?)", (fingerprint.as_text(),))
    db.execute("insert into sqlite_sequence(name, seq) values('doc', ?)", (first_rowid - 1,))


def _into_wal(db: apsw.Connection) -> None:
    # Going into WAL mode needs the file alone for a moment, and doesn't wait for it by itself.
    deadline = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            _pragma(db, "journal_mode=wal")
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)
        else:
            return


def _pragma(db: apsw.Connection, text: str) -> None:
    # One statement a call, read to its end: SQLite stops at the first row otherwise.
    db.execute(f"pragma {text}").fetchall()


def _meaning(path: Path, error: apsw.Error) -> Exception:
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return IndexBusy(f"{path} is locked by another process; try again when it has finished")
        case apsw.CorruptError() | apsw.NotADBError():
            return IndexDamaged(f"{path} is damaged ({error}); run 'litemem index rebuild'")
        case apsw.SQLError() if any(sign in str(error) for sign in _DAMAGED):
            return IndexDamaged(f"{path} is damaged ({error}); run 'litemem index rebuild'")
        case apsw.ReadOnlyError() | apsw.PermissionsError():
            return IndexReadOnly(f"{path} can't be written; check its owner and permissions")
        case apsw.FullError():
            return FileTrouble(f"can't write {path}: the disk is full; free some space")
        case apsw.CantOpenError() | apsw.IOError():
            return FileTrouble(
                f"can't read or write {path}: {error}; check the disk and the folder"
            )
        case _:
            return IndexTrouble(f"{path}: {error}")
