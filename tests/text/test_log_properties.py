"""What holds for any fact, any log, and any hand-made text around it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

from hypothesis import example, given
from hypothesis import strategies as st

from litemem.text.dailylog import Log, entry, parse_log, remove_items, rewrite_items
from litemem.text.factline import format_fact
from litemem.text.headings import read_heading
from litemem.types import Fact, Origin, Seen

DAY = date(2026, 2, 8)
ZONE = timezone(timedelta(hours=5, minutes=30))
SIGNS = r"""
--> <!-- --!> [x] [ ] # #x #1 ``` ~~~ --- ... [a] [[wiki]] [t](url) [general] + \ " ' {} &lt; é 🎉
日本語 `a` 1. **[a]** | - * #ui c++ a/b node.js
""".split()  # noqa: SIM905 - shorter
ODD = [
    *SIGNS,
    *["<!-- {", '<!-- {"id":"m1"} -->', "- [x] done", "[x] done", "# heading", "## 14:05 · chat a"],
    *["run `pip install x`", "[a] b", "[^1]: note", " #x", "# x #y", "a --> b", "- - -", "x  "],
    *["\u202eabc", "\u2066", "a\u2028b", "a\u2029b", "\x85", "\x85x", "\0", "\r", "\r\n"],
    *["\ufeff", "\xa0", "\x1b[31m", "  - Tags: a, b", "**[a]** b (importance: 0.8)", "  ", "\t"],
]
chars = st.characters(exclude_categories=["Cs"])
texts = st.one_of(
    st.text(chars, min_size=1, max_size=30),
    st.sampled_from(ODD),
    st.lists(
        st.one_of(st.sampled_from(ODD), st.text(chars, max_size=8)), min_size=1, max_size=6
    ).flatmap(
        lambda parts: st.sampled_from([" ", "\n", "", "\n\n"]).map(lambda gap: gap.join(parts))
    ),
).filter(bool)
names = st.one_of(
    st.text(chars, max_size=10), st.sampled_from([*ODD, "ui", "c++", "a/b", "node.js"])
)
categories = st.one_of(names, st.sampled_from(["general", "preference", "x", "X", "to do", "R&D"]))
instants = st.datetimes(
    min_value=datetime(2, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
    max_value=datetime(9998, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)
ids = st.integers(0, 10**9 - 1).map(lambda number: f"m{number:09d}")
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=5,
)  # fmt: skip
single_facts = st.builds(
    Fact,
    id=ids,
    content=texts,
    created_at=instants,
    category=categories,
    importance=st.one_of(st.just(0.5), st.floats(0, 1)),
    tags=st.lists(names, max_size=3).map(tuple),
    chat_id=st.one_of(st.none(), st.sampled_from(["a", "b c", "-->"]), names),
    speaker=st.one_of(st.none(), names),
    metadata=st.dictionaries(names, values, max_size=3),
    replaces=st.one_of(st.none(), ids),
    source=st.one_of(
        st.none(),
        st.builds(
            Origin,
            session=names,
            line=st.none() | st.integers(0, 10**6),
            at=st.none() | instants,
        ),
    ),
    seen=st.one_of(st.none(), st.builds(Seen, n=st.integers(1, 10**6), last=instants)),
)
merging = st.lists(ids, min_size=2, max_size=4, unique=True)
facts = st.one_of(
    single_facts,
    st.builds(
        lambda fact, many: replace(fact, replaces=many[0], merges=tuple(many[1:])),
        single_facts,
        merging,
    ),
)
LINES = """
# x
## 14:05
## 14:05 · chat a
## 14:05 · chat a\r
## 25:99
## 14:05 — abc12345
## 14:05 - Chat: z
## other
### deeper
---
...
```
````
```py
  ```
~~~
<!--
<!-- one line -->
-->
x -->
prose
prose --> x
  more
\tmore
    deep
   \x20
- a
- a
- a\r
* b #t
+ c
-
 - one
  - two
- x --> y
- - -
* * *
- m <!-- {"id":"q1"} -->
- m <!-- {"id": oops} -->
- m <!-- {
- <!-- {"id":"q2"} -->
- e <!-- {} --> f
- [cat] two #t <!-- {"id":"q3","mine":[1],"importance":0.9} --> and more
1. one
> quote
- [c] t `a b`
- **[c]** t (importance: 0.8)
  - Tags: a, b
- [ ] todo
- [x] done
- [preference] likes tea #a #b
- bad \udcff byte
\ufeff
""".split("\n")  # noqa: SIM905 - as they stand in a file
existing = st.tuples(
    st.sampled_from(["", "", "\ufeff"]),
    st.lists(st.sampled_from(LINES), max_size=14).map("\n".join),
    st.sampled_from(["", "\n", "\n\n"]),
).map("".join)


def parsed(text: str) -> Log:
    return parse_log(text, day=DAY, key="memory/2026-02-08.md", zone=ZONE)


def facts_of(text: str) -> list[Fact]:
    return [item.fact for item in parsed(text).items]


def log_of(*entries: list[Fact], reach: int = 4096) -> str:
    text = ""
    for some in entries:
        text += entry(some, day=DAY, zone=ZONE, tail=text[-reach:] if text else None)
    return text


@given(facts)
def test_a_fact_survives_its_trip_through_one_list_item(fact: Fact) -> None:
    text = format_fact(replace(fact, chat_id=None), heading_chat=None)

    assert parsed(text).problems == ()
    assert facts_of(text) == [replace(fact, chat_id=None)]


@given(st.lists(facts, max_size=4), st.lists(facts, max_size=3), st.integers(1, 400))
def test_facts_survive_in_logs_of_many_sections(
    some: list[Fact], more: list[Fact], reach: int
) -> None:
    text = log_of(some, more, reach=reach)

    assert facts_of(text) == [*some, *more]
    assert text.count(f"# {DAY}\n") == bool(some or more)
    assert text.endswith("\n") or not text


@given(st.lists(facts, max_size=4))
def test_facts_survive_editors_that_strip_blanks_or_change_line_ends(some: list[Fact]) -> None:
    text = log_of(some)
    stripped = "\n".join(line.rstrip() for line in text.split("\n"))

    assert facts_of(stripped) == some
    assert facts_of(text.replace("\n", "\r\n")) == some
    assert facts_of("\ufeff" + text) == some
    assert facts_of(text.rstrip("\n")) == some


@given(existing, st.lists(facts, min_size=1, max_size=3), st.integers(0, 200))
@example("```\n## 14:05\n```\n- x\n```\nfoo\n```\n", [], 200)
def test_appended_facts_change_nothing_that_was_there(
    before: str, some: list[Fact], reach: int
) -> None:
    tail = before[-reach:] if reach else before
    after = before + entry(some, day=DAY, zone=ZONE, tail=tail or None)
    old = parsed(before)

    assert parsed(after).items[: len(old.items)] == old.items
    assert facts_of(after)[len(old.items) :] == some


@given(existing, st.lists(facts, max_size=2), st.data())
def test_removed_facts_are_gone_and_the_rest_stays(
    before: str, some: list[Fact], data: st.DataObject
) -> None:
    text = before + entry(some, day=DAY, zone=ZONE, tail=before or None)
    items = parsed(text).items
    gone = data.draw(st.sets(st.integers(0, len(items) - 1))) if items else set()
    after, lines = remove_items(text, [items[at].line for at in gone])

    left = [item.fact for at, item in enumerate(items) if at not in gone]
    removed = {row for at in gone for row in range(items[at].line, items[at].end)}
    kept = [row for at, row in enumerate(text.split("\n"), 1) if at not in removed]
    assert [unnamed(fact) for fact in facts_of(after)] == [unnamed(fact) for fact in left]
    assert solid(after.split("\n")) == solid(kept)
    assert gone or after == text
    old = [item.line for at, item in enumerate(items) if at not in gone]
    moved = [line - sum(went < line for went in lines) for line in old]
    assert [item.line for item in parsed(after).items] == moved


@given(existing, st.lists(facts, max_size=2), facts, st.data())
def test_a_rewritten_fact_changes_in_place_and_alone(
    before: str, some: list[Fact], other: Fact, data: st.DataObject
) -> None:
    text = before + entry(some, day=DAY, zone=ZONE, tail=before or None)
    items = parsed(text).items
    if not items:
        return
    at = data.draw(st.integers(0, len(items) - 1))
    item = items[at]
    new = replace(other, content=item.fact.content)
    after = rewrite_items(text, {item.line: new})
    rows, new_rows = text.split("\n"), after.split("\n")
    grown = len(new_rows) - len(rows)

    assert facts_of(after)[at] == new
    assert [unnamed(fact) for fact in facts_of(after)[:at]] == [
        unnamed(item.fact) for item in items[:at]
    ]
    assert [unnamed(fact) for fact in facts_of(after)[at + 1 :]] == [
        unnamed(item.fact) for item in items[at + 1 :]
    ]
    assert new_rows[: item.line - 1] == rows[: item.line - 1]
    assert new_rows[item.end - 1 + grown :] == rows[item.end - 1 :]


@given(st.text(max_size=200) | existing)
def test_any_text_can_be_read(text: str) -> None:
    log = parsed(text)

    for item in log.items:
        item.fact.content.encode()
        assert item.fact.content
        assert 1 <= item.line < item.end <= text.count("\n") + 2
    assert len({item.fact.id for item in log.items if not item.explicit}) == sum(
        not item.explicit for item in log.items
    )


@given(facts, st.text(max_size=20), st.integers(0, 10**6))
def test_a_line_cut_anywhere_can_be_read(fact: Fact, junk: str, at: int) -> None:
    item = format_fact(fact, heading_chat=None)
    cut = item[: at % len(item)] + junk

    assert len(parsed(cut).items) <= 1 + cut.count("\n")


def unnamed(fact: Fact) -> Fact:
    """Leave out the id of a hand-written line: it changes with the lines above that are equal."""
    return replace(fact, id="") if fact.id.startswith("h") else fact


def solid(rows: list[str]) -> list[str]:
    """Leave out blank rows and headings of ours, which may go with their facts."""
    rows = [row.strip("\ufeff") for row in rows]
    headings = (read_heading(row) for row in rows)
    return [
        row
        for row, heading in zip(rows, headings, strict=True)
        if row.strip() and not (heading and heading.kind == "ours")
    ]
