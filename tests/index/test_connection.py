"""SQLite's errors become ours."""

from __future__ import annotations

import threading
from pathlib import Path

import apsw
import pytest

from litemem.errors import (
    FileTrouble,
    IndexBusy,
    IndexDamaged,
    IndexReadOnly,
    IndexTrouble,
    LitememError,
)
from litemem.index.connection import connect, patiently, transaction, translated
from litemem.index.opening import make_file


@pytest.mark.parametrize(
    ("error", "ours", "says"),
    [
        (apsw.BusyError("database is locked"), IndexBusy, "try again later"),
        (apsw.LockedError("table is locked"), IndexBusy, "try again later"),
        (apsw.CorruptError("malformed"), IndexDamaged, "litemem index rebuild"),
        (apsw.NotADBError("file is not a database"), IndexDamaged, "litemem index rebuild"),
        (apsw.SQLError("no such table: doc"), IndexDamaged, "litemem index rebuild"),
        (apsw.ReadOnlyError("readonly"), IndexReadOnly, "owner and permissions"),
        (apsw.PermissionsError("denied"), IndexReadOnly, "owner and permissions"),
        (apsw.FullError("database or disk is full"), FileTrouble, "free some space"),
        (apsw.CantOpenError("unable to open"), FileTrouble, "disk and folder"),
        (apsw.IOError("disk I/O error"), FileTrouble, "disk and folder"),
        (apsw.SQLError("near x: syntax error"), IndexTrouble, "syntax error"),
    ],
)
def test_an_error_names_the_file_and_the_way_out(
    error: apsw.Error, ours: type[LitememError], says: str
) -> None:
    with pytest.raises(ours, match=says) as raised, translated(Path("home/index.db")):
        raise error

    assert "index.db" in str(raised.value)
    assert raised.value.__cause__ is error
    assert "\n" not in str(raised.value)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a file system without any room")
def test_a_full_disk_is_named_also_where_sqlite_does_not() -> None:
    with (
        pytest.raises(FileTrouble, match="disk is full; free some space"),
        translated(Path("/proc/index.db")),
    ):
        raise apsw.IOError("disk I/O error")


def test_our_own_errors_stay_what_they_are() -> None:
    with pytest.raises(KeyError), translated(Path("index.db")):
        raise KeyError


def test_patience_ends(tmp_path: Path) -> None:
    one, other = (apsw.Connection(str(tmp_path / "index.db")) for _ in range(2))
    one.execute("begin exclusive")

    with pytest.raises(apsw.BusyError):
        patiently(lambda: other.execute("begin exclusive"), patience_ms=20)
    one.execute("rollback")
    patiently(lambda: other.execute("begin exclusive"), patience_ms=20)
    other.close()
    one.close()


def test_waiting_for_another_writer_holds_no_other_thread_up(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    make_file(path)
    one, other = connect(path, "write"), connect(path, "write")
    other.set_busy_timeout(500)
    ticks, done = 0, threading.Event()

    def wait() -> None:
        with pytest.raises(apsw.BusyError), transaction(other):
            pass
        done.set()

    with transaction(one):
        one.execute("create table t(x)")
        waiting = threading.Thread(target=wait)
        waiting.start()
        while not done.wait(0.005):
            ticks += 1
    waiting.join()
    one.close()
    other.close()

    assert ticks > 20
