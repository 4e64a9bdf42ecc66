"""What can be opened, how, and what is refused."""

from __future__ import annotations

import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from litemem.errors import FileTrouble, IndexDamaged, IndexReadOnly
from litemem.index.opening import PAGE_BYTES, make
from litemem.index.schema import TABLE_NAMES
from litemem.index.store import NO_MODEL, Index
from tests.index.made import FINGERPRINT, fact, facts, fill, source


def execute(path: Path, *statements: str) -> None:
    """Change a closed index behind its back."""
    db = apsw.Connection(str(path))
    for statement in statements:
        db.execute(statement).fetchall()
    db.close()


def filled(path: Path) -> Path:
    """Make an index with two facts."""
    with Index.open(path, FINGERPRINT) as index:
        index.put_source(source(), facts("m1", "m2"))
        fill(index)
    return path


def test_a_new_index_is_its_owners_alone(path: Path) -> None:
    with Index.open(path, FINGERPRINT) as index:
        index.put_source(source(), facts("m1"))
        modes = {
            file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.glob("index.db*")
        }

    assert modes == {"index.db": 0o600, "index.db-wal": 0o600, "index.db-shm": 0o600}


def test_a_closed_index_is_one_file(path: Path) -> None:
    filled(path)

    assert [file.name for file in path.parent.iterdir()] == ["index.db"]
    db = apsw.Connection(str(path))
    assert db.execute("pragma page_size").get == PAGE_BYTES
    assert db.execute("pragma auto_vacuum").get == 2  # incremental: it has a map of its pages
    assert db.execute("pragma journal_mode").get == "wal"


def test_an_index_is_opened_as_it_was_left(path: Path) -> None:
    with Index.open(filled(path), FINGERPRINT, create=False) as index:
        assert [one.doc.id for one in index.facts("default")] == ["m2", "m1"]
        assert index.fingerprint == FINGERPRINT
        assert index.path == path
        assert not index.read_only


def test_a_missing_index_is_only_made_if_asked(path: Path) -> None:
    with pytest.raises(IndexDamaged, match="is missing or empty"):
        Index.open(path, FINGERPRINT, create=False)
    with pytest.raises(IndexDamaged, match="is missing or empty"):
        Index.open(path, FINGERPRINT, read_only=True)
    assert not path.exists()


@pytest.mark.parametrize(
    "other",
    [
        {"model": "other"},
        {"dimension": 16},
        {"model_sha256": "ff" * 16},
        {"schema": 0},
        {"chunk_words": 7},
    ],
)
def test_an_index_made_with_another_thing_is_refused_by_its_name(
    path: Path, other: dict[str, Any]
) -> None:
    filled(path)
    ((name, value),) = other.items()
    known = getattr(FINGERPRINT, name)

    with pytest.raises(IndexDamaged, match=f"was made with {name} {known}, now {value}; run"):
        Index.open(path, replace(FINGERPRINT, **other))
    with Index.open(path, FINGERPRINT) as index:
        assert len(index.facts("default")) == 2


def test_without_a_model_any_index_will_do(path: Path, tmp_path: Path) -> None:
    with Index.open(filled(path), None) as index:
        assert index.fingerprint == FINGERPRINT
    with Index.open(tmp_path / "new.db", None) as index:
        index.put_source(source(), facts("m1"))

        assert index.fingerprint == NO_MODEL


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_an_index_without_all_its_tables_is_refused(path: Path, name: str) -> None:
    filled(path)
    execute(
        path,
        "pragma writable_schema=on",
        f"delete from sqlite_schema where name = '{name}'",
    )

    with pytest.raises(IndexDamaged):
        Index.open(path, FINGERPRINT)


@pytest.mark.parametrize("text", ["'no json'", "'[]'", "'{\"odd\": 1}'", "null", "x'00'"])
def test_an_index_that_does_not_say_what_made_it_is_refused(path: Path, text: str) -> None:
    execute(filled(path), f"update meta set value = {text} where key = 'fingerprint'")

    with pytest.raises(IndexDamaged, match="doesn't say"):
        Index.open(path, FINGERPRINT)


@pytest.mark.parametrize(
    "data", [b"no database" * 9999, b"SQLite format 3\0" + b"\xff" * 50_000, b"SQLite"]
)
def test_what_is_no_database_is_refused_and_left_alone(path: Path, data: bytes) -> None:
    path.write_bytes(data)

    with pytest.raises(IndexDamaged, match="is damaged"):
        Index.open(path, FINGERPRINT)
    assert path.read_bytes() == data


def test_a_file_cut_short_is_damaged_at_the_latest_when_read(path: Path) -> None:
    with Index.open(path, FINGERPRINT) as index:
        index.put_source(source(), [fact(f"m{n}", "x" * 999, minute=n) for n in range(999)])
    os.truncate(path, path.stat().st_size // 2)

    with pytest.raises(IndexDamaged), Index.open(path, FINGERPRINT) as index:
        index.facts("default")


@pytest.mark.parametrize("wal", [False, True])
def test_a_file_left_by_a_killed_maker_is_finished(path: Path, wal: bool) -> None:  # noqa: FBT001
    path.touch()
    if wal:
        execute(path, "pragma journal_mode=wal")

    with Index.open(path, FINGERPRINT) as index:
        index.put_source(source(), facts("m1"))


def test_a_file_that_another_one_is_making_is_waited_for(path: Path) -> None:
    other = apsw.Connection(str(path))
    other.execute("pragma page_size=16384").fetchall()
    other.execute("begin exclusive")
    with ThreadPoolExecutor(1) as threads:
        opened = threads.submit(Index.open, path, FINGERPRINT)
        time.sleep(0.1)
        other.execute("rollback")
        with opened.result() as index:
            assert index.facts("default") == []
    other.close()


def test_making_an_index_that_is_there_changes_nothing(path: Path) -> None:
    make(filled(path), FINGERPRINT)

    with Index.open(path, FINGERPRINT) as index:
        assert len(index.facts("default")) == 2


def test_a_folder_in_its_place_is_named(path: Path) -> None:
    path.mkdir()

    with pytest.raises(FileTrouble, match=r"index\.db"):
        Index.open(path, FINGERPRINT)


def test_a_missing_home_is_named(path: Path) -> None:
    with pytest.raises(FileTrouble, match="there is no such file or folder"):
        Index.open(path.parent / "nowhere" / "index.db", FINGERPRINT)


def test_a_reader_reads_and_refuses_to_write(path: Path) -> None:
    with Index.open(filled(path), FINGERPRINT, read_only=True) as index:
        assert len(index.facts("default")) == 2
        assert index.read_only
        with pytest.raises(IndexReadOnly, match="can't be written"):
            index.put_source(source(), [])


def test_a_reader_sees_what_others_write(path: Path) -> None:
    with (
        Index.open(filled(path), FINGERPRINT) as writer,
        Index.open(path, FINGERPRINT, read_only=True) as reader,
    ):
        writer.put_source(source("b.md"), [fact("m3")])

        assert len(reader.facts("default")) == 3


def test_an_index_is_read_where_no_log_can_be_made(path: Path) -> None:
    filled(path)
    # As on a read-only disk: SQLite can open neither of its two files beside it.
    path.with_name("index.db-wal").mkdir()
    path.with_name("index.db-shm").mkdir()

    with Index.open(path, FINGERPRINT, read_only=True) as index:
        assert len(index.facts("default")) == 2
        with index.reading() as db:
            assert db.execute("select count(*) from vec").get == 2
        with pytest.raises(IndexReadOnly):
            index.drop_source("memory/a.md")
