from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.text.currently import Span, currently, plain, read_currently

texts = (
    st.one_of(
        st.text(max_size=30),
        st.sampled_from(
            [
                "Works at Google.",
                "我住在北京",
                "a, since then",
                "x (until 2026-01-01)",
                "y; before: z",
                "Currently: a",
                "since 2026-01-01",
                "，自 2026-01-01 起",
            ]
        ),
    )
    .map(plain)
    .filter(bool)
)
days = st.dates(min_value=date(1000, 1, 1))
spans = st.lists(st.builds(Span, text=texts, since=days), min_size=2, max_size=5)


def test_it_says_what_holds_since_when_and_what_held_before() -> None:
    said = currently(
        [
            Span(text="works at Google", since=date(2025, 1, 1)),
            Span(text="works at Apple", since=date(2026, 2, 1)),
            Span(text="works at Microsoft", since=date(2026, 5, 1)),
        ]
    )

    assert said == (
        "Currently: works at Microsoft, since 2026-05-01; before: works at Apple "
        "(until 2026-05-01); works at Google (until 2026-02-01)"
    )


def test_it_is_said_in_chinese_of_chinese() -> None:
    said = currently(
        [
            Span(text="住在北京", since=date(2025, 1, 1)),
            Span(text="住在上海", since=date(2026, 2, 1)),
        ]
    )

    assert said == "目前：住在上海，自 2026-02-01 起；此前：住在北京（至 2026-02-01）"


@given(spans)
def test_what_was_written_is_read_back(some: list[Span]) -> None:
    now, before = read_currently(currently(some)) or (None, ())

    assert now == some[-1]
    assert [text for text, _ in before] == [span.text for span in some[:-1]][::-1]
    assert [until for _, until in before] == [span.since for span in some[1:]][::-1]


def test_of_many_texts_the_latest_five_are_named() -> None:
    some = [Span(text=f"is {n}", since=date(2000 + n, 1, 1)) for n in range(9)]

    read = read_currently(currently(some))

    assert read is not None
    assert [text for text, _ in read[1]] == ["is 7", "is 6", "is 5", "is 4", "is 3"]


@pytest.mark.parametrize(
    "text",
    ["", "works", "Currently: a, since 2026-02-31; before: b (until 2026-01-01)", "Currently: a"],
)
def test_another_text_is_none(text: str) -> None:
    assert read_currently(text) is None


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    read_currently(text)
