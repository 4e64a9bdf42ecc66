"""What a model's answer is, once its reasoning is taken out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import RunFailed
from litemem.llm.answer import answer_text, error_text, one_line, without_thought


def body(content: object) -> bytes:
    return json.dumps({"choices": [{"message": {"content": content}}]}).encode()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("plain", "plain"),
        ("<think>hm</think>\n\nyes", "yes"),
        ("\n<thinking>\nhm\n</thinking>yes", "yes"),
        ("<think></think>{}", "{}"),
        ("<think>never ends", ""),
        ("hm, so\n</think>\n\nyes", "yes"),
        ("the tag </think> ends it", "the tag </think> ends it"),
        ("yes <think>hm</think>", "yes <think>hm</think>"),
        ('{"a": "b"}\n</think>\n{}', '{"a": "b"}\n</think>\n{}'),
        ("<thinker>x</thinker>", "<thinker>x</thinker>"),
    ],
)
def test_reasoning_before_an_answer_is_no_part_of_it(text: str, answer: str) -> None:
    assert without_thought(text) == answer


def test_the_text_parts_of_an_answer_are_joined() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, 7, {"text": "b"}]

    assert answer_text(body(parts)) == "ab"


@given(st.text().filter(lambda text: bool(text.strip()) and "think" not in text))
def test_an_answer_without_reasoning_comes_as_it_is(text: str) -> None:
    assert answer_text(body(text)) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "error", "refusal", "text"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.one_of(st.binary(max_size=40), JSON.map(lambda found: json.dumps(found).encode())))
def test_any_body_is_an_answer_or_one_clear_error(given_body: bytes) -> None:
    try:
        answer = answer_text(given_body)
    except RunFailed as error:
        answer = str(error)
        assert "\n" not in answer
    assert answer.strip()


@given(st.text())
def test_a_line_is_short_and_whole(text: str) -> None:
    line = one_line(text)

    assert len(line) <= 300
    assert len(line.split("\n")) == 1


def test_an_error_may_be_a_text_or_anything() -> None:
    assert error_text({"error": "bad"}) == "bad"
    assert error_text({"error": ["a"]}) == '["a"]'
    assert error_text({"error": None}) == error_text("x") == ""
