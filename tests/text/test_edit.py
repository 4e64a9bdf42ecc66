from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from litemem.errors import InvalidFact
from litemem.text.dailylog import entry, parse_log, remove_items, rewrite_items
from litemem.types import Fact

AT = datetime(2026, 2, 8, 14, 5, 12, tzinfo=UTC)
FACT = Fact(id="m1", content="a", created_at=AT)
DAY = date(2026, 2, 8)
COMMENT = '<!-- {"id":"m1","at":"2026-02-08T14:05:12Z"} -->'


def test_a_removed_item_takes_all_its_lines_along() -> None:
    text = "# D\n\n- a\n  b\n\n  c\n- d\nprose\n- e"

    assert remove_items(text, [3]).text == "# D\n\n- d\nprose\n- e"
    assert remove_items(text, {7, 9}).text == "# D\n\n- a\n  b\n\n  c\nprose\n"


def test_removing_nothing_changes_nothing() -> None:
    assert remove_items("# D\r\n- a\udcff", []).text == "# D\r\n- a\udcff"


def test_a_heading_of_ours_goes_with_its_last_fact() -> None:
    text = "# D\n\n## 14:05 · chat a\n\n- a\n- b\n\n## 14:06\n\n- c\n"

    assert remove_items(text, [5, 6]).text == "# D\n\n\n## 14:06\n\n- c\n"
    assert remove_items(text, [5, 10]).text == "# D\n\n## 14:05 · chat a\n\n- b\n\n"


@pytest.mark.parametrize("below", ["prose\n", "### deeper\n", "```\n- x\n```\n", "1. one\n"])
def test_a_heading_with_anything_else_below_it_stays(below: str) -> None:
    assert remove_items(f"## 14:05\n- a\n{below}", [2]).text == f"## 14:05\n{below}"


def test_other_headings_stay() -> None:
    assert remove_items("## 14:05 — abc12345\n- a\n## Plans\n- b\n", [2, 4]).text == (
        "## 14:05 — abc12345\n## Plans\n"
    )


def test_removing_the_first_line_makes_no_front_matter() -> None:
    assert remove_items("\ufeff- a\n---\n- b\n---\n", [1]).text == "\ufeff\n---\n- b\n---\n"


@pytest.mark.parametrize("line", [0, 1, 3, 99])
def test_a_line_that_begins_no_item_is_refused(line: int) -> None:
    with pytest.raises(ValueError, match="no list item"):
        remove_items("# D\n- a\n  b\n", [line])
    with pytest.raises(ValueError, match="no list item"):
        rewrite_items("# D\n- a\n  b\n", {line: FACT})


def test_a_removal_names_the_lines_that_went() -> None:
    text = "# D\n\n## 14:05\n\n- a\n\n  b\n## 14:06\n- c\n- d"

    assert remove_items(text, [5, 10]).gone == (3, 4, 5, 6, 7, 10)


def test_a_line_that_becomes_blank_has_not_gone() -> None:
    assert remove_items("- a\n---\n- b\n", [1]).gone == ()


def test_several_lines_are_rewritten_at_once() -> None:
    text = "- a\n  b\n## x\n- c\n- d\n"

    after = rewrite_items(text, {5: replace(FACT, id="m5"), 1: replace(FACT, id="m1")})

    assert after == rewrite_items(
        rewrite_items(text, {1: replace(FACT, id="m1")}), {5: replace(FACT, id="m5")}
    )


def test_a_rewritten_line_keeps_its_bytes_but_the_comment() -> None:
    text = "\ufeff*  caf\udce9 \r\n## x\r\n- b\r\n"

    assert rewrite_items(text, {1: FACT}) == f"\ufeff*  caf\udce9 {COMMENT} \r\n## x\r\n- b\r\n"


def test_a_rewritten_line_names_its_chat_where_the_heading_doesnt() -> None:
    text = "## 14:05 · chat a\n- b\n"

    assert COMMENT in rewrite_items(text, {2: replace(FACT, chat_id="a")})
    assert '"chat":null' in rewrite_items(text, {2: FACT})


def test_an_older_bullet_is_rewritten_in_our_form() -> None:
    text = "## 14:05 — abc12345\r\n- [goal] Run `sport`\r\n- next\r\n"
    fact = replace(FACT, content="Run", category="goal", tags=("sport",), chat_id="abc12345")
    after = rewrite_items(text, {2: fact})

    assert after == f"## 14:05 — abc12345\r\n- [goal] Run #sport {COMMENT}\r\n- next\r\n"
    assert parse_log(after, day=DAY, key="k", zone=UTC).items[0].fact == fact
    assert f"- next {COMMENT}" in rewrite_items(
        text, {3: replace(fact, category="general", tags=())}
    )


def test_a_bad_byte_in_the_comment_is_replaced_on_rewriting() -> None:
    assert '"mine":"\ufffd"' in rewrite_items(
        '- a <!-- {"id":"m1","mine":"\udcff"} -->\n', {1: FACT}
    )


def test_a_refused_fact_is_an_error() -> None:
    with pytest.raises(InvalidFact):
        rewrite_items("- a\n", {1: replace(FACT, importance=2)})


def test_a_fact_can_be_rewritten_again_and_again() -> None:
    text = entry([replace(FACT, tags=("x",))], day=DAY, zone=UTC, tail=None)
    there = rewrite_items(
        text, {5: replace(FACT, importance=0.9, tags=("y", "z"), category="goal")}
    )

    assert "- [goal] a #y #z <!--" in there
    assert rewrite_items(there, {5: replace(FACT, tags=("x",))}) == text
