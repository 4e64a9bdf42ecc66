"""What a process keeps of the rows' threads follows the file."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.index.docs import Doc
from litemem.index.store import Index
from litemem.index.threads import Threads
from tests.index.made import FINGERPRINT, fact, facts, source

THREADS = ("monday", "tuesday", "wednesday")
FILES = ("memory/a.md", "memory/b.md")

states = st.lists(
    st.tuples(
        st.sampled_from(FILES),
        st.lists(st.tuples(st.integers(0, 5), st.sampled_from(THREADS)), max_size=5),
    ),
    max_size=6,
)


def said(rows: Sequence[tuple[int, str]], file: str) -> list[Doc]:
    """Return facts, each of its own thread; the same number is the same text."""
    return [
        replace(fact(f"{file}{i}", f"text {n}", minute=i), thread=thread)
        for i, (n, thread) in enumerate(rows)
    ]


def stored(db: apsw.Connection) -> dict[int, int]:
    """Return the thread of each row, as the file has it."""
    return dict(db.execute("select rowid, thread from doc"))


def asked(db: apsw.Connection, threads: Threads) -> dict[int, int]:
    """Return the thread of each row, as it's kept."""
    rows = [*stored(db)]
    return dict(zip(rows, threads.of(db, rows), strict=True))


@given(states, st.booleans())
def test_a_row_has_the_thread_that_the_file_says(
    changes: list[tuple[str, list[tuple[int, str]]]],
    loaded: bool,  # noqa: FBT001
) -> None:
    threads = Threads()
    with TemporaryDirectory() as folder, Index.open(Path(folder, "i.db"), FINGERPRINT) as index:
        for file, rows in changes:
            index.put_source(source(file), said(rows, file))
            with index.reading(vectors=False) as db:
                if loaded:
                    threads.load(db)
                assert asked(db, threads) == stored(db)


def test_what_is_known_isnt_looked_up_again(index: Index) -> None:
    index.put_source(source(), facts("a", "b", "c"))
    threads, seen = Threads(), list[str]()

    with index.reading(vectors=False) as db:
        threads.load(db)
        db.set_profile(lambda sql, _: seen.append(sql))
        asked(db, threads)
        db.set_profile(None)

    assert not any("carray" in sql for sql in seen)


@pytest.mark.parametrize(("added", "times"), [(1, 1), (9, 2)])
def test_all_are_looked_up_again_where_many_came(index: Index, added: int, times: int) -> None:
    index.put_source(source(), facts(*"abcdefghij"))
    threads, seen = Threads(), list[str]()
    with index.reading(vectors=False) as db:
        threads.load(db)
    index.put_source(source(FILES[1]), facts(*(f"x{n}" for n in range(added))))

    with index.reading(vectors=False) as db:
        db.set_profile(lambda sql, _: seen.append(sql))
        for _ in range(times):
            threads.load(db)
        db.set_profile(None)
        assert asked(db, threads) == stored(db)

    assert sum("indexed by" in sql for sql in seen) == times - 1


def test_rows_of_high_numbers_take_no_more_memory(path: Path) -> None:
    first, threads = 10**15, Threads()
    with Index.open(path, FINGERPRINT, first_rowid=first) as index:
        index.put_source(source(), facts("a", "b"))

        with index.reading(vectors=False) as db:
            threads.load(db)
            assert asked(db, threads) == stored(db) == {first: 1, first + 1: 1}


@pytest.mark.parametrize("loaded", [True, False])
def test_a_row_that_isnt_there_has_none(path: Path, loaded: bool) -> None:  # noqa: FBT001
    threads = Threads()
    with Index.open(path, FINGERPRINT, first_rowid=7) as index:
        index.put_source(source(), facts("a", "b"))

        with index.reading(vectors=False) as db:
            if loaded:
                threads.load(db)
            assert threads.of(db, [6, 7, 8, 9, 99]) == [0, 1, 1, 0, 0]
            assert threads.of(db, []) == []


def test_an_empty_index_has_nothing_to_load(index: Index) -> None:
    threads = Threads()
    with index.reading(vectors=False) as db:
        threads.load(db)
    index.put_source(source(), facts("a"))

    with index.reading(vectors=False) as db:
        assert threads.of(db, [1]) == [1]


@pytest.mark.parametrize(
    "rows",
    [
        [(1, "tuesday"), (2, "monday")],  # one changes
        [(1, "monday"), (2, "monday"), (3, "tuesday")],  # one comes
    ],
)
def test_what_a_writer_takes_back_is_never_kept(index: Index, rows: list[tuple[int, str]]) -> None:
    index.put_source(source(), said([(1, "monday"), (2, "monday")], "a"))
    threads = Threads()
    with index.reading(vectors=False) as db:
        threads.load(db)

    def is_right() -> bool:
        with index.reading(vectors=False) as db:
            return asked(db, threads) == stored(db)

    with suppress(KeyError), index.transaction():
        index.put_source(source(), said(rows, "a"))
        assert is_right()
        raise KeyError
    index.put_source(source(), said([(1, "monday"), (2, "tuesday"), (3, "monday")], "a"))

    assert is_right()


def test_a_search_that_began_before_a_change_spoils_nothing(index: Index) -> None:
    index.put_source(source(), said([(1, "monday"), (2, "monday")], "a"))
    threads = Threads()

    with index.reading(vectors=False) as old:
        before = stored(old)
        index.put_source(source(), said([(1, "tuesday"), (2, "monday")], "a"))
        with Index.open(index.path, FINGERPRINT) as other, other.reading(vectors=False) as new:
            for _ in range(2):
                assert asked(old, threads) == before
                assert asked(new, threads) == stored(new) != before
                threads.load(new)


def test_another_file_is_asked_anew(index: Index, tmp_path: Path) -> None:
    threads = Threads()
    with Index.open(tmp_path / "other.db", FINGERPRINT) as other:
        index.put_source(source(), said([(1, "monday"), (2, "tuesday")], "a"))
        other.put_source(source(), said([(1, "monday"), (2, "monday")], "a"))
        with index.reading(vectors=False) as db:
            threads.load(db)
        for one in (index, other, index):
            with one.reading(vectors=False) as db:
                assert asked(db, threads) == stored(db)
