"""What a query asks, told apart from what stands around it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.text.asking import questions, speakers, unlabelled

WORDS = st.text(st.characters(categories=["Ll"]), min_size=4, max_size=9)
TEXTS = st.text() | st.lists(st.sampled_from(["a?", "b\n", "user: ", "Who? ", "！", " "])).map(
    "".join
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Bart: hi\nAssistant: Nice!\nBart: yes", "Bart: hi\nNice!\nBart: yes"),
        ("User\uff1a你好\n  human: hi", "你好\nhi"),
        ("system: linux", "system: linux"),
        ("Assistant: \nuser:\n", "Assistant: \nuser:\n"),
        ("the tool: a\nhammer", "the tool: a\nhammer"),
    ],
)
def test_roles_of_a_pasted_dialogue_are_nobody(text: str, left: str) -> None:
    assert unlabelled(text) == left


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Bart: hi\nAssistant: Nice!\nBart: yes", ("bart",)),
        ("  Ann Lee : hi\n\nBob: hi\nAnn Lee: so?\nBob: so.", ("ann lee", "bob")),
        ("Ann: hi\nassistant: Nice!", ("ann",)),
        ("小明\uff1a你好\n助手\uff1a好\n小明\uff1a再见", ("小明",)),
        ("Ann: hi", ()),
        ("Ann: hi\nBob: hi", ()),
        ("user: hi\nassistant: hi", ()),
        ("Me: hi\nBob: hi\nMe: so?\nBob: so.", ("bob",)),
        ("see http://a\nsee http://b", ()),
        ("12:30 tea\n12:45 cake", ()),
    ],
)
def test_a_dialogue_says_who_speaks(text: str, names: tuple[str, ...]) -> None:
    assert speakers(text) == names


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Where is Ann? And who is Bob?", ("Where is Ann?", "And who is Bob?")),
        ("上司是做什么的呢？另外，地点是什么？", ("上司是做什么的呢？", "另外，地点是什么？")),
        ("It rains. Where is Ann? I mean, who is she?", ("Where is Ann?", "I mean, who is she?")),
        ("Where is Ann?", ()),
        ("Where is Ann? Ok?", ()),
        ("see http://a.example/?who=ann&where=oslo for more?", ()),
        ("Bart: who are you?\nLisa: who is he?", ()),
        ("no question at all", ()),
    ],
)
def test_each_question_of_several_is_asked(text: str, asked: tuple[str, ...]) -> None:
    assert questions(text) == asked


@given(st.lists(WORDS, min_size=2, max_size=9))
def test_questions_come_in_their_order_and_four_at_most(words: list[str]) -> None:
    asked = [f"{word}?" for word in words]

    assert list(questions(" ".join(asked))) == asked[:4]


@given(TEXTS)
def test_any_text_can_be_asked(text: str) -> None:
    found = questions(text)

    assert len(found) != 1
    assert all(one in text and one.strip() == one for one in found)


@given(st.lists(WORDS, min_size=1, max_size=5, unique=True), st.data())
def test_who_speaks_twice_is_named_once_in_order(names: list[str], data: st.DataObject) -> None:
    names = [name for name in names if name not in {"note", "question", "answer"}]
    again = data.draw(st.permutations(names))
    lines = [f"{name.title()}: {data.draw(WORDS)}" for name in [*names, *again]]

    assert speakers("\n".join(lines)) == tuple(name.title().casefold() for name in names)


@given(TEXTS)
def test_speakers_stand_in_the_text_and_roles_are_none_of_them(text: str) -> None:
    found = speakers(text)

    assert len(set(found)) == len(found)
    assert all(name in text.casefold() for name in found)
    assert not {"user", "assistant", "system", "human", "ai"}.intersection(found)


@given(st.text().filter(lambda text: "\n" not in text.strip()))
def test_a_single_line_stays_as_it_is(text: str) -> None:
    assert unlabelled(text) == text
