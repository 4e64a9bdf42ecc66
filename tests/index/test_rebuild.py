"""A side index takes the place of the live one, whatever the live one is."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from litemem.errors import IndexBusy, IndexDamaged
from litemem.index.docs import Use
from litemem.index.rebuild import side_index, swap, sweep
from litemem.index.store import Index
from tests.index.made import DAY, FINGERPRINT, fact, facts, fill, source


def rebuilt(path: Path, *names: str) -> None:
    """Replace the index by one with these facts."""
    with side_index(path, FINGERPRINT) as side:
        side.put_source(source(), facts(*names))
        swap(path, side)


def names(index: Index) -> list[str]:
    """Return the ids of the facts."""
    return [one.doc.id for one in index.facts("default")]


def dead_pid() -> int:
    """Return the number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_open_connections_see_the_new_index(index: Index, path: Path) -> None:
    index.put_source(source(), facts("old"))
    fill(index)
    with Index.open(path, FINGERPRINT) as other:
        assert names(other) == ["old"]
        rebuilt(path, "new")

        assert names(index) == names(other) == ["new"]
        fill(other)
        index.put_source(source(), facts("new", "newer"))
        assert names(other) == ["newer", "new"]
        assert other.progress() == (1, 2)


def test_nothing_is_left_beside_the_index(index: Index, path: Path) -> None:
    rebuilt(path, "new")
    index.close()

    assert [file.name for file in path.parent.iterdir()] == ["index.db"]


def test_a_reader_keeps_its_state_during_a_swap(index: Index, path: Path) -> None:
    index.put_source(source(), facts("old"))

    with index.reading() as db:
        assert db.execute("select id from doc").get == "old"
        rebuilt(path, "new")
        assert db.execute("select id from doc").get == "old"
    assert names(index) == ["new"]


def test_a_smaller_index_makes_the_file_smaller(index: Index, path: Path) -> None:
    index.put_source(source(), [fact(f"m{n}", "x" * 999, minute=n) for n in range(2000)])
    index.scrub()
    before = path.stat().st_size

    rebuilt(path, "new")

    assert path.stat().st_size < before / 2


def test_numbers_of_rows_are_not_used_again_after_a_swap(index: Index, path: Path) -> None:
    (old,) = index.extend_source(source(), facts("m1"))
    pending = index.pending(9)
    rebuilt(path, "m1")

    assert index.facts("default")[0].rowid > old
    assert index.put_vectors([(row, None) for row, _ in pending]) == 0


def test_uses_survive_a_swap(index: Index, path: Path) -> None:
    index.record_use("default", ["m1"], DAY)

    rebuilt(path, "m1")

    assert index.use("default", ["m1"]) == {"m1": Use(n=1, last=DAY)}


@pytest.mark.parametrize(
    "data", [b"", b"no database" * 9999, b"SQLite format 3\0" + b"\xff" * 9999]
)
def test_what_is_no_index_is_replaced(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    path.with_name("index.db-wal").write_bytes(b"log of another file")

    rebuilt(path, "new")

    with Index.open(path, FINGERPRINT) as index:
        assert names(index) == ["new"]


def test_a_missing_index_is_made(path: Path) -> None:
    rebuilt(path, "new")

    with Index.open(path, FINGERPRINT) as index:
        assert names(index) == ["new"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_index_with_damaged_pages_is_replaced(path: Path) -> None:
    with Index.open(path, FINGERPRINT) as index:
        index.put_source(source(), [fact(f"m{n}", "x" * 999, minute=n) for n in range(999)])
    os.truncate(path, path.stat().st_size // 2)

    rebuilt(path, "new")

    with Index.open(path, FINGERPRINT) as index:
        assert names(index) == ["new"]
        with index.reading() as db:
            assert db.execute("pragma integrity_check").get == "ok"


def test_an_index_of_other_pages_is_replaced_and_followed(path: Path) -> None:
    db = apsw.Connection(str(path))
    for text in ("page_size=1024", "journal_mode=wal"):
        db.execute(f"pragma {text}").fetchall()
    db.close()
    with Index.open(path, FINGERPRINT) as index:
        index.put_source(source(), facts("old"))
        rebuilt(path, "new")

        assert names(index) == ["new"]


def test_an_index_of_another_model_is_replaced(index: Index, path: Path) -> None:
    index.put_source(source(), facts("m1"))
    other = replace(FINGERPRINT, dimension=16)
    with side_index(path, other) as side:
        side.put_source(source(), facts("m1", "m2"))
        swap(path, side)

    with pytest.raises(IndexDamaged, match="another model"):
        names(index)
    with Index.open(path, other) as new:
        assert names(new) == ["m2", "m1"]


def test_a_swap_waits_for_a_writer(index: Index, path: Path) -> None:
    def write(begun: threading.Event) -> None:
        with index.transaction():
            index.put_source(source(), facts("old"))
            begun.set()
            time.sleep(0.2)

    begun = threading.Event()
    with ThreadPoolExecutor(1) as threads:
        written = threads.submit(write, begun)
        begun.wait(20)
        rebuilt(path, "new")
        written.result()

    assert names(index) == ["new"]


def test_a_swap_gives_up_where_a_writer_does_not_end(index: Index, path: Path) -> None:
    with side_index(path, FINGERPRINT) as side, index.transaction(), pytest.raises(IndexBusy):
        swap(path, side, patience_ms=50)

    assert names(index) == []


def test_a_failed_rebuild_leaves_the_old_index_alone(index: Index, path: Path) -> None:
    index.put_source(source(), facts("old"))

    def fail() -> None:
        with side_index(path, FINGERPRINT):
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert names(index) == ["old"]
    assert not list(path.parent.glob("*rebuild*"))


def test_only_old_files_of_dead_rebuilds_are_swept(path: Path) -> None:
    dead, alive = dead_pid(), os.getpid()
    kept = [f"index.db.rebuild-{alive}-00000000", f"index.db.rebuild-{dead}-11111111", "index.db"]
    gone = [f"index.db.rebuild-{dead}-22222222{end}" for end in ("", "-wal", "-shm")]
    for name in (*kept, *gone):
        path.with_name(name).touch()
    for name in gone:
        os.utime(path.with_name(name), (0, 0))

    sweep(path)

    assert sorted(file.name for file in path.parent.iterdir()) == sorted(kept)


def test_a_file_of_pid_one_is_left_to_its_process(path: Path) -> None:
    kept = path.with_name("index.db.rebuild-1-00000000")
    kept.touch()
    os.utime(kept, (0, 0))

    sweep(path)

    assert kept.exists()
