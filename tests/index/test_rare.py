"""Rows that share rare words are found, whatever else the index holds."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.index import rare
from litemem.index.filters import resolve
from litemem.index.store import Index
from litemem.index.words import query_words
from litemem.types import Scope
from tests.index.made import FINGERPRINT, fact, source

TEXTS = st.lists(
    st.sampled_from(["alder", "birch", "cedar", "dogwood", "elm", "fir"]), min_size=1
).map(" ".join)


def sharing(index: Index, text: str, k: int, user: str = "default") -> list[str]:
    """Return the ids of the rows that share rare words with a text."""
    with index.reading() as db:
        rows = resolve(db, Scope(user=user))
        assert rows is not None
        found = rare.sharing(db, query_words(text), rows, k)
    stored = index.by_rowids(found)
    return [stored[rowid].doc.id for rowid in found]


def put(index: Index, *texts: str, user: str = "default", path: str = "memory/a.md") -> None:
    """Index one fact a text, with ids 0, 1, 2, ..."""
    docs = [fact(str(n), text, minute=n) for n, text in enumerate(texts)]
    index.put_source(source(path, user=user), docs)


def test_more_shared_words_come_first_and_then_the_newest(index: Index) -> None:
    put(index, "green tea", "black tea with milk", "black tea", "coffee")

    assert sharing(index, "black tea without milk", 10) == ["1", "2", "0"]
    assert sharing(index, "black tea without milk", 1) == ["1"]


def test_a_rarer_word_outweighs_a_common_one(index: Index) -> None:
    put(index, "works at Acme", *["works a lot"] * 30)

    assert sharing(index, "works? Acme!", 1) == ["0"]


@pytest.mark.parametrize("text", ["", "...", "the", "zebra"])
def test_nothing_shared_is_nothing_found(index: Index, text: str) -> None:
    put(index, "green tea")

    assert sharing(index, text, 10) == []


def test_another_users_rows_never_answer_however_many_they_are(index: Index) -> None:
    put(index, "green tea")
    put(index, *["green tea"] * 150, user="other", path="users/other/memory/a.md")

    assert sharing(index, "green tea", 10) == ["0"]


def test_words_of_too_many_rows_find_nothing(index: Index) -> None:
    put(index, "rare tea", *["tea"] * rare.MOST)

    assert sharing(index, "tea", 5) == []
    assert sharing(index, "rare tea", 5) == ["0"]


@settings(max_examples=60)
@given(st.lists(TEXTS, min_size=1, max_size=12), TEXTS)
def test_in_a_small_index_all_rows_that_share_a_word_are_found(texts: list[str], text: str) -> None:
    words = set(text.split())
    with (
        tempfile.TemporaryDirectory() as folder,
        Index.open(Path(folder) / "index.db", FINGERPRINT) as index,
    ):
        put(index, *texts)

        found = sharing(index, text, 100)

    assert sorted(found) == [str(n) for n in sorted(sharers(texts, words), key=str)]


def sharers(texts: list[str], words: set[str]) -> list[int]:
    """Return the places of the texts that hold one of these words."""
    return [n for n, text in enumerate(texts) if words & set(text.split())]
