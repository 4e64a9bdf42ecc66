"""What a process keeps of the vectors follows the file."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.errors import IndexTrouble
from litemem.index import scan
from litemem.index.docs import Doc
from litemem.index.filters import resolve
from litemem.index.planes import Exact, Planes
from litemem.index.rebuild import side_index, swap
from litemem.index.scanner import LEAST_ROWS, PATIENCE, Scanner
from litemem.index.store import Index
from litemem.types import Scope
from tests.index.made import FINGERPRINT, fact, facts, fill, source, vector

QUERY = vector("query")
FILES = ("memory/a.md", "memory/b.md")


def load(index: Index) -> None:
    """Keep the vectors of the default user's facts from now on."""
    with index.reading() as db:
        rows = resolve(db, Scope())
    assert rows is not None
    index.scanner.load(rows.parts)


def both(index: Index, k: int = 5, scope: Scope | None = None) -> tuple[list[str], list[str]]:
    """Return the ids of the nearest rows: of those kept, and of those in the file."""
    with index.reading() as db:
        rows = resolve(db, scope or Scope())
        if rows is None:
            return [], []
        kept = index.scanner.nearest(db, QUERY, rows, k)
        stored = scan.nearest(db, QUERY, rows, k)
        docs = index.by_rowids([row for row, _ in (*kept, *stored)])
        held = index.scanner.vectors(db, rows, list(docs))
        assert held.items() <= scan.embeddings(db, list(docs)).items()
    assert [near for _, near in kept] == pytest.approx([near for _, near in stored], abs=1e-6)
    return [docs[row].doc.id for row, _ in kept], [docs[row].doc.id for row, _ in stored]


def kept(index: Index) -> int:
    """Return how many rows the process keeps."""
    rows = [one.vectors.rows for one in index.scanner._kept.values()]
    return sum(one.size - one.gone for one in rows)


@contextmanager
def temporary() -> Iterator[Index]:
    """Return an index for one example."""
    with (
        TemporaryDirectory() as folder,
        Index.open(Path(folder) / "index.db", FINGERPRINT) as index,
    ):
        yield index


def told(texts: Sequence[tuple[str, str | None]], file: str) -> list[Doc]:
    """Return one fact a text; the text's chat stands beside it."""
    return [
        replace(fact(f"{file[7]}{n}", text, minute=n), chat_id=chat)
        for n, (text, chat) in enumerate(texts)
    ]


FILE_NOW = st.tuples(
    st.sampled_from(FILES),
    st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from([None, "c", "d"])), max_size=9),
)


@settings(max_examples=40)  # each makes a file
@given(FILE_NOW, st.lists(FILE_NOW, max_size=5), st.sampled_from([0, 99]))
def test_what_is_kept_follows_every_change(
    first: tuple[str, list[tuple[str, str | None]]],
    later: list[tuple[str, list[tuple[str, str | None]]]],
    most_exact: int,
) -> None:
    with temporary() as index:
        index.scanner = Scanner(index.reading, most_exact=most_exact)
        index.put_source(source("memory/z.md"), [fact("z", "z")])
        for n, (file, texts) in enumerate([first, *later]):
            index.put_source(source(file), told(texts, file))
            fill(index)
            if n == 0:
                load(index)
            for scope in (Scope(), Scope(chat_id="c"), Scope(chat_id="c", chat_only=True)):
                ours, exact = both(index, scope=scope)
                assert ours == exact
        assert kept(index) == sum(one.with_vector for one in index.counts().values())


def test_a_fact_that_is_replaced_and_comes_back_is_followed(index: Index) -> None:
    index.put_source(source(), facts("a", "b"))
    fill(index)
    load(index)

    index.put_source(source(FILES[1]), [fact("c", minute=9, replaces="b")])
    fill(index)
    replaced = both(index)
    index.drop_source(FILES[1])
    fill(index)

    assert set(replaced[0]) == {"a", "c"}
    assert set(both(index)[0]) == {"a", "b"}


def test_a_writer_finds_what_it_has_written_and_nothing_of_it_stays(index: Index) -> None:
    index.put_source(source(), facts("a"))
    fill(index)
    load(index)

    inside: tuple[list[str], list[str]] = ([], [])
    with suppress(KeyError), index.transaction():
        index.extend_source(source(FILES[1]), facts("b"))
        fill(index)
        inside = both(index)
        raise KeyError

    assert set(inside[0]) == {"a", "b"}
    assert both(index) == (["a"], ["a"])


def test_changes_that_are_no_longer_known_are_read_anew(index: Index) -> None:
    index.put_source(source(), facts("a"))
    fill(index)
    load(index)
    index.extend_source(source(FILES[1]), facts("b", "c"))
    fill(index)
    with index._pool.writing() as db:
        db.execute("delete from vector_change where seq = (select max(seq) - 1 from vector_change)")

    assert set(both(index)[0]) == {"a", "b", "c"}


def test_a_swapped_index_is_read_anew(index: Index, path: Path) -> None:
    index.put_source(source(), facts("a"))
    fill(index)
    load(index)
    with side_index(path, FINGERPRINT) as side:
        side.put_source(source(), facts("b"))
        fill(side)
        swap(path, side)

    assert both(index) == (["b"], ["b"])
    load(index)
    assert both(index) == (["b"], ["b"])
    assert kept(index) == 1


def test_of_an_empty_partition_nothing_is_kept(index: Index) -> None:
    index.put_source(source(), facts("a"))

    load(index)

    assert both(index) == ([], [])
    assert kept(index) == 0


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an index of as many rows as are worth keeping."""
    path = tmp_path_factory.mktemp("large") / "index.db"
    docs = [fact(f"a{n:04}", f"text {n}") for n in range(LEAST_ROWS)]
    with Index.open(path, FINGERPRINT) as index:
        index.extend_source(source(), docs, {n: vector(one.text) for n, one in enumerate(docs)})
    return path


def loaders() -> list[threading.Thread]:
    """Return the threads that load vectors."""
    return [one for one in threading.enumerate() if one.name == "litemem-vectors"]


def test_vectors_are_loaded_by_a_thread_after_a_few_searches(large: Path) -> None:
    with Index.open(large, FINGERPRINT) as index:
        for _ in range(PATIENCE):
            assert kept(index) == 0
            both(index, 1)
        for thread in loaders():
            thread.join()

        assert kept(index) == LEAST_ROWS
        assert both(index, 10)[0] == both(index, 10)[1]


def test_a_store_that_grows_is_loaded_anew_in_another_way(large: Path) -> None:
    with Index.open(large, FINGERPRINT) as index:
        index.scanner = Scanner(index.reading, most_exact=LEAST_ROWS)
        load(index)
        before = [one.vectors for one in index.scanner._kept.values()]
        more = [fact(f"b{n:04}", f"more {n}") for n in range(LEAST_ROWS // 3)]
        vectors = {n: vector(one.text) for n, one in enumerate(more)}
        index.extend_source(source(FILES[1]), more, vectors)
        both(index)
        for thread in loaders():
            thread.join()
        after = [one.vectors for one in index.scanner._kept.values()]
        index.drop_source(FILES[1])

        assert [type(one) for one in before] == [Exact]
        assert [type(one) for one in after] == [Planes]
        assert both(index)[0] == both(index)[1]
        assert kept(index) == LEAST_ROWS


def test_a_load_stops_when_the_index_closes(large: Path) -> None:
    with Index.open(large, FINGERPRINT) as index:
        index.scanner.close()
        load(index)
        for _ in range(PATIENCE + 1):
            both(index, 1)

        assert loaders() == []
        assert kept(index) == 0


def test_a_load_that_fails_leaves_a_search_of_the_file(
    large: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def failing() -> AbstractContextManager[apsw.Connection]:
        raise IndexTrouble("no")

    with Index.open(large, FINGERPRINT) as index:
        index.scanner = Scanner(failing)
        for _ in range(PATIENCE):
            both(index, 1)
        for thread in loaders():
            thread.join()

        assert both(index, 3)[0] == both(index, 3)[1]
        assert "aren't kept in memory: no" in caplog.text


def test_searches_and_writes_at_once_end_with_the_same_answer(index: Index) -> None:
    index.put_source(source(), facts(*(f"a{n}" for n in range(20))))
    fill(index)
    load(index)
    failed: list[BaseException] = []

    def search() -> None:
        try:
            for _ in range(40):
                with index.reading() as db:
                    rows = resolve(db, Scope())
                    assert rows is not None
                    assert index.scanner.nearest(db, QUERY, rows, 5)
        except BaseException as error:
            failed.append(error)
            raise

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for n in range(30):
        docs = [fact(f"b{n}{m}", minute=m) for m in range(n % 5)]
        vectors = {m: vector(one.text) for m, one in enumerate(docs)}
        index.drop_source(FILES[1])
        index.extend_source(source(FILES[1]), docs, vectors)
    for thread in threads:
        thread.join()

    ours, exact = both(index, 99)
    assert failed == []
    assert ours == exact
