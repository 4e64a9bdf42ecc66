"""Whatever happened to the files, the index holds what a new one would."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.index.docs import Doc
from litemem.index.store import Index

PATHS = ("a.md", "b.md", "users/u/a.md")
IDS = ("m1", "m2", "m3", "m4", "m5")
WORDS = ("tea", "green tea", "coffee", "東京都 tea", " ", "x\x00y", "engineers \ud800")

docs = st.builds(
    dict,
    kind=st.sampled_from(("fact", "fact", "fact", "block", "turn")),
    id=st.sampled_from(IDS),
    text=st.sampled_from(WORDS),
    minute=st.integers(0, 3),
    chat_id=st.sampled_from((None, "c1", "c2")),
    replaces=st.sampled_from((None, None, *IDS)),
    head=st.sampled_from(("", "", "Ann: ")),
    tags=st.sampled_from(((), ("ui",), ("tea", "ui"))),
    importance=st.sampled_from((0.5, 0.9)),
    category=st.sampled_from(("general", "goal")),
    speaker=st.sampled_from((None, "Ann")),
)
contents = st.lists(docs, max_size=5)
steps = st.one_of(
    st.tuples(st.just("put"), st.sampled_from(PATHS), contents),
    st.tuples(st.just("extend"), st.sampled_from(PATHS), contents),
    st.tuples(st.just("edit"), st.sampled_from(PATHS), st.tuples(st.integers(0, 4), docs)),
    st.tuples(st.just("reverse"), st.sampled_from(PATHS), st.none()),
    st.tuples(st.just("drop"), st.sampled_from(PATHS), st.none()),
    st.tuples(st.just("fill"), st.just(""), st.none()),
)


class World:
    """Files as lists of rows, and the index that follows them."""

    def __init__(self, make: Any, index: Index) -> None:
        self.make, self.index = make, index
        self.files: dict[str, list[dict[str, Any]]] = {}

    def do(self, step: tuple[str, str, Any]) -> None:
        """Change a file and tell the index, as cheaply as it can be told."""
        name, path, what = step
        match name:
            case "put":
                self.write(path, what)
            case "extend":
                self.extend(path, what)
            case "edit" if path in self.files and what[0] < len(self.files[path]):
                at, doc = what
                self.write(path, [*self.files[path][:at], doc, *self.files[path][at + 1 :]])
            case "reverse" if path in self.files:
                self.write(path, self.files[path][::-1])
            case "drop":
                self.files.pop(path, None)
                self.index.drop_source(path)
            case "fill":
                self.make.fill(self.index)

    def write(self, path: str, content: list[dict[str, Any]]) -> None:
        """Replace a file."""
        self.files[path] = content
        self.index.put_source(self.source(path), self.docs(path))

    def extend(self, path: str, content: list[dict[str, Any]]) -> None:
        """Append to a file; every other row comes with its vector."""
        old = len(self.files.setdefault(path, []))
        self.files[path] = self.files[path] + content
        new = self.docs(path)[old:]
        vectors = {
            n: self.make.vector(shown(doc.head + doc.text))
            for n, doc in enumerate(new)
            if n % 2 and shown(doc.head + doc.text).strip()
        }
        self.index.extend_source(self.source(path), new, vectors)

    def source(self, path: str) -> Any:
        """Return what is known of a file."""
        user = "u" if path.startswith("users/") else "default"
        return self.make.source(path, user, lines=len(self.files[path]))

    def docs(self, path: str) -> list[Doc]:
        """Return a file's rows, one a line."""
        return [self.make.fact(line=n + 1, **doc) for n, doc in enumerate(self.files[path])]


def shown(text: str) -> str:
    """Return a text as the index holds it."""
    return text.replace("\ud800", "\ufffd")


def content(index: Index) -> dict[str, Any]:
    """Return everything that an index says, without its numbers."""
    with index.reading() as db:
        owners = dict(db.execute("select id, user from scope"))
        keys = {
            rowid: (path, line, id_)
            for rowid, path, line, id_ in db.execute(
                """select doc.rowid, path, line, doc.id from doc
                join source on source.id = doc.source where doc.state = 0"""
            )
        }
        terms = list(db.execute("select term, doc, cnt from words_vocabulary order by term"))
        texts = {term: f'"{term}"' for term, _, _ in terms if not term[0] in "oc"}
        stored = index.by_rowids([row for (row,) in db.execute("select rowid from doc")])
        return {
            "docs": sorted(
                repr((one.path, one.doc.line, replace(one, rowid=0))) for one in stored.values()
            ),
            "vectors": sorted(
                (keys[row], owners[part // 4], part % 4, blob, owners[scope], at)
                for row, part, blob, scope, at in db.execute(
                    "select rowid, part, embedding, scope, at from vec"
                )
            ),
            "terms": sorted((doc, cnt) for term, doc, cnt in terms if term[0] in "oc"),
            "words": [row for row in terms if row[0] in texts],
            "found": {
                term: sorted(
                    keys[row]
                    for (row,) in db.execute("select rowid from words where words match ?", (text,))
                )
                for term, text in texts.items()
            },
            "centre": sorted(
                (owners[part // 4], part % 4, n, total)
                for part, n, total in db.execute("select * from centre")
            ),
            "sources": {path: one.lines for path, one in index.sources().items()},
            "whole": db.execute("pragma integrity_check").get,
        }


@settings(deadline=None)
@given(st.lists(steps, max_size=12))
def test_any_changes_leave_what_a_new_index_would_hold(
    make: Any, changes: list[tuple[str, str, Any]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with (
            Index.open(Path(folder, "old.db"), make.fingerprint) as old,
            Index.open(Path(folder, "new.db"), make.fingerprint) as new,
        ):
            world = World(make, old)
            for change in changes:
                world.do(change)
            make.fill(old)
            rebuilt = World(make, new)
            for path in sorted(world.files, reverse=True):
                rebuilt.write(path, world.files[path])
            make.fill(new)

            assert content(old) == content(new)
            assert content(old)["whole"] == "ok"
