from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from litemem.text.section import CLOSE, OPEN, replace_section

lines = st.lists(
    st.one_of(st.sampled_from([OPEN, CLOSE, "# Mine", "", "<!--", "-->"]), st.text(max_size=20))
)
texts = st.builds(lambda parts, end: end.join(parts), lines, st.sampled_from(["\n", "\r\n"]))


def test_a_section_is_added_at_the_end_and_then_replaced() -> None:
    once = replace_section("# Mine\n\nwords", "- a\n")
    twice = replace_section(once, "- b\n")

    assert once == f"# Mine\n\nwords\n\n{OPEN}\n- a\n{CLOSE}\n"
    assert twice == f"# Mine\n\nwords\n\n{OPEN}\n- b\n{CLOSE}\n"


def test_what_stands_before_and_after_stays() -> None:
    text = f"before \r\n{OPEN}\r\nold\n{CLOSE}\n\tafter\r\n"
    new = f"before \r\n{OPEN}\r\nnew\r\n{CLOSE}\n\tafter\r\n"

    assert replace_section(text, "new") == new
    assert replace_section("a\n", "new") == f"a\n\n{OPEN}\nnew\n{CLOSE}\n"


def test_a_beginning_without_an_end_swallows_nothing() -> None:
    text = f"{OPEN}\nmy own words\n"

    assert replace_section(replace_section(text, "a"), "b").startswith(text)


@given(texts, texts, texts)
@example("", "", "")
@example(f"{OPEN}\n{OPEN}\n{CLOSE}", f"{CLOSE}\n", "x")
def test_the_second_section_stands_where_the_first_stood(text: str, one: str, two: str) -> None:
    assert replace_section(replace_section(text, one), two) == replace_section(text, two)


@given(texts, texts)
def test_no_body_can_end_the_section(text: str, body: str) -> None:
    whole = replace_section(text, body)
    plain = replace_section(text, "")

    assert (whole.count(OPEN), whole.count(CLOSE)) == (plain.count(OPEN), plain.count(CLOSE))
