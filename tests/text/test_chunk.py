from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.text.chunk import Chunk, chunks

texts = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(["word ", "日本語の", "x" * 95, "\n", "\n\n", "\u2028", "สวัสดี"]),
    ),
    max_size=25,
).map("".join)


def spans(made: list[Chunk]) -> list[tuple[int, int]]:
    return [(chunk.start, chunk.end) for chunk in made]


def check_cover(text: str, made: list[Chunk]) -> None:
    covered: set[int] = set()
    for chunk in made:
        own = set(range(chunk.start, chunk.end))
        assert chunk.text == text[chunk.start : chunk.end]
        assert not chunk.text[0].isspace()
        assert not chunk.text[-1].isspace()
        assert chunk.first_line == text.count("\n", 0, chunk.start) + 1
        assert chunk.last_line == text.count("\n", 0, chunk.end) + 1
        assert own - covered, "a chunk of nothing but overlap"
        covered |= own
    assert {at for at, char in enumerate(text) if not char.isspace()} <= covered


@given(texts, st.integers(1, 9), st.data())
def test_chunks_cover_the_text_with_true_places(text: str, words: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, words - 1))

    check_cover(text, chunks(text, words=words, overlap=overlap))


@given(texts, st.integers(1, 9), st.integers(1, 60), st.data())
def test_chunks_keep_to_their_tokens(
    text: str, words: int, max_tokens: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, words - 1))
    made = chunks(text, words=words, overlap=overlap, max_tokens=max_tokens, count_tokens=count)

    check_cover(text, made)
    assert all(count(chunk.text) <= max_tokens or len(chunk.text) == 1 for chunk in made)


@given(texts, st.integers(1, 9), st.data())
def test_a_counter_that_adds_up_to_nothing_sensible_ends_too(
    text: str, words: int, data: st.DataObject
) -> None:
    made = chunks(
        text,
        words=words,
        overlap=words - 1,
        max_tokens=5,
        count_tokens=lambda _: data.draw(st.integers(0, 9)),
    )

    check_cover(text, made)


def test_words_and_overlap_are_counted() -> None:
    made = chunks("a b c d\ne f g", words=3, overlap=1)

    assert [chunk.text for chunk in made] == ["a b c", "c d\ne", "e f g"]
    assert [(chunk.first_line, chunk.last_line) for chunk in made] == [(1, 1), (1, 2), (2, 2)]


def test_two_characters_make_a_word_in_scripts_without_blanks() -> None:
    made = chunks("日本語のテキストです", words=3, overlap=0)

    assert [chunk.text for chunk in made] == ["日本語のテキ", "ストです"]


def test_text_without_blanks_is_cut_too() -> None:
    assert spans(chunks("x" * 100, words=2, overlap=0)) == [(0, 80), (80, 100)]


def test_a_short_text_is_one_chunk_and_a_blank_one_none() -> None:
    assert spans(chunks("  a b \n")) == [(2, 5)]
    assert chunks(" \n\t") == []


@pytest.mark.parametrize(
    ("words", "overlap", "max_tokens"), [(0, 0, None), (3, 3, None), (3, -1, None), (3, 1, 0)]
)
def test_sizes_that_make_no_sense_are_refused(
    words: int, overlap: int, max_tokens: int | None
) -> None:
    with pytest.raises(ValueError, match="overlap < words"):
        chunks("a", words=words, overlap=overlap, max_tokens=max_tokens)


def count(text: str) -> int:
    return 2 + (len(text) + 2) // 3
