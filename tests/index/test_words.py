"""The words of texts and queries."""

from __future__ import annotations

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.index.words import MAX_WORDS, any_of, prepare, query_words

_NEARLY_WORDS = st.text(alphabet="abcXYZ019 -'.:/_\"*é\u0301’東京都かな한글\0\ud800")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", ()),
        ("?!", ()),
        ("the staging server", ('"staging"', '"server"')),
        ("the", ('"the"',)),  # nothing else is left
        ("db-7.internal", ('"db-7.internal"', '"internal"')),
        ('say "hi"', ('"say"', '"hi"')),
        ("10.0.0.1", ('"10.0.0.1"',)),
        ("冲浪", ('"冲浪"',)),
        ("猫", ('"猫" *',)),
        ("a OR b*", ('"b"',)),
        ("Zürich", ('"Zürich"',)),
    ],
)
def test_a_query_is_asked_for_as_phrases(query: str, words: tuple[str, ...]) -> None:
    assert query_words(query) == words


@given(_NEARLY_WORDS | st.text())
def test_any_query_can_be_asked(query: str) -> None:
    db = apsw.Connection(":memory:")
    db.execute("create virtual table words using fts5(text)")
    words = query_words(query)

    assert len(words) <= MAX_WORDS
    if words:
        db.execute("select count(*) from words where words match ?", (any_of(words),)).fetchall()


@given(st.text(alphabet=[chr(code) for code in range(128)]))
def test_words_of_ascii_text_stay_the_same_beside_others(query: str) -> None:
    beside = [word for word in query_words(f"{query} Zürich") if word != '"Zürich"']

    alone = query_words(query)

    # "the" alone is asked for where nothing else is; beside another word it isn't.
    assert beside in ([*alone], [])


@given(_NEARLY_WORDS)
def test_a_prepared_text_keeps_its_other_words(text: str) -> None:
    assert prepare(f"tea {text}").split()[0] == "tea"
