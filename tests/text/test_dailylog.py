from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from litemem.text.dailylog import Log, entry, parse_log
from litemem.text.ids import derived_id
from litemem.types import Fact

DAY = date(2026, 2, 8)
ZONE = timezone(timedelta(hours=1))
KEY = "memory/2026-02-08.md"
AT = datetime(2026, 2, 8, 14, 5, 12, tzinfo=UTC)
FACT = Fact(id="m7q2k9x4c1", content="Lives in Lisbon", created_at=AT, chat_id="telegram-user123")
ITEM = '- Lives in Lisbon <!-- {"id":"m7q2k9x4c1","at":"2026-02-08T14:05:12Z"} -->\n'


def read(text: str, *, zone: tzinfo = ZONE, day: date = DAY) -> Log:
    return parse_log(text, day=day, key=KEY, zone=zone)


def contents(text: str) -> list[str]:
    return [item.fact.content for item in read(text).items]


def added(facts: Sequence[Fact], tail: str | None) -> str:
    return entry(facts, day=DAY, zone=ZONE, tail=tail)


def test_a_new_log_has_a_header_and_a_heading_in_local_time() -> None:
    assert added([FACT], None) == (f"# 2026-02-08\n\n## 15:05 · chat telegram-user123\n\n{ITEM}")
    assert added([FACT], "") == added([FACT], None)


def test_nothing_is_added_for_no_facts() -> None:
    assert added([], None) == ""


def test_the_same_minute_and_chat_go_on_below_their_heading() -> None:
    assert added([FACT], added([FACT], None)) == ITEM
    assert added([FACT, FACT], None) == added([FACT], None) + ITEM


def test_another_minute_or_chat_gets_a_heading() -> None:
    log = added([FACT], None)

    assert added([replace(FACT, chat_id=None)], log) == f"\n## 15:05\n\n{ITEM}"
    assert added([replace(FACT, created_at=AT + timedelta(minutes=1))], log).startswith(
        "\n## 15:06 · chat telegram-user123\n\n"
    )


def test_a_heading_is_repeated_where_anything_but_facts_stands_below_it() -> None:
    log = added([FACT], None)

    for below in ["prose\n", "```\n", "<!--\n", "### more\n", "---\n", "- a -->\n", "#tag\n"]:
        assert "## 15:05" in added([FACT], log + below)
    assert added([FACT], log + "- mine\n") == ITEM


def test_a_heading_out_of_sight_is_repeated() -> None:
    assert "## 15:05" in added([FACT], added([FACT], None)[-60:])


def test_a_last_line_without_line_feed_gets_one() -> None:
    assert (
        added([FACT], "# 2026-02-08\n- mine") == f"\n\n## 15:05 · chat telegram-user123\n\n{ITEM}"
    )
    assert added([FACT], added([FACT], None).rstrip()) == "\n" + ITEM


def test_a_chat_that_a_heading_cant_show_is_in_the_comment() -> None:
    for chat in ["", " a", "a\n## 15:05", "a\u2028b", "a\0", "-->"]:
        log = added([replace(FACT, chat_id=chat)], None)

        assert "\n## 15:05\n" in log
        assert [item.fact.chat_id for item in read(log).items] == [chat]


def test_items_know_their_lines() -> None:
    log = read(f"# D\n\n- a\n  b\n\n  c\n\n{ITEM}")

    assert [(item.line, item.end, item.explicit) for item in log.items] == [
        (3, 7, False),
        (8, 9, True),
    ]


def test_hand_written_facts_take_time_and_chat_from_our_headings() -> None:
    log = read("- early\n## 09:30 · chat a b\n- one\n### deeper\n- two\n## Plans\n- three\n")

    assert [(item.fact.created_at, item.fact.chat_id) for item in log.items] == [
        (datetime(2026, 2, 7, 23, tzinfo=UTC), None),
        (datetime(2026, 2, 8, 8, 30, tzinfo=UTC), "a b"),
        (datetime(2026, 2, 8, 8, 30, tzinfo=UTC), "a b"),
        (datetime(2026, 2, 7, 23, tzinfo=UTC), None),
    ]


def test_clock_times_follow_the_zone_through_the_year() -> None:
    log = read("## 09:30\n- a\n", zone=ZoneInfo("Europe/Zurich"), day=date(2026, 7, 1))

    assert log.items[0].fact.created_at == datetime(2026, 7, 1, 7, 30, tzinfo=UTC)


def test_days_at_the_end_of_time_can_be_read_and_written() -> None:
    first = read("- a\n", day=date.min).items[0].fact
    last = Fact(id="m1", content="b", created_at=datetime.max.replace(tzinfo=UTC))

    assert first.created_at == datetime.min.replace(tzinfo=UTC)
    assert read(added([last], None)).items[0].fact == last


def test_older_forms_are_read() -> None:
    log = read(
        "## 14:05 — abc12345\n\n- [preference] Prefers tea `drinks morning`\n"
        "- Run `pip install foo` first\n"
        "## 14:06 - Chat: telegram-1\n\n- **[goal]** Run a marathon (importance: 0.8)\n"
        "  - Tags: sport, long run\n- **[goal]** Swim\n  in May\n"
    )

    assert [
        (f.content, f.category, f.tags, f.importance, f.chat_id)
        for f in (item.fact for item in log.items)
    ] == [
        ("Prefers tea", "preference", ("drinks", "morning"), 0.5, "abc12345"),
        ("Run `pip install foo` first", "general", (), 0.5, "abc12345"),
        ("Run a marathon", "goal", ("sport", "long run"), 0.8, "telegram-1"),
        ("Swim\nin May", "goal", (), 0.5, "telegram-1"),
    ]
    assert log.items[0].fact.created_at == datetime(2026, 2, 8, 13, 5, tzinfo=UTC)


def test_older_bullets_are_text_elsewhere() -> None:
    assert contents("## 14:05\n- Run `pip install foo`\n- **[goal]** x (importance: 0.8)\n") == [
        "Run `pip install foo`",
        "**[goal]** x (importance: 0.8)",
    ]
    assert contents(f"## 14:05 — abc12345\n{ITEM.replace('Lisbon', '`a b`')}") == ["Lives in `a b`"]
    assert contents("## 14:05 — abc12345\n- `a b`\n- a `\n- ``\n- x (importance: 7)\n") == [
        "`a b`",
        "a `",
        "``",
        "x (importance: 7)",
    ]


def test_what_a_person_wrote_around_the_facts_is_no_fact() -> None:
    text = (
        "---\ntags:\n- yaml\n---\n# D\nprose\n1. one\n   - part of one\n2) two\n> - quoted\n"
        "```md\n- code\n```\n~~~~\n- code\n```\n~~~\n~~~~\n<!-- one line -->\n<!--\n- hidden "
        '<!-- {"id":"m1"} -->\n- and\n  so --> on <!-- {"id":"m2"} -->\n-->\n* * *\n- - -\n#\n'
        "    - indented code\n-\n- a\n"
    )

    assert contents(text) == ["a"]
    assert read(text).problems == ()


def test_what_is_never_closed_hides_nothing_and_is_named() -> None:
    log = read("- a\n```\n- b\n<!--\n- c\n")

    assert [item.fact.content for item in log.items] == ["a", "b", "c"]
    assert log.problems == (
        (2, "this code fence is never closed; it hides nothing"),
        (4, "this comment is never closed; it hides nothing"),
    )


def test_a_rule_in_the_first_line_isnt_front_matter_unless_closed() -> None:
    assert contents("---\n- a\n") == ["a"]
    assert contents("---\n- a\n...\n- b\n") == ["b"]


def test_a_bad_clock_time_is_named_and_midnight_taken() -> None:
    log = read("## 25:99 · chat a\n- b\n")

    assert log.problems == ((1, "25:99 is no time of day"),)
    assert log.items[0].fact.created_at == datetime(2026, 2, 7, 23, tzinfo=UTC)
    assert log.items[0].fact.chat_id == "a"


def test_problems_of_comments_carry_their_line() -> None:
    log = read('# D\n- a <!-- {"importance":7} -->\n- b <!-- {oops} -->\n- <!-- {"id":"m1"} -->\n')

    assert [line for line, _ in log.problems] == [2, 3, 4]
    assert [item.fact.content for item in log.items] == ["a", "b <!-- {oops} -->"]


def test_bytes_that_arent_utf8_are_replaced_and_named() -> None:
    log = read(b"prose \xff\n- caf\xe9 #t\xe9\n".decode(errors="surrogateescape"))

    assert [item.fact.content for item in log.items] == ["caf\ufffd"]
    assert [item.fact.tags for item in log.items] == [("t\ufffd",)]
    assert [line for line, _ in log.problems] == [1, 2]


def test_ids_of_hand_written_lines_stay_when_other_lines_change() -> None:
    before = {item.fact.content: item.fact.id for item in read("- a\n- b\n").items}
    after = {item.fact.content: item.fact.id for item in read("# x\n- c\n- [k] b #t\n- a\n").items}

    assert before == {"a": derived_id(KEY, "a", 0), "b": derived_id(KEY, "b", 0)}
    assert before.items() <= after.items()


def test_equal_hand_written_lines_have_ids_of_their_own() -> None:
    assert [item.fact.id for item in read("- a\n- a\n").items] == [
        derived_id(KEY, "a", 0),
        derived_id(KEY, "a", 1),
    ]


def test_a_line_that_took_its_derived_id_over_leaves_its_equals_theirs() -> None:
    first, second = (derived_id(KEY, "a", occurrence) for occurrence in range(2))
    log = read(f'- a <!-- {{"id":"{first}"}} -->\n- a\n')

    assert [item.fact.id for item in log.items] == [first, second]
