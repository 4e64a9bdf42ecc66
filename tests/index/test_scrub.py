"""What was forgotten is in no file, and nothing else is lost."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from litemem.errors import FileTrouble
from litemem.index import growth
from litemem.index.connection import fetch, free_bytes
from litemem.index.docs import Doc
from litemem.index.store import Index
from tests.index.made import DAY, FINGERPRINT, fact, fill, source, vector

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
READ_ALL = """
import sys
from pathlib import Path
for file in sorted(Path(sys.argv[1]).glob("index.db*")):
    sys.stdout.buffer.write(file.read_bytes())
"""


def all_bytes(path: Path) -> bytes:
    """Return what the files hold; another process reads them, so that our locks stay."""
    command = [sys.executable, "-c", READ_ALL, str(path.parent)]
    return subprocess.run(command, check=True, capture_output=True).stdout


def words_of(doc: Doc) -> list[str]:
    """Return all that is said in a fact, but for the first letters, which others may share."""
    return [word[3:] for word in (*doc.text.split(), *doc.tags, doc.category, doc.thread)]


def secrets(n: int, seed: int = 1) -> list[Doc]:
    """Return facts in which no word is said twice."""
    rng = random.Random(seed)

    def word() -> str:
        return "".join(rng.choices(LETTERS, k=12))

    return [
        replace(
            fact(f"m{i}", " ".join(word() for _ in range(5)), minute=i),
            tags=(word(),),
            category=word(),
            thread=word(),
            chat_id=word(),
            metadata={"key": word()},
        )
        for i in range(n)
    ]


@contextmanager
def reading(index: Index) -> Iterator[None]:
    """Let another thread keep a reader's state."""
    begun, done = threading.Event(), threading.Event()

    def run() -> None:
        with index.reading() as db:
            db.execute("select count(*) from doc").fetchall()
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


@pytest.mark.parametrize("seed", [1, 2])
def test_no_byte_of_forgotten_facts_is_left(index: Index, path: Path, seed: int) -> None:
    docs = secrets(600, seed)
    index.put_source(source(), docs)
    fill(index)
    kept = docs[:]
    rng = random.Random(seed)
    for _ in range(3):
        kept = rng.sample(kept, len(kept) - 100)
        index.put_source(source(), sorted(kept, key=lambda doc: doc.line))
    gone = [doc for doc in docs if doc not in kept]
    before = all_bytes(path)

    assert index.scrub()

    after = all_bytes(path)
    words = [word.encode() for doc in gone for word in words_of(doc)]
    assert any(word in before for word in words)
    assert [word for word in words if word in after] == []
    assert [doc.id for doc in gone if bytes(vector(doc.text))[4:] in after] == []
    assert [doc.id for doc in gone if str(doc.chat_id).encode() in after] == []
    assert all(words_of(doc)[0].encode() in after for doc in kept)
    assert all(bytes(vector(doc.text)) in after for doc in kept)
    with index.reading() as db:
        terms = {term for (term,) in fetch(db, "select term from words_vocabulary")}
    assert terms.isdisjoint(word for doc in gone for word in doc.text.split())


def test_words_that_tell_pages_apart_go_too(index: Index, path: Path) -> None:
    # Long common beginnings make FTS5 keep long words between its pages.
    docs = [fact(f"m{n}", f"{'prefix' * 20}{n:05}secret", minute=n) for n in range(3000)]
    index.put_source(source(), docs)
    index.put_source(source(), docs[::2])
    index.scrub()

    after = all_bytes(path)

    assert [doc.id for doc in docs[1::2] if doc.text[-11:].encode() in after] == []


def test_superseded_texts_go_with_their_chain(index: Index, path: Path) -> None:
    old, new = fact("m1", "worksatgoogle"), fact("m2", "worksatmicrosoft", minute=1, replaces="m1")
    index.put_source(source("a.md"), [old])
    fill(index)
    index.put_source(source("b.md"), [new])
    index.drop_source("a.md")
    index.drop_source("b.md")
    index.scrub()

    after = all_bytes(path)

    assert b"googl" not in after
    assert b"microsoft" not in after


def test_a_user_who_is_forgotten_is_named_nowhere(index: Index, path: Path) -> None:
    index.put_source(source("a.md"), [fact("m1", "stays")])
    docs = [replace(doc, chat_id="secretchat") for doc in secrets(3)]
    index.put_source(source("users/secretuser/a.md", "secretuser"), docs)
    index.record_use("secretuser", ["m0"], DAY)
    index.drop_source("users/secretuser/a.md")
    index.scrub()

    assert b"secret" not in all_bytes(path)
    assert len(index.facts("default")) == 1


def test_names_that_are_in_use_stay(index: Index) -> None:
    docs = [replace(doc, chat_id="c1") for doc in secrets(3)]
    index.put_source(source(), docs)
    index.record_use("default", ["m0", "unknown"], DAY)
    index.put_source(source("empty.md", "u"), [])
    index.scrub()

    assert len(index.facts("default", chat_id="c1", chat_only=True)) == 3
    assert list(index.use("default", ["m0", "unknown"])) == ["m0"]
    index.put_source(source("b.md"), [fact("new", minute=9)])
    assert [one.doc.id for one in index.facts("default", limit=1)] == ["new"]


def test_vectors_are_found_after_whole_chunks_of_them_went(index: Index) -> None:
    docs = secrets(400)
    index.put_source(source(), docs)
    fill(index)
    index.put_source(source(), docs[150:160] + docs[350:])
    index.scrub()
    index.extend_source(source(), [fact("new", "new", minute=999)], {0: vector("new")})

    with index.reading() as db:
        part = db.execute("select part from centre").get
        sql = "select rowid from vec where embedding match ? and k = 1 and part = ?"
        for text, name in [(doc.text, doc.id) for doc in docs[150:160] + docs[350:]] + [
            ("new", "new")
        ]:
            row = db.execute(sql, (vector(text), part)).get
            assert db.execute("select id from doc where rowid = ?", (row,)).get == name


def test_other_connections_go_on_after_a_scrub(index: Index, path: Path) -> None:
    docs = secrets(50)
    with Index.open(path, FINGERPRINT) as other:
        other.put_source(source(), docs)
        fill(other)
        index.put_source(source(), docs[:10])
        index.scrub()
        other.put_source(source(), docs[:11])
        fill(other)

        assert other.progress() == (11, 11)
        with other.reading() as db:
            word = docs[10].text.split()[0]
            assert (
                db.execute("select count(*) from words where words match ?", (f'"{word}"',)).get
                == 1
            )
            assert db.execute("pragma integrity_check").get == "ok"


def test_a_reader_of_the_old_rows_is_reported(index: Index, path: Path) -> None:
    index.put_source(source(), secrets(5))
    with Index.open(path, FINGERPRINT) as other, reading(other):
        index.put_source(source(), [])
        assert not index.scrub(patience_ms=50)

    assert index.scrub()


def test_a_writer_that_goes_on_is_reported(index: Index, path: Path) -> None:
    with Index.open(path, FINGERPRINT) as other, other.transaction(), ThreadPoolExecutor(1) as pool:
        assert not pool.submit(index.scrub, patience_ms=50).result()


def test_a_scrub_inside_a_transaction_is_reported(index: Index) -> None:
    with index.transaction():
        index.put_source(source(), secrets(5))

        assert not index.scrub(patience_ms=50)
    assert len(index.facts("default")) == 5


def grown(index: Index, sources: range) -> None:
    """Add 100 facts with vectors a source."""
    for n in sources:
        index.extend_source(
            source(f"memory/{n}.md"), [replace(d, id=f"{n}.{d.id}") for d in secrets(100, n)]
        )
        fill(index)


def pieces(index: Index) -> int:
    """Return of how many pieces the tables that a search reads most are made."""
    with index.reading(vectors=False) as db:
        pages = fetch(db, "select name from dbstat order by pageno")
    names = [name for (name,) in pages if name in {"doc", "words_data", "vec_vector_chunks00"}]
    return sum(one != other for one, other in pairwise(names))


def test_an_index_is_written_anew_when_it_has_doubled(index: Index) -> None:
    grown(index, range(8))
    mixed = pieces(index)

    assert index.compact_if_grown(least_bytes=1 << 18)
    assert pieces(index) < mixed / 2
    assert not index.compact_if_grown(least_bytes=1 << 18)
    grown(index, range(8, 24))
    assert not index.compact_if_grown(least_bytes=1 << 30)
    assert index.compact_if_grown(least_bytes=1 << 18)
    assert len(index.facts("default")) == index.progress()[0] == 24 * 100


def test_an_index_in_use_is_not_written_anew(index: Index, path: Path) -> None:
    grown(index, range(8))

    with index.transaction():
        assert not index.compact_if_grown(least_bytes=1 << 18)
    with Index.open(path, FINGERPRINT, read_only=True) as reader:
        assert not reader.compact_if_grown(least_bytes=1 << 18)


def test_a_disk_that_fills_up_meanwhile_gets_its_room_back(
    index: Index, path: Path, file_size_limit: Callable[[int], AbstractContextManager[None]]
) -> None:
    grown(index, range(8))
    index.scrub()
    log = path.with_name("index.db-wal")

    # The log of the whole file is larger than the file, by the head of each page.
    with file_size_limit(path.stat().st_size), pytest.raises(FileTrouble):
        index._pool.compact(50)

    assert log.stat().st_size == 0
    grown(index, range(8, 9))
    assert index.scrub()
    assert len(index.facts("default")) == 9 * 100


def test_an_index_is_not_written_anew_without_room(index: Index, path: Path) -> None:
    with index.reading(vectors=False) as db:
        least = growth.ROOM * growth.size(db)

        assert growth.has_room(db, least)
        assert not growth.has_room(db, least - 1)
        assert not growth.has_room(db, None)
        assert growth.has_room(db, free_bytes(path))
    assert free_bytes(path / "nowhere" / "index.db") is None
