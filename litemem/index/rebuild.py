"""A new index beside the old one, and the swap that all open connections survive."""

from __future__ import annotations

import logging
import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import apsw

from litemem.files.trouble import translated as named
from litemem.index.connection import BUSY_MS, connect, patiently, translated
from litemem.index.opening import make_file
from litemem.index.schema import Fingerprint
from litemem.index.store import Index

logger = logging.getLogger(__name__)

_TRUNCATE_MS: Final = 2_000
_ROOM: Final = 1_000_000  # numbers left to the rows that the old index gets meanwhile


@contextmanager
def side_index(live: Path, fingerprint: Fingerprint | None) -> Iterator[Index]:
    """
    Make an empty index beside the live one; it's removed afterwards.

    Its row numbers begin beyond those of the live index, so that what somebody holds of a row's
    number is never taken for another row after the swap.
    """
    sweep(live)
    path = live.with_name(f"{live.name}.rebuild-{os.getpid()}-{secrets.token_hex(4)}")
    side = Index.open(path, fingerprint, first_rowid=_last_rowid(live) + _ROOM)
    try:
        yield side
    finally:
        side.close()
        _remove(path)


def swap(live: Path, side: Index, *, patience_ms: int = BUSY_MS) -> None:
    """
    Replace the live index by the side one, which is closed.

    Connections of all processes see the old or the new one, never a mix. Raises IndexBusy when
    another one writes all through `patience_ms`.
    """
    side.copy_use(live)
    side.close()
    with translated(live):
        try:
            _copy_over(side.path, live, patience_ms)
        except (apsw.NotADBError, apsw.CorruptError, apsw.ReadOnlyError) as error:
            # No database, or one with other page sizes. Who has it open follows by its inode.
            logger.warning("%s is replaced as a file: %s", live, error)
            with named(live, "write"):
                _replace(side.path, live)


def sweep(live: Path, *, least_age_s: float = 600) -> None:
    """
    Remove the side files that rebuilds of dead processes left.

    A process of another container looks dead from here, so only files that nobody has written for
    `least_age_s` go.
    """
    for path in _of_the_dead(live):
        with suppress(OSError):  # another one sweeps, too; or it's open, where that keeps it
            if time.time() - path.stat().st_mtime >= least_age_s:
                path.unlink()


def abandoned(live: Path) -> list[Path]:
    """Return the side indexes that rebuilds of dead processes left."""
    return [path for path in _of_the_dead(live) if not path.name.endswith(("-wal", "-shm"))]


def _of_the_dead(live: Path) -> list[Path]:
    pattern = re.compile(re.escape(live.name) + r"\.rebuild-(\d+)-[0-9a-f]{8}(-wal|-shm)?")
    matches = ((path, pattern.fullmatch(path.name)) for path in sorted(live.parent.iterdir()))
    return [path for path, found in matches if found is not None and not _lives(int(found[1]))]


def _copy_over(side: Path, live: Path, patience_ms: int) -> None:
    make_file(live)
    source, target = connect(side, "read"), connect(live, "write")
    try:
        # Waited for in Python: a backup that waits inside SQLite can hold up our other threads.
        target.set_busy_timeout(0)
        with target.backup("main", source, "main") as backup:
            patiently(backup.step, patience_ms)
        target.set_busy_timeout(_TRUNCATE_MS)
        # A reader may be using the old rows still; a later checkpoint makes the log short then.
        with suppress(apsw.BusyError):
            target.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    finally:
        target.close()
        source.close()


def _replace(side: Path, live: Path) -> None:
    # The old log first: SQLite would play it back into the new file.
    for end in ("-wal", "-shm"):
        live.with_name(live.name + end).unlink(missing_ok=True)
    side.replace(live)


def _last_rowid(live: Path) -> int:
    try:
        db = connect(live, "read")
        try:
            return db.execute("select seq from sqlite_sequence where name = 'doc'").get or 0
        finally:
            db.close()
    except apsw.Error:
        return 0


def _remove(path: Path) -> None:
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)


def _lives(pid: int) -> bool:
    if os.name == "nt":  # pragma: no cover  (os.kill would end it; open files can't be removed)
        return False
    try:
        os.kill(pid, 0)
    except OSError as error:
        return not isinstance(error, ProcessLookupError)  # but it's another user's
    return True
