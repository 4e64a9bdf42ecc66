from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from litemem.errors import InvalidFact
from litemem.text.factline import format_fact, read_item, rewrite
from litemem.types import Fact, Origin, Seen

AT = datetime(2026, 2, 8, 14, 5, 12, tzinfo=UTC)
FACT = Fact(id="m7q2k9x4c1", content="Prefers compact dashboards", created_at=AT)
SHORT = '<!-- {"id":"m7q2k9x4c1","at":"2026-02-08T14:05:12Z"'


def shown(**changes: Any) -> str:  # noqa: ANN401 - any field of a Fact
    return format_fact(replace(FACT, **changes), heading_chat=None)


def test_a_plain_fact_is_text_with_its_id_and_date() -> None:
    assert shown() == f"- Prefers compact dashboards {SHORT}}} -->"


def test_category_and_tags_are_shown_and_the_rest_is_in_the_comment() -> None:
    line = shown(category="preference", tags=("ui", "c++"), importance=0.8, replaces="m41c7b9f02")

    comment = f'{SHORT},"importance":0.8,"replaces":"m41c7b9f02"}} -->'
    assert line == f"- [preference] Prefers compact dashboards #ui #c++ {comment}"


def test_source_seen_speaker_and_metadata_are_in_the_comment() -> None:
    line = shown(
        speaker="Caroline",
        metadata={"a": [1, None]},
        source=Origin(session="s1", line=12, at=AT),
        seen=Seen(n=2, last=AT.replace(microsecond=5)),
    )

    assert line.endswith(
        ',"speaker":"Caroline","metadata":{"a":[1,null]},'
        '"source":{"session":"s1","line":12,"at":"2026-02-08T14:05:12Z"},'
        '"seen":{"n":2,"last":"2026-02-08T14:05:12.000005Z"}} -->'
    )


def test_a_chat_is_written_only_where_the_heading_names_another() -> None:
    here = replace(FACT, chat_id="a")

    assert '"chat"' not in format_fact(here, heading_chat="a")
    assert '"chat":"a"' in format_fact(here, heading_chat="b")
    assert '"chat":null' in format_fact(FACT, heading_chat="b")


def test_dates_are_written_as_utc() -> None:
    east = datetime(2026, 2, 8, 23, 5, 12, tzinfo=timezone(timedelta(hours=9)))

    assert shown(created_at=east) == shown()


def test_line_breaks_are_indented_and_the_comment_ends_the_last_line() -> None:
    assert shown(content="one\n\n two") == f"- one\n\n   two {SHORT}}} -->"


def test_a_comment_behind_a_code_fence_gets_its_own_line() -> None:
    line = shown(content="try\n```\nx\n```", tags=("sh",))

    assert line == f"- try\n  ```\n  x\n  ```\n  #sh {SHORT}}} -->"
    assert read_item(line).content == "try\n```\nx\n```"
    assert read_item(line).tags == ("sh",)


def test_general_is_shown_only_before_a_text_that_begins_with_brackets() -> None:
    assert shown(content="[a] b").startswith("- [general] [a] b <!--")
    assert shown(content="[a]").startswith("- [a] <!--")
    assert shown(content="[x] done").startswith("- [x] done <!--")


@pytest.mark.parametrize("category", ["", "x", "X", " ", "a]b", "a\nb", "R&D", "-", "c" * 41, "a "])
def test_a_category_that_cant_be_shown_is_in_the_comment(category: str) -> None:
    line = shown(category=category)

    assert line.startswith("- Prefers compact dashboards <!--")
    assert read_item(line).category == category


@pytest.mark.parametrize("tag", ["", "a b", "1", "a,b", "#a", "a.", "a:", "(a)", "\0"])
def test_tags_that_cant_be_shown_are_in_the_comment(tag: str) -> None:
    line = shown(tags=("ok", tag))

    assert line.startswith("- Prefers compact dashboards <!--")
    assert read_item(line).tags == ("ok", tag)


@pytest.mark.parametrize(
    "tag", ["ui", "c++", "node.js", "v1.2", "type:bug", "a/b_c-d", "日本", "🎉"]
)
def test_tags_without_blanks_and_signs_are_shown(tag: str) -> None:
    assert f" #{tag} <!--" in shown(tags=(tag,))


def test_a_text_that_ends_in_a_tag_keeps_it() -> None:
    reading = read_item(shown(content="Fix #bug", tags=("ui",)))

    assert (reading.content, reading.tags) == ("Fix #bug", ("ui",))
    assert read_item(shown(content="Fix #bug")).tags == ()


@pytest.mark.parametrize(
    ("content", "visible"),
    [
        (" lead", "lead"),
        ("a  \nb\n", "a\n  b"),
        ("a\r\nb", "a\n  b"),
        ("a\rb\0c\x1b", "a\ufffdb\ufffdc\ufffd"),
        ("\x85", ""),
        ("  ", ""),
    ],
)
def test_what_a_line_cant_show_is_whole_in_the_comment(content: str, visible: str) -> None:
    line = shown(content=content, category="goal")

    bracket = "[goal] " if visible else ""
    assert line.startswith(f"- {bracket}{visible} <!--".replace("-  ", "- "))
    assert read_item(line).content == content
    assert read_item(line).category == "goal"


def test_an_edit_of_the_shown_text_wins_over_the_text_in_the_comment() -> None:
    line = shown(content="drinks  \ntea")

    assert read_item(line.replace("tea <", "coffee <")).content == "drinks\ncoffee"


def test_text_typed_behind_the_comment_belongs_to_the_fact() -> None:
    reading = read_item(shown(tags=("ui",)) + " and small fonts\n  - on phones")

    assert reading.content == "Prefers compact dashboards and small fonts\n- on phones"
    assert reading.tags == ("ui",)
    assert reading.fields["id"] == FACT.id


@pytest.mark.parametrize(
    ("line", "category", "content", "tags"),
    [
        ("- likes tea", "general", "likes tea", ()),
        ("* [goal] run  a marathon #sport", "goal", "run  a marathon", ("sport",)),
        ("+ [to do/now] x", "to do/now", "x", ()),
        ("-\t[वरीयता] x", "वरीयता", "x", ()),
        ("- [ ] todo", "general", "[ ] todo", ()),
        ("- [x] done #a", "general", "[x] done", ("a",)),
        ("- [X] done", "general", "[X] done", ()),
        ("- [-] dropped", "general", "[-] dropped", ()),
        ("- [text](url)", "general", "[text](url)", ()),
        ("- [[wiki link]] x", "general", "[[wiki link]] x", ()),
        ("- [^1]: note", "general", "[^1]: note", ()),
        ("- [idea]", "general", "[idea]", ()),
        ("- [idea] #a", "idea", "#a", ()),
        ("- #a #b", "general", "#a #b", ()),
        ("- issue #12", "general", "issue #12", ()),
        ("- in C# and F#", "general", "in C# and F#", ()),
        ("- run `pip install foo`", "general", "run `pip install foo`", ()),
        ("- a #b  #c \r", "general", "a", ("b", "c")),
        ("- a\n\tb\n    c\n \td\n\n  e", "general", "a\nb\n  c\nd\n\ne", ()),
        ("-\n  a", "general", "a", ()),
        ("- a <!-- todo -->", "general", "a <!-- todo -->", ()),
    ],
)
def test_hand_written_lines_read_as_meant(
    line: str, category: str, content: str, tags: tuple[str, ...]
) -> None:
    reading = read_item(line)

    assert (reading.category, reading.content, reading.tags) == (category, content, tags)
    assert reading.comment is None
    assert reading.problems == ()


def test_a_broken_comment_is_text_and_is_named() -> None:
    reading = read_item('- a #b <!-- {"id": oops} -->')

    assert reading.content == '- a #b <!-- {"id": oops} -->'[2:]
    assert reading.problems == ("the comment isn't a JSON object; it was read as text",)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("importance", '"high"'), ("importance", "2"), ("importance", "true"), ("at", '"soon"'),
        ("at", '"2026-02-08T14:05:12"'), ("at", "7"), ("at", '"0001-01-01T00:00:00+09:00"'),
        ("tags", '"a"'), ("tags", "[1]"), ("id", '""'), ("id", '"a b"'), ("metadata", "[]"),
        ("replaces", "null"), ("source", "{}"), ("source", '{"session":"s","line":true}'),
        ("seen", '{"n":0,"last":"2026-02-08T14:05:12Z"}'), ("seen", "3"), ("category", "null"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named_and_costs_nothing_else(key: str, value: str) -> None:
    reading = read_item(f'- [c] a #b <!-- {{"speaker":"Z","{key}":{value}}} -->')

    assert (reading.category, reading.content, reading.tags) == ("c", "a", ("b",))
    assert reading.fields == {"speaker": "Z"}
    assert reading.problems == (f"the comment's {key} can't be read; it was ignored",)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", "9" * 5000])
def test_a_number_that_isnt_json_breaks_the_comment(number: str) -> None:
    reading = read_item(f'- a <!-- {{"metadata":{{"n":{number}}}}} -->')

    assert reading.comment is None
    assert len(reading.problems) == 1


def test_lone_surrogates_escaped_in_a_comment_are_replaced() -> None:
    reading = read_item(
        r'- a <!-- {"metadata":{"\ud800":["\udfff",1]},"speaker":"\ud83c\udf89"} -->'
    )

    assert reading.fields == {"metadata": {"\ufffd": ["\ufffd", 1]}, "speaker": "🎉"}


@pytest.mark.parametrize(
    "change",
    [
        {"content": ""}, {"content": "\ud800"}, {"id": ""}, {"id": "a b"}, {"replaces": "\n"},
        {"importance": 1.5}, {"importance": -0.1}, {"importance": math.nan},
        {"created_at": AT.replace(tzinfo=None)}, {"metadata": {"a": math.inf}},
        {"created_at": datetime.min.replace(tzinfo=timezone(timedelta(hours=1)))},
        {"metadata": {"a": object()}}, {"metadata": {"a": "\udfff"}}, {"tags": ("\ud800",)},
        {"category": "\ud800"}, {"seen": Seen(n=0, last=AT)},
    ],
)  # fmt: skip
def test_a_fact_out_of_range_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InvalidFact):
        shown(**change)


def test_a_loop_in_metadata_is_refused() -> None:
    loop: list[object] = []
    loop.append(loop)

    with pytest.raises(InvalidFact, match="JSON"):
        shown(metadata={"a": loop})


def test_a_comment_nested_beyond_reading_is_text() -> None:
    deep = '- a <!-- {"a":' + "[" * 100_000 + "]" * 100_000 + "} -->"

    assert read_item(deep).content == deep[2:]


def test_rewriting_keeps_text_and_unknown_keys() -> None:
    raw = '*  [goal] a  b #x <!-- {"id":"m1","mine":[1]} --> c  \r'
    new = replace(FACT, category="goal", tags=("x", "y"))

    assert rewrite(raw, new, heading_chat=None) == (
        f'*  [goal] a  b #x #y {SHORT},"mine":[1]}} --> c  \r'
    )


def test_rewriting_gives_a_hand_written_line_its_comment() -> None:
    assert rewrite("- a\n\tb  \r", FACT, heading_chat=None) == f"- a\n\tb {SHORT}}} -->  \r"


def test_rewriting_keeps_a_text_that_the_line_cant_show() -> None:
    line = shown(content="a \nb")

    assert (
        read_item(rewrite(line, replace(FACT, importance=1), heading_chat=None)).content == "a \nb"
    )


def test_a_100_kb_text_survives() -> None:
    content = "word <!-- { --> #x [a] \n" * 4_500 + "."

    assert read_item(shown(content=content)).content == content


def test_a_fact_that_takes_the_place_of_several_lists_them() -> None:
    fact = Fact(id="m1", content="a", created_at=AT, replaces="m2", merges=("m3", "m4"))

    assert '"replaces":["m2","m3","m4"]' in format_fact(fact, heading_chat=None)


@pytest.mark.parametrize(
    ("written", "parents"),
    [
        ('"m2"', ("m2",)),
        ('["m2"]', ("m2",)),
        ('["m2","m3","m2"]', ("m2", "m3")),
        ("[]", ()),
        ('["m2",3]', ()),
    ],
)
def test_replaced_ids_are_read_as_one_or_a_list(written: str, parents: tuple[str, ...]) -> None:
    reading = read_item(f'- a <!-- {{"id":"m1","replaces":{written}}} -->')

    fact = Fact(content="a", created_at=AT, **reading.fields)
    assert fact.parents == parents
    assert bool(reading.problems) == (not parents)


@pytest.mark.parametrize(
    ("replaces", "merges"), [(None, ("m2",)), ("m2", ("m2",)), ("m2", ("a b",))]
)
def test_merges_that_name_a_fact_twice_or_no_main_one_are_refused(
    replaces: str | None, merges: tuple[str, ...]
) -> None:
    fact = Fact(id="m1", content="a", created_at=AT, replaces=replaces, merges=merges)

    with pytest.raises(InvalidFact):
        format_fact(fact, heading_chat=None)
