"""Remembering: files first, the same fact once, importance and tags in place, chains."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from litemem.errors import InvalidFact, UnknownFact
from litemem.index.connection import MMAP_BYTES
from litemem.memory.memory import Memory
from litemem.memory.new import NewFact, from_json
from tests.conftest import NOW, OpenMemory

DAY = date(2026, 2, 8)


def test_a_fact_is_one_line_of_its_days_log(memory: Memory) -> None:
    done = memory.remember(
        "Prefers compact dashboards", category="preference", importance=0.8, tags=["ui"]
    )

    assert memory.log(DAY) == (
        "# 2026-02-08\n\n## 14:05\n\n"
        f'- [preference] Prefers compact dashboards #ui <!-- {{"id":"{done.id}",'
        '"at":"2026-02-08T14:05:12Z","importance":0.8} -->\n'
    )


def test_facts_of_one_minute_and_chat_share_a_heading(memory: Memory) -> None:
    memory.remember("one", chat_id="c1")
    memory.remember("two", chat_id="c1")
    memory.remember("three", chat_id="c2")

    assert memory.log(DAY).count("## 14:05 · chat c1") == 1
    assert memory.log(DAY).count("## 14:05 · chat c2") == 1


def test_every_attribute_comes_back(memory: Memory) -> None:
    at = datetime(2023, 5, 8, 13, 56, tzinfo=timezone(timedelta(hours=2)))
    done = memory.remember(
        "likes tea",
        category="taste",
        importance=1,
        tags=("a", "#b"),
        chat_id="x/y",
        speaker="Ann",
        created_at=at,
        metadata={"id": "conv-26/D1:1", "n": [1, None]},
    )

    fact = memory.get(done.id).fact

    assert (fact.category, fact.importance, fact.tags) == ("taste", 1.0, ("a", "b"))
    assert (fact.chat_id, fact.speaker) == ("x/y", "Ann")
    assert fact.created_at == at
    assert fact.created_at.tzinfo is UTC
    assert fact.metadata == {"id": "conv-26/D1:1", "n": [1, None]}


def test_the_log_is_that_of_the_writers_day(
    opened: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    memory = opened()
    late = datetime(2026, 2, 8, 20, 0, tzinfo=UTC)

    done = memory.remember("late", created_at=late)

    assert memory.log_days() == (date(2026, 2, 9),)
    assert "## 05:00" in memory.log(date(2026, 2, 9))
    assert memory.get(done.id).fact.created_at == late


def test_a_naive_time_is_in_the_homes_zone(
    opened: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    memory = opened()

    done = memory.remember("x", created_at=datetime(2026, 2, 8, 23, 0))  # noqa: DTZ001

    assert memory.get(done.id).fact.created_at == datetime(2026, 2, 9, 4, 0, tzinfo=UTC)


def test_the_same_fact_is_not_written_twice(memory: Memory) -> None:
    first = memory.remember("Likes tea.")
    again = memory.remember("  likes  TEA")

    assert (again.id, again.created, again.updated) == (first.id, False, False)
    assert len(memory.list()) == 1


def test_a_restated_fact_is_confirmed_on_disk(memory: Memory) -> None:
    first = memory.remember("likes tea")
    memory.remember("likes tea")
    memory.remember("likes tea")

    seen = memory.get(first.id).fact.seen

    assert seen is not None
    assert (seen.n, seen.last) == (2, NOW)
    assert '"seen":{"n":2' in memory.log(DAY)


@pytest.mark.parametrize(
    "other",
    [
        {"chat_id": "c"},
        {"speaker": "Bob"},
        {"created_at": NOW + timedelta(hours=1)},
        {"metadata": {"id": 2}},
    ],
)
def test_another_chat_speaker_time_or_metadata_makes_another_fact(
    memory: Memory, other: dict[str, object]
) -> None:
    memory.remember("Thanks!")

    assert memory.remember("Thanks!", **other).created  # type: ignore[arg-type]
    assert len(memory.list()) == 2


def test_an_import_twice_changes_nothing(memory: Memory) -> None:
    facts = [
        NewFact(content="Thanks!", created_at=NOW + timedelta(minutes=n), metadata={"n": n})
        for n in range(5)
    ]
    memory.remember_many(facts)
    before = memory.log(DAY)

    again = memory.remember_many(facts)

    assert [one.created for one in again] == [False] * 5
    assert memory.log(DAY) == before


def test_equal_facts_of_one_batch_are_written_once(memory: Memory) -> None:
    done = memory.remember_many([NewFact(content="a"), NewFact(content="A."), NewFact(content="b")])

    assert [one.created for one in done] == [True, False, True]
    assert len(memory.list()) == 2


def test_importance_and_tags_change_in_place(memory: Memory) -> None:
    done = memory.remember("likes tea", importance=0.2)
    again = memory.remember("likes tea", importance=0.9, tags=["hot"])

    fact = memory.get(done.id).fact

    assert again.updated
    assert (fact.importance, fact.tags) == (0.9, ("hot",))


def test_update_rewrites_the_comment_alone(memory: Memory) -> None:
    done = memory.remember("likes tea")
    memory.update(done.id, importance=0.9)
    memory.update(done.id, tags=["hot"])

    fact = memory.get(done.id).fact

    assert (fact.content, fact.importance, fact.tags) == ("likes tea", 0.9, ("hot",))
    assert memory.log(DAY).count("likes tea") == 1


def test_replaces_continues_the_chain_from_any_of_its_ids(memory: Memory) -> None:
    google = memory.remember("works at Google", category="personal", importance=0.9)
    microsoft = memory.remember("works at Microsoft", replaces=google.id)
    apple = memory.remember("works at Apple", replaces=google.id)

    chain = memory.get(microsoft.id)

    assert [fact.content for fact in chain.history] == [
        "works at Google",
        "works at Microsoft",
        "works at Apple",
    ]
    assert chain.fact.id == apple.id
    assert (chain.fact.category, chain.fact.importance) == ("personal", 0.9)
    assert [fact.content for fact in memory.list()] == ["works at Apple"]


def test_a_replaced_fact_said_again_is_a_new_fact(memory: Memory) -> None:
    google = memory.remember("works at Google")
    memory.remember("works at Microsoft", replaces=google.id)

    assert memory.remember("works at Google").created


def test_replacing_an_unknown_id_writes_nothing(memory: Memory) -> None:
    with pytest.raises(UnknownFact, match="no fact 'm0' of user 'default'"):
        memory.remember("x", replaces="m0")

    assert memory.log(DAY) == ""


def test_near_duplicates_are_named_and_kept_apart(memory: Memory) -> None:
    first = memory.remember("works at Google as a data engineer in Zurich")
    second = memory.remember("works at Google as a data engineer in Zurich now")

    assert second.created
    assert [near.id for near in second.similar_to] == [first.id]
    assert second.similar_to[0].cosine > 0.8


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"content": ""}, "content is empty"),
        ({"content": " \n"}, "content is empty"),
        ({"content": "a\ud800"}, "half of a surrogate pair at character 1"),
        ({"content": 3}, "content must be text, not int"),
        ({"importance": 1.5}, "importance 1.5 is not a number from 0 to 1"),
        ({"importance": -0.1}, "importance -0.1"),
        ({"importance": float("nan")}, "importance nan"),
        ({"importance": True}, "importance True"),
        ({"category": ""}, "category '' must have 1 to 100 characters"),
        ({"tags": "ui"}, "tags must be a list of strings"),
        ({"tags": ["#"]}, "a tag is empty"),
        ({"tags": [1]}, "tag must be text"),
        ({"chat_id": " "}, "chat_id ' ' must have"),
        ({"created_at": "today"}, "created_at must be a datetime, not str"),
        ({"metadata": {"x": float("nan")}}, "metadata can't be written as JSON"),
        ({"metadata": {1: 2}}, "metadata doesn't survive JSON"),
        ({"metadata": []}, "metadata must be a JSON object"),
    ],
)
def test_a_wrong_value_is_named_and_nothing_is_written(
    memory: Memory, wrong: dict[str, object], message: str
) -> None:
    given = {"content": "fine"} | wrong

    with pytest.raises(InvalidFact, match=message.replace("[", r"\[")):
        memory.remember_many([NewFact(**given)])  # type: ignore[arg-type]

    assert memory.list() == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "a JSON object is needed, not list"),
        ('{"text": "x"}', "unknown key 'text'"),
        ("{}", 'the key "content" is missing'),
        ('{"content": "x", "created_at": "yesterday"}', "'yesterday' is not a date or time"),
        ('{"content": "x", "created_at": 5}', "5 is not a date or time"),
        ('{"content": "x", "tags": "a"}', "tags must be a list"),
        (
            '{"content": "x", "created_at": "0001-01-01T00:00:00+14:00"}',
            "is not a date|out of range",
        ),
    ],
)
def test_a_wrong_json_line_says_what_is_wrong(line: str, message: str) -> None:
    with pytest.raises(InvalidFact, match=message):
        from_json(line, UTC)


def test_a_date_alone_is_midnight_of_the_zone() -> None:
    new = from_json('{"content": "x", "created_at": "2026-02-08", "importance": null}', UTC)

    assert new.created_at == datetime(2026, 2, 8, tzinfo=UTC)
    assert new.importance is None


def test_a_merge_names_the_newest_of_each_chain_once(memory: Memory) -> None:
    old = memory.remember("works at Google").id
    new = memory.remember("works at Microsoft", replaces=old).id
    other = memory.remember("is employed by Microsoft").id
    text = "works at Microsoft"

    (done,) = memory.remember_many([NewFact(content=text, replaces=old, merges=(other, new))])

    assert done.created
    assert memory.get(old).fact.parents == (new, other)
    assert [fact.id for fact in memory.list()] == [done.id]


def test_a_merge_needs_a_main_fact(memory: Memory) -> None:
    with pytest.raises(InvalidFact, match="merges without replaces"):
        memory.remember_many([NewFact(content="a", merges=("m1",))])


def test_an_index_grown_by_imports_is_compacted(memory: Memory) -> None:
    def compacted() -> int | None:
        with memory._space.index.reading(vectors=False) as db:
            sql = "select cast(value as integer) from meta where key = 'compacted'"
            found: int | None = db.execute(sql).get
        return found

    large = {"log": "x" * 200_000}
    facts = [NewFact(content=f"fact {n}", metadata=large, created_at=NOW) for n in range(512)]

    memory.remember_many(facts[:256])
    assert compacted() is None  # it's all mapped
    memory.remember_many(facts[256:])

    size = compacted()
    assert size is not None
    assert size > MMAP_BYTES
    memory.remember_many([NewFact(content=f"other {n}") for n in range(256)])
    assert compacted() == size  # it hasn't doubled
    assert memory.stats().total_memories == 768
