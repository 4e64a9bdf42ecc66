"""Make an index file, or find out how one can be opened."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

import apsw

from litemem.errors import IndexDamaged
from litemem.files.trouble import translated as named
from litemem.index.connection import (
    Mode,
    connect,
    load_vectors,
    patiently,
    pragma,
    transaction,
)
from litemem.index.schema import TABLE_NAMES, TABLES, VECTOR_TABLE, VECTORS_PER_CHUNK, Fingerprint

PAGE_BYTES: Final = 16_384
FINGERPRINT: Final = "select value from meta where key = 'fingerprint'"


def look(
    path: Path, fingerprint: Fingerprint | None, *, read_only: bool
) -> tuple[Mode, Fingerprint] | None:
    """
    Find out how a file can be opened, and what it was made with; None where it's empty.

    Raises IndexDamaged where it isn't an index, or was made with other things.
    """
    with named(path, "read"):
        if not path.exists() or path.stat().st_size == 0:
            return None
    if not read_only and os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return _look_as(path, "write", fingerprint)
    try:
        return _look_as(path, "read-only", fingerprint)
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError):
        # No WAL can be made beside it. What an unfinished WAL holds isn't seen then: the files
        # differ from what the index says, and its user is told that it isn't current.
        return _look_as(path, "frozen", fingerprint)


def make(path: Path, fingerprint: Fingerprint, first_rowid: int = 1) -> None:
    """Create the file and its tables where there are none; several processes may do it at once."""
    make_file(path)
    db = connect(path, "write")
    try:
        pragma(db, f"page_size={PAGE_BYTES}")
        # For its map of pages alone: with it SQLite finds a place in a long value, such as a chunk
        # of vectors, without reading all pages before it: half as many reads a vector.
        pragma(db, "auto_vacuum=incremental")
        # Going into WAL mode needs the file alone for a moment.
        patiently(lambda: pragma(db, "journal_mode=wal"))
        load_vectors(db)
        with transaction(db):
            if _is_blank(db):
                _make_tables(db, fingerprint, first_rowid)
    finally:
        db.close()


def make_file(path: Path) -> None:
    """Create an empty file for its owner alone; SQLite gives the files beside it the same mode."""
    # Where it exists it isn't opened: closing a descriptor drops our connections' locks on it.
    with named(path, "write"), suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _look_as(
    path: Path, mode: Mode, fingerprint: Fingerprint | None
) -> tuple[Mode, Fingerprint] | None:
    db = connect(path, "read" if mode == "write" else mode)
    try:
        return None if _is_blank(db) else (mode, _check(db, path, fingerprint))
    finally:
        db.close()


def _is_blank(db: apsw.Connection) -> bool:
    """Say whether a file has no table at all: a process is just making it, or died at that."""
    return not db.execute("select count(*) from sqlite_schema").get


def _check(db: apsw.Connection, path: Path, expected: Fingerprint | None) -> Fingerprint:
    """Return the fingerprint of a file. Raises IndexDamaged where it's unlike the expected one."""
    marks = ",".join("?" * len(TABLE_NAMES))
    tables = f"select count(*) from sqlite_schema where name in ({marks})"  # noqa: S608  # marks
    if db.execute(tables, TABLE_NAMES).get != len(TABLE_NAMES):
        msg = f"{path} hasn't all tables of an index; run 'litemem index rebuild'"
        raise IndexDamaged(msg)
    text = db.execute(FINGERPRINT).get
    try:
        found = Fingerprint.from_text(text)
    except (ValueError, TypeError) as error:
        msg = f"{path} doesn't say what it was made with; run 'litemem index rebuild'"
        raise IndexDamaged(msg) from error
    if expected is not None and found != expected:
        msg = f"{path} was made with {found.unlike(expected)}; run 'litemem index rebuild'"
        raise IndexDamaged(msg)
    return found


def _make_tables(db: apsw.Connection, fingerprint: Fingerprint, first_rowid: int) -> None:
    db.execute(TABLES)
    db.execute(VECTOR_TABLE.format(dimension=fingerprint.dimension, chunk=VECTORS_PER_CHUNK))
    db.execute("insert into meta values('fingerprint', ?)", (fingerprint.as_text(),))
    db.execute("insert into sqlite_sequence(name, seq) values('doc', ?)", (first_rowid - 1,))
