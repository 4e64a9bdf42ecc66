"""How often facts were recalled."""

from __future__ import annotations

import logging
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from litemem.index.docs import Use
from litemem.index.store import Index
from tests.index.made import DAY, FINGERPRINT


def test_uses_are_counted_with_the_last_time(index: Index) -> None:
    later = DAY + timedelta(hours=1)
    index.record_use("default", ["m1", "m2"], later)
    index.record_use("default", ["m1"], DAY)

    assert index.use("default", ["m1", "m2", "m3"]) == {
        "m1": Use(n=2, last=later),
        "m2": Use(n=1, last=later),
    }
    assert index.use("u", ["m1"]) == {}
    assert index.use("default", []) == {}


def test_uses_are_left_out_where_the_index_is_busy(index: Index) -> None:
    begun, done = threading.Event(), threading.Event()

    def write() -> None:
        with index.transaction():
            begun.set()
            done.wait(10)

    writer = threading.Thread(target=write)
    writer.start()
    begun.wait(10)
    index.record_use("default", ["m1"], DAY)
    done.set()
    writer.join()

    assert index.use("default", ["m1"]) == {}


def test_uses_are_left_out_where_the_index_is_read_only(index: Index, path: Path) -> None:
    with Index.open(path, FINGERPRINT, read_only=True) as reader:
        reader.record_use("default", ["m1"], DAY)

        assert reader.use("default", ["m1"]) == {}


def test_uses_are_taken_over_from_an_old_index(index: Index, path: Path) -> None:
    index.record_use("default", ["m1"], DAY)
    with Index.open(path.with_name("new.db"), FINGERPRINT) as new:
        new.copy_use(path)

        assert new.use("default", ["m1"]) == {"m1": Use(n=1, last=DAY)}


def test_uses_of_a_damaged_index_are_lost(
    path: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.write_bytes(b"no database" * 1000)
    with caplog.at_level(logging.INFO), Index.open(tmp_path / "new.db", FINGERPRINT) as new:
        new.copy_use(path)

        assert new.use("default", ["m1"]) == {}
    assert "can't be taken over" in caplog.text
