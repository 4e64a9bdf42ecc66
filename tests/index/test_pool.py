"""Threads share one index: readers wait for nobody, and everybody sees whole states."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from litemem.errors import IndexBusy, IndexDamaged, IndexTrouble
from litemem.index.store import Index
from tests.index.made import FINGERPRINT, fact, facts, fill, source, vector


@contextmanager
def writing(index: Index) -> Iterator[None]:
    """Keep a transaction of another thread open, in which a fact was written."""
    begun, done = threading.Event(), threading.Event()

    def run() -> None:
        with index.transaction():
            index.put_source(source("b.md"), [fact("new")])
            begun.set()
            done.wait(20)

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait(20)
    try:
        yield
    finally:
        done.set()
        thread.join()


def test_readers_do_not_wait_for_a_writer(index: Index) -> None:
    index.put_source(source("a.md"), facts("old"))

    with writing(index):
        assert [one.doc.id for one in index.facts("default")] == ["old"]
    assert len(index.facts("default")) == 2


def test_a_thread_reads_what_it_has_written(index: Index) -> None:
    with index.transaction():
        index.put_source(source(), facts("m1"))

        assert index.find("default", "m1") is not None
        with index.reading() as db:
            assert db.execute("select count(*) from vec").get == 0


def test_who_reads_alone_uses_one_connection_whoever_else_did(index: Index) -> None:
    one, other = index.reading(), index.reading()
    first, second = one.__enter__(), other.__enter__()
    one.__exit__(None, None, None)
    other.__exit__(None, None, None)  # given back last
    assert first is not second

    for _ in range(3):
        with index.reading() as alone:
            assert alone is first  # so that only one of them maps the file into memory


def test_a_reader_sees_one_state_throughout(index: Index) -> None:
    index.put_source(source(), facts("m1"))

    with index.reading() as db:
        before = db.execute("select count(*) from doc").get
        with ThreadPoolExecutor(1) as other:
            other.submit(index.put_source, source(), facts("m1", "m2")).result()
        after = db.execute("select count(*) from doc").get

    assert (before, after) == (1, 1)
    assert len(index.facts("default")) == 2


def test_a_reader_cannot_write(index: Index) -> None:
    with pytest.raises(IndexTrouble), index.reading() as db:
        db.execute("delete from doc")


def test_an_error_of_a_reader_costs_its_connection_alone(index: Index) -> None:
    with pytest.raises(IndexTrouble, match="syntax error"), index.reading() as db:
        db.execute("nonsense")

    assert index.facts("default") == []


def test_another_process_that_writes_all_the_time_is_waited_for_in_vain(
    index: Index, path: Path
) -> None:
    with (
        Index.open(path, FINGERPRINT) as other,
        writing(other),
        pytest.raises(IndexBusy),
        index._pool.writing(patience_ms=50),
    ):
        pass
    index.put_source(source(), facts("m1"))


def test_another_thread_that_writes_all_the_time_is_waited_for_in_vain(index: Index) -> None:
    with (
        writing(index),
        pytest.raises(IndexBusy, match="another thread"),
        index._pool.writing(patience_ms=50),
    ):
        pass


def test_many_threads_read_and_write_at_once(index: Index) -> None:
    def work(n: int) -> int:
        path = f"{n}.md"
        for line in range(10):
            row = index.extend_source(source(path), [fact(f"m{n}-{line}", minute=line)])
            assert index.by_rowids(row)
            assert index.sources()[path].user == "default"
        return len(index.facts("default"))

    with ThreadPoolExecutor(8) as threads:
        seen = list(threads.map(work, range(8)))

    assert max(seen) == 80
    assert len(index.facts("default")) == 80


def test_a_closed_index_says_so(index: Index) -> None:
    index.close()
    index.close()

    with pytest.raises(IndexTrouble, match="is closed"):
        index.facts("default")
    with pytest.raises(IndexTrouble, match="is closed"):
        index.drop_source("a.md")


def test_a_reader_that_is_lent_out_survives_the_close(index: Index) -> None:
    with index.reading() as db:
        index.close()

        assert db.execute("select count(*) from doc").get == 0


def test_a_replaced_file_is_followed(index: Index, path: Path, tmp_path: Path) -> None:
    index.put_source(source(), facts("m1"))
    other = tmp_path / "other.db"
    with Index.open(other, FINGERPRINT) as made:
        made.put_source(source(), facts("m2", "m3"))
    for name in ("index.db-wal", "index.db-shm"):
        path.with_name(name).unlink()
    other.replace(path)

    assert [one.doc.id for one in index.facts("default")] == ["m3", "m2"]
    index.put_source(source(), facts("m4"))
    assert [one.doc.id for one in index.facts("default")] == ["m4"]


def test_a_deleted_file_is_missed(index: Index, path: Path) -> None:
    index.put_source(source(), facts("m1"))
    path.unlink()

    with pytest.raises(IndexDamaged, match="was deleted"):
        index.facts("default")
    with pytest.raises(IndexDamaged, match="was deleted"):
        index.put_source(source(), [])


def test_rows_of_another_model_are_refused(index: Index) -> None:
    with index._pool.writing() as db:
        other = replace(FINGERPRINT, model="other").as_text()
        db.execute("update meta set value = ? where key = 'fingerprint'", (other,))

    with pytest.raises(IndexDamaged, match="another model"):
        index.facts("default")
    with pytest.raises(IndexDamaged, match="another model"):
        index.put_source(source(), [])


def test_vectors_are_read_by_many_threads(index: Index) -> None:
    index.put_source(source(), [fact(f"m{n}", minute=n) for n in range(50)])
    fill(index)

    def nearest(n: int) -> int:
        sql = "select rowid from vec where embedding match ? and k = 1 and part = ?"
        with index.reading() as db:
            part = db.execute("select part from centre").get
            row = db.execute(sql, (vector(f"text of m{n}"), part)).get
        assert isinstance(row, int)
        return row

    with ThreadPoolExecutor(6) as threads:
        rows = list(threads.map(nearest, range(50)))

    assert [index.by_rowids([row])[row].doc.id for row in rows] == [f"m{n}" for n in range(50)]
