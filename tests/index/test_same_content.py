"""Whatever happened to the files, the index holds what a new one would."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.index.connection import fetch
from litemem.index.docs import Doc, Source
from litemem.index.store import Index
from litemem.types import Kind
from tests.index.made import DAY, FINGERPRINT, fill, source, vector

PATHS = ("a.md", "b.md", "users/u/a.md")
IDS = ("m1", "m2", "m3", "m4", "m5")
KINDS: tuple[Kind, ...] = ("fact", "fact", "fact", "block", "turn")
WORDS = ("tea", "green tea", "coffee", "東京都 tea", " ", "x\x00y", "engineers \ud800")

docs = st.builds(
    Doc,
    line=st.just(0),
    kind=st.sampled_from(KINDS),
    id=st.sampled_from(IDS),
    text=st.sampled_from(WORDS),
    at=st.integers(0, 3).map(lambda minute: DAY + timedelta(minutes=minute)),
    chat_id=st.sampled_from((None, "c1", "c2")),
    thread=st.sampled_from(("day", "c1")),
    replaces=st.sampled_from((None, None, *IDS)),
    merges=st.sampled_from(((), (), ("m1",), ("m2", "m5", "m9"))),
    head=st.sampled_from(("", "", "Ann: ")),
    tags=st.sampled_from(((), ("ui",), ("tea", "ui"))),
    importance=st.sampled_from((0.5, 0.9)),
    category=st.sampled_from(("general", "goal")),
    speaker=st.sampled_from((None, "Ann")),
).map(lambda doc: replace(doc, merges=doc.merges if doc.replaces and doc.kind == "fact" else ()))
Step: TypeAlias = tuple[str, str, list[Doc], int]
steps = st.tuples(
    st.sampled_from(("put", "extend", "edit", "revise", "cut", "reverse", "drop", "fill")),
    st.sampled_from(PATHS),
    st.lists(docs, min_size=1, max_size=5),
    st.integers(0, 4),
)


class World:
    """Files as lists of rows, and the index that follows them."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.files: dict[str, list[Doc]] = {}

    def do(self, step: Step) -> None:
        """Change a file and tell the index, as cheaply as it can be told."""
        name, path, new, at = step
        old = self.files.get(path, [])
        match name:
            case "put":
                self.write(path, new)
            case "extend":
                self.extend(path, new)
            case "edit":
                self.write(path, [*old[:at], new[0], *old[at + 1 :]])
            case "revise" if at < len(old):
                now = replace(new[0], kind=old[at].kind, head=old[at].head, text=old[at].text)
                self.revise(path, [*old[:at], now, *old[at + 1 :]], at, gone=False)
            case "cut" if at < len(old):
                self.revise(path, [*old[:at], *old[at + 1 :]], at, gone=True)
            case "reverse":
                self.write(path, old[::-1])
            case "drop":
                self.files.pop(path, None)
                self.index.drop_source(path)
            case _:
                fill(self.index)

    def write(self, path: str, content: list[Doc]) -> None:
        """Replace a file."""
        self.files[path] = content
        self.index.put_source(self.source(path), self.numbered(path))

    def extend(self, path: str, content: list[Doc]) -> None:
        """Append to a file; every other row comes with its vector."""
        old = self.files.get(path, [])
        self.files[path] = [*old, *content]
        new = self.numbered(path)[len(old) :]
        texts = [shown(doc.head + doc.text) for doc in new]
        vectors = {n: vector(text) for n, text in enumerate(texts) if n % 2 and text.strip()}
        self.index.extend_source(self.source(path), new, vectors)

    def revise(self, path: str, content: list[Doc], at: int, *, gone: bool) -> None:
        """Change or remove one line."""
        self.files[path] = content
        sql = """select doc.rowid from doc join source on source.id = doc.source
            where path = ? and line = ?"""
        with self.index.reading(vectors=False) as db:
            ((row,),) = fetch(db, sql, (path, at + 1))
        docs = {row: None if gone else self.numbered(path)[at]}
        self.index.revise_source(self.source(path), docs, gone=[at + 1] if gone else [])

    def source(self, path: str) -> Source:
        """Return what is known of a file."""
        user = "u" if path.startswith("users/") else "default"
        return source(path, user, lines=len(self.files[path]))

    def numbered(self, path: str) -> list[Doc]:
        """Return a file's rows, one a line."""
        return [replace(doc, line=n) for n, doc in enumerate(self.files[path], start=1)]


def shown(text: str) -> str:
    """Return a text as the index holds it."""
    return text.replace("\ud800", "\ufffd")


def rows(index: Index) -> list[str]:
    """Return all rows, without their numbers, in an order of their own."""
    with index.reading(vectors=False) as db:
        stored = index.by_rowids([row for (row,) in db.execute("select rowid from doc")])
    return sorted(repr((one.path, one.doc.line, replace(one, rowid=0))) for one in stored.values())


def vectors(index: Index) -> list[tuple[object, ...]]:
    """Return all vectors with whose rows they are."""
    with index.reading() as db:
        return sorted(
            db.execute(
                """select path, line, doc.id, owner.user, part % 4, embedding, scope.chat, vec.at
                from vec join doc on doc.rowid = vec.rowid join source on source.id = doc.source
                join scope on scope.id = vec.scope join scope as owner on owner.id = part / 4
                where doc.vector = 1"""
            )
        )


def centres(index: Index) -> list[tuple[object, ...]]:
    """Return the sums of all partitions."""
    sql = "select user, part % 4, n, total from centre join scope on scope.id = part / 4"
    with index.reading() as db:
        return sorted(db.execute(sql))


def words(index: Index) -> list[tuple[object, ...]]:
    """Return which rows hold which word."""
    with index.reading() as db:
        terms = [term for (term,) in db.execute("select term from words_vocabulary")]
        return sorted(
            (term, path, line, id_)
            for term in terms
            for path, line, id_ in db.execute(
                """select path, line, doc.id from words join doc on doc.rowid = words.rowid
                join source on source.id = doc.source where words match ? and doc.state = 0""",
                (f'"{term}"',),
            )
        )


def tally(index: Index) -> tuple[object, ...]:
    """Return SQLite's opinion of the file, and how many rows there are in each table."""
    with index.reading() as db:
        return (
            db.execute("pragma integrity_check").get,
            db.execute("select count(*) from words_docsize").get,
            db.execute("select count(*) from vec").get,
            db.execute("select sum(cnt) from words_vocabulary").get,
            db.execute("select count(*) from merged").get,
        )


@settings(deadline=None)
@given(st.lists(steps, max_size=12))
def test_any_changes_leave_what_a_new_index_would_hold(changes: list[Step]) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Index.open(Path(folder, "old.db"), FINGERPRINT) as old,
        Index.open(Path(folder, "new.db"), FINGERPRINT) as new,
    ):
        world = World(old)
        for change in changes:
            world.do(change)
        fill(old)
        rebuilt = World(new)
        for path in sorted(world.files, reverse=True):
            rebuilt.write(path, world.files[path])
        fill(new)

        assert rows(old) == rows(new)
        assert vectors(old) == vectors(new)
        assert centres(old) == centres(new)
        assert words(old) == words(new)
        assert tally(old) == tally(new)
        assert old.sources() == new.sources()
        assert tally(old)[0] == "ok"
        merging = (doc for docs in world.files.values() for doc in docs)
        assert tally(old)[-1] == sum(len(doc.merges) for doc in merging)
