"""What a write costs depends on what it changes, not on what is there."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from litemem.errors import FileTrouble
from litemem.index.scan import embeddings
from litemem.index.store import Index
from tests.index.made import FINGERPRINT, fact, fill, source, vector


def steps(index: Index, work: Callable[[], object]) -> int:
    """Return how many hundreds of SQLite's instructions the writer needs for some work."""
    count = 0

    def note() -> bool:
        nonlocal count
        count += 1
        return False

    with index._pool.writing() as db:
        db.set_progress_handler(note, 100)
        work()
        db.set_progress_handler(None)
    return count


def test_one_more_fact_costs_the_same_in_a_full_index_and_a_long_log(index: Index) -> None:
    def remember(n: int) -> int:
        new = fact(f"new-{n}", minute=10_000 + n)
        given = {0: vector(new.text)}
        return steps(index, lambda: index.extend_source(source(), [new], given))

    index.put_source(source(), [fact(f"m{i}", minute=i) for i in range(50)])
    fill(index)
    few = sorted(remember(n) for n in range(5))[2]
    index.extend_source(source(), [fact(f"n{i}", minute=i) for i in range(4000)])
    fill(index)
    many = sorted(remember(n) for n in range(5, 10))[2]

    assert many <= 1.5 * few


READS = Path("/proc/self/io")


@pytest.mark.skipif(not READS.exists(), reason="Linux alone counts the reads of a process")
def test_a_vector_is_found_without_reading_those_before_it(tmp_path: Path) -> None:
    def reads() -> int:
        [line] = [one for one in READS.read_text().split("\n") if one.startswith("syscr")]
        return int(line.split()[1])

    wide = replace(FINGERPRINT, dimension=384)
    with Index.open(tmp_path / "index.db", wide) as index:
        docs = [fact(f"m{n}", minute=n) for n in range(3000)]
        given = {n: vector(doc.text, 384) for n, doc in enumerate(docs)}
        index.extend_source(source(), docs, given)
        with index.reading() as db:
            db.execute("pragma mmap_size = 0").fetchall()
            wanted = random.Random(3).sample(range(1, 3001), 200)
            before = reads()
            found = [embeddings(db, [rowid]) for rowid in wanted]
            took = reads() - before

    assert sum(map(len, found)) == 200
    assert took <= 300  # 176; without SQLite's map of pages 435


def test_one_changed_line_costs_one_row(index: Index) -> None:
    def changes(n: int) -> int:
        path = f"{n}.md"
        docs = [fact(f"{n}-{i}", minute=i) for i in range(n)]
        index.put_source(source(path), docs)
        fill(index)
        docs[n // 2] = replace(docs[n // 2], text=f"changed {n}")
        with index._pool.writing() as db:
            before = db.total_changes()
            index.put_source(source(path), docs)
            return db.total_changes() - before

    assert changes(1000) <= changes(10) + 2  # FTS5 keeps its own books


def test_a_file_that_says_the_same_costs_only_its_own_row(index: Index) -> None:
    docs = [fact(f"m{i}", minute=i) for i in range(500)]
    index.put_source(source(), docs)

    with index._pool.writing() as db:
        before = db.total_changes()
        index.put_source(source(), docs)
        assert db.total_changes() - before == 1


@pytest.mark.parametrize("inside", [False, True])
def test_a_full_disk_is_named_and_leaves_the_index_whole(index: Index, inside: bool) -> None:  # noqa: FBT001
    index.put_source(source("a.md"), [fact("m1")])
    big = [fact(f"b{n}", "x" * 9_999, minute=n) for n in range(99)]
    with index._pool.writing() as db:
        limit = db.execute("pragma page_count").get
    db.execute(f"pragma max_page_count={limit + 9}").fetchall()

    def write() -> None:
        if inside:
            with index.transaction():
                index.put_source(source("b.md"), big)
        else:
            index.put_source(source("b.md"), big)

    with pytest.raises(FileTrouble, match="the disk is full"):
        write()
    db.execute("pragma max_page_count=1000000").fetchall()
    index.put_source(source("c.md"), [fact("m2", minute=1)])
    assert list(index.sources()) == ["a.md", "c.md"]
    with index.reading() as reader:
        assert reader.execute("pragma integrity_check").get == "ok"
