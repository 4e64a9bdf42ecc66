"""The words of texts and queries."""

from __future__ import annotations

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.index.schema import TOKENIZER
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
        (
            "我也是他的猫吗",
            ('"的猫"', '"猫吗"'),
        ),  # neither half of a pair says much: the other does
        ("他們還在", ('"他們"', '"們還"', '"還在"')),  # nothing else is left
        ("我 tea", ('"tea"',)),
        ("a OR b*", ('"b"',)),
        ("Zürich", ('"Zürich"',)),
    ],
)
def test_a_query_is_asked_for_as_phrases(query: str, words: tuple[str, ...]) -> None:
    assert query_words(query) == words


@given(st.text(alphabet="我也是他的猫吗茶"))
def test_pairs_of_chinese_function_words_are_asked_for_only_alone(query: str) -> None:
    asked = query_words(query)
    says_nothing = [set(word.strip('" *')) <= set("我也是他的吗") for word in asked]

    assert all(says_nothing) if set(query).isdisjoint("猫茶") else not any(says_nothing)


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


@given(st.text(min_size=1) | _NEARLY_WORDS, st.data())
def test_a_text_is_found_by_each_of_its_words(text: str, data: st.DataObject) -> None:
    db = apsw.Connection(":memory:")
    db.execute(f"create virtual table words using fts5(text, tokenize='{TOKENIZER}')")
    db.execute("insert into words values(?)", (prepare(text),))
    words = query_words(data.draw(st.sampled_from(text.split() or [""])))

    found = [
        word
        for word in words
        if db.execute("select count(*) from words where words match ?", (word,)).get
    ]

    assert bool(words) == bool(found)


@pytest.mark.parametrize("part", ["東", "京", "都", "東京", "京都", "東京都"])
def test_chinese_and_japanese_text_is_found_by_any_part(part: str) -> None:
    db = apsw.Connection(":memory:")
    db.execute("create virtual table words using fts5(text)")
    db.execute("insert into words values(?)", (prepare("Lives in 東京都, Shinjuku"),))

    for word in query_words(part):
        assert db.execute("select count(*) from words where words match ?", (word,)).get == 1


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("don't you?", ('"don\'t"', '"don"', '"you"')),  # nothing else is left
        ("what's John's job", ('"John"', '"job"')),
        ("L'été à Nice", ('"L\'été"', '"été"', '"à"', '"Nice"')),
        ("wo ist der Hut von Anna?", ('"Hut"', '"Anna"')),
        ("the hat of war", ('"hat"', '"war"')),  # German stop words, in English
        ("¿dónde está el perro de Ana?", ('"perro"', '"Ana"')),
        ("ﾄｳｷｮｳ", ('"トウ"', '"ウキ"', '"キョ"', '"ョウ"')),
        (".".join("1234567890123456789"), (f'"{".".join("1234567890123456")}"',)),
    ],
)
def test_the_words_that_say_something_are_asked_for(query: str, words: tuple[str, ...]) -> None:
    assert query_words(query) == words


@pytest.mark.parametrize("text", ["love it🥰", "🥰it", "“it”", "it…", "i\u00adt", "ｉｔ"])
def test_a_word_is_found_beside_whatever_sign(text: str) -> None:
    db = apsw.Connection(":memory:")
    db.execute("create virtual table words using fts5(text)")
    db.execute("insert into words values(?)", (prepare(text),))

    assert db.execute("select count(*) from words where words match 'it'").get == 1


def test_a_page_of_words_is_asked_for_by_its_first_ones() -> None:
    page = " ".join(f"word{i}" for i in range(10_000))

    assert query_words(page) == tuple(f'"word{i}"' for i in range(MAX_WORDS))


@given(st.lists(_NEARLY_WORDS, max_size=5))
def test_no_word_is_asked_for_twice(words: list[str]) -> None:
    found = query_words(" ".join(words + words))

    assert len(found) == len(set(found))
