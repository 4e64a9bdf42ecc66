"""The reference: apsw, vec0 and FTS5 as their manuals show them, merged by rank."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
from apsw.fts5query import quote

from litemem.index.connection import load_vectors
from litemem.index.words import query_words
from tests.benchmarks.synthetic import DIMENSION, Corpus, Query

RANKED = 30
RRF_K = 60

TABLES = f"""
create table doc(id integer primary key, text text);
create virtual table words using fts5(text, content=doc, content_rowid=id, tokenize='porter');
create virtual table vec using vec0(embedding float[{DIMENSION}]);
"""


def sound(path: Path, rows: int) -> bool:
    """Say whether a file is undamaged and has so many rows and vectors; one of litemem too."""
    counts = "select (select count(*) from doc), (select count(*) from vec)"
    try:
        with closing(apsw.Connection(str(path))) as db:
            load_vectors(db)
            unharmed = db.execute("pragma quick_check(1)").get == "ok"
            return unharmed and bool(db.execute(counts).get == (rows, rows))
    except apsw.Error:
        return False


class Bare:
    """One open file."""

    def __init__(self, path: Path) -> None:
        self.db = apsw.Connection(str(path))
        load_vectors(self.db)

    @classmethod
    def fill(cls, path: Path, corpus: Corpus) -> None:
        """Make the file of a corpus."""
        with closing(cls(path).db) as db:
            cls._store(db, corpus)

    @staticmethod
    def _store(db: apsw.Connection, corpus: Corpus) -> None:
        db.execute("pragma journal_mode=wal").fetchall()
        db.execute(TABLES)
        for batch in corpus.batches():
            rows = range(batch.first + 1, batch.first + len(batch.texts) + 1)
            texts = list(zip(rows, batch.texts, strict=True))
            vectors = ((row, v.tobytes()) for row, v in zip(rows, batch.vectors, strict=True))
            with db:
                db.executemany("insert into doc values(?, ?)", texts)
                db.executemany("insert into words(rowid, text) values(?, ?)", texts)
                db.executemany("insert into vec(rowid, embedding) values(?, ?)", vectors)

    def search(self, query: Query, k: int = 10) -> list[tuple[int, str]]:
        """Return the k best rows; every word of the query is asked for."""
        return self._search(query, [quote(word) for word in query.text.split()], k)

    def search_without_stop_words(self, query: Query, k: int = 10) -> list[tuple[int, str]]:
        """Return the k best rows for the words that we ask for."""
        return self._search(query, query_words(query.text), k)

    def _search(self, query: Query, asked: Sequence[str], k: int) -> list[tuple[int, str]]:
        match = " OR ".join(asked)
        words = "select rowid from words where words match ? order by rank limit ?"
        vec = "select rowid from vec where embedding match ? and k = ?"
        lists = [
            self._rows(words, (match, RANKED)),
            self._rows(vec, (query.vector, RANKED)),
        ]
        scores: dict[int, float] = {}
        for found in lists:
            for rank, row in enumerate(found):
                scores[row] = scores.get(row, 0.0) + 1 / (RRF_K + rank)
        best = sorted(scores, key=lambda row: -scores[row])[:k]
        return [
            self.db.execute("select id, text from doc where id = ?", (row,)).get for row in best
        ]

    def _rows(self, sql: str, bindings: apsw.Bindings) -> list[int]:
        found: list[Any] = self.db.execute(sql, bindings).fetchall()  # Any: what SQLite holds
        return [row for (row,) in found]
