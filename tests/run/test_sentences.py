"""Transcripts cut into passages."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.run.sentences import PACKED_CHARS, Passage, passages, sentences
from litemem.run.turns import SUMMARY_HEADING

LINES = st.text(st.sampled_from("ab Z1.!?…。！？”」) \t,·é中文\u2028\r"), max_size=400)


def texts(transcript: str) -> list[str]:
    return [passage.text for passage in passages(transcript)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("One. Two! Three?", ["One. ", "Two! ", "Three?"]),
        ('He said "Stop." Then he left.', ['He said "Stop." ', "Then he left."]),
        ("Flask 0.6.2 reads app.py. Good.", ["Flask 0.6.2 reads app.py. ", "Good."]),
        ("Dr. Who met J. Smith, e.g. Here.", ["Dr. Who met J. Smith, e.g. Here."]),
        ("1. Install it. 2. Run it.", ["1. Install it. ", "2. Run it."]),
        ("wait... what", ["wait... what"]),
        ("我们决定用它。端口是8443！好吗？好", ["我们决定用它。", "端口是8443！", "好吗？", "好"]),
        ("他说：“走吧。”然后走了。", ["他说：“走吧。”", "然后走了。"]),
        ("", []),
    ],
)
def test_a_line_is_split_where_sentences_end(line: str, expected: list[str]) -> None:
    assert sentences(line) == expected


@given(LINES)
def test_sentences_joined_are_the_line(line: str) -> None:
    assert "".join(sentences(line)) == line


@given(st.lists(LINES, max_size=5).map("\n".join))
def test_passages_are_pieces_of_lines_in_order_and_hold_all_words(transcript: str) -> None:
    found, at = texts(transcript), 0
    for text in found:
        assert "\n" not in text
        at = transcript.index(text, at) + len(text)
    assert [c for text in found for c in text if c.isalnum()] == [
        c for c in transcript if c.isalnum()
    ]


def test_short_sentences_of_a_line_stay_together() -> None:
    line = "I moved to Lisbon. In March. It was cold. " + "Then much more happened there. " * 5

    assert texts(line)[0].startswith("I moved to Lisbon. In March. It was cold.")
    assert all(len(text) <= PACKED_CHARS for text in texts(line))


@pytest.mark.parametrize("filler", ['{"key":"value"},', "x", "词", "word "])
def test_a_line_without_an_end_is_cut(filler: str) -> None:
    assert all(len(text) <= 300 for text in texts(filler * 500))


def test_passages_know_who_speaks_and_what_a_tool_said() -> None:
    transcript = (
        f"Before.\n\nuser:\n{SUMMARY_HEADING}\nuser:\nOld wish.\n\nassistant:\nOn it.\n"
        'tool_call ls({"path":"."})\n\ntool:\ntool_result -> a.py\n---\n'
    )

    assert passages(transcript) == [
        Passage(text="Before.", role=""),
        Passage(text="Old wish.", role="user"),
        Passage(text="On it.", role="assistant"),
        Passage(text='tool_call ls({"path":"."})', role="assistant", tool=True),
        Passage(text="tool_result -> a.py", role="tool", tool=True),
    ]


@pytest.mark.parametrize("run", ["!", "...?", "!'", "。", "！”", ". ", "!\t"])
def test_a_long_run_of_ends_takes_time_in_its_length_alone(run: str) -> None:
    start = time.thread_time()
    sentences(run * 50_000)

    assert time.thread_time() - start < 1.0
