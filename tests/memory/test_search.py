"""Search: what is found, in which order, and what isn't."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import litemem
from litemem.embed.hashing import HashEmbedder
from litemem.errors import EmbedError, InvalidQuery
from litemem.memory.asked import Asked
from litemem.memory.memory import Memory
from litemem.memory.new import NewFact
from litemem.memory.search import Mode
from litemem.text.head import head
from litemem.types import Hit, Vector
from tests.conftest import NOW, OpenMemory

ODD = [
    "",
    " ",
    '"',
    "c++",
    "a:b",
    "NEAR(",
    "a OR ",
    "🦄",
    "冲浪",
    "x",
    "\0",
    "\ud800",
    "*",
    "w " * 9999,
]
WIDE = 1024  # dimensions: in fewer, one of many texts is near to anything by chance
MODES: tuple[Mode, ...] = ("hybrid", "semantic", "keyword")


class Failing(HashEmbedder):
    """An embedder whose questions fail."""

    def embed_query(self, text: str) -> Vector | None:
        """Fail."""
        raise EmbedError("the model is out of order")


class Silent(HashEmbedder):
    """An embedder that finds no token in any question and can't count them."""

    count_tokens = None  # type: ignore[assignment]

    def embed_query(self, text: str) -> Vector | None:
        """Find nothing."""
        return None


def texts(hits: litemem.Results) -> list[str]:
    """Return what was found."""
    return [hit.content for hit in hits]


@pytest.fixture(scope="module")
def large() -> Iterator[Memory]:
    """Return a memory with more facts than the pool has places."""
    with tempfile.TemporaryDirectory() as home:
        memory = litemem.open(Path(home) / "home", embedder=HashEmbedder(WIDE), clock=lambda: NOW)
        memory.remember_many(
            NewFact(
                content=f"{'tea' if n % 2 else 'cake'} with guest {n}",
                chat_id=f"c{n % 7}",
                created_at=NOW - timedelta(minutes=n),
            )
            for n in range(400)
        )
        yield memory
        memory.close()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("query", ODD)
def test_odd_queries_are_queries(large: Memory, query: str, mode: Mode) -> None:
    assert len(large.search(query, mode=mode)) <= 10


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(), st.sampled_from(MODES))
def test_any_text_is_a_query(large: Memory, query: str, mode: Mode) -> None:
    for hit in large.search(query, 5, mode=mode):
        assert hit.similarity is None or 0 <= hit.similarity <= 1
        assert sum(hit.parts.values()) == pytest.approx(hit.score)
        assert set(hit.matched) & {"keyword", "vector"}


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["tea", "guest", "cake 17", "someone brings biscuits"]),
    st.sampled_from(MODES),
    st.sampled_from([None, 0.0, 0.4]),
    st.integers(1, 90),
    st.integers(0, 330),
)
def test_pages_are_pieces_of_one_answer(
    large: Memory, query: str, mode: Mode, floor: float | None, limit: int, offset: int
) -> None:
    whole = large.search(query, 400, mode=mode, floor=floor).hits
    page = large.search(query, limit, offset=offset, mode=mode, floor=floor).hits

    assert page == whole[offset : offset + limit]
    assert len({hit.id for hit in whole}) == len(whole)


def test_behind_the_pool_come_all_other_matches(large: Memory) -> None:
    found = large.search("guest", 1000, mode="keyword")
    half = large.search("tea", 1000, floor=0.0)

    assert len(found) == 400
    assert len(half) == 400
    assert [hit.matched for hit in half[300:]] == [("vector",)] * 100
    behind = ["keyword" in hit.matched for hit in half if hit.score == 0]
    assert behind == sorted(behind, reverse=True)
    assert behind[0]


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"limit": 0}, "limit is 0"),
        ({"offset": -1}, "offset is -1"),
        ({"mode": "magic"}, "mode 'magic'"),
        ({"floor": 1.5}, "floor is 1.5"),
        ({"floor": float("nan")}, "floor is nan"),
        ({"kinds": ("song",)}, "kind 'song'"),
        ({"kinds": ()}, "no kind"),
        ({"since": datetime(2026, 1, 1)}, "since 2026"),  # noqa: DTZ001
    ],
)
def test_what_is_out_of_range_is_named(large: Memory, wrong: dict[str, object], named: str) -> None:
    with pytest.raises(InvalidQuery, match=named):
        large.search("tea", **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", MODES)
def test_nonsense_finds_nothing(large: Memory, mode: Mode) -> None:
    assert not large.search("zxqv blorptang", mode=mode)


def test_a_floor_of_nothing_admits_all(memory: Memory) -> None:
    memory.remember("likes tea")

    assert memory.search("zxqv blorptang", floor=0.0)
    assert not memory.search("zxqv blorptang", floor=0.9)


def test_vectors_find_what_no_word_finds(opened: OpenMemory) -> None:
    memory = opened(model=None, embedder=HashEmbedder(WIDE))
    memory.remember_many(
        NewFact(content=text)
        for text in ("plays chess", "photographs birds", "has a dog", "works in Rome")
    )

    found = memory.search("photographers")  # another stem, but nearly the same letters

    assert texts(found)[0] == "photographs birds"
    assert memory.search("photographers", mode="semantic")[0].matched == ("vector",)


def test_a_hit_says_where_it_stands_and_why(memory: Memory) -> None:
    made = memory.remember(
        "prefers green tea", category="preference", tags=["drink"], importance=0.9, chat_id="c1"
    )

    hit = memory.search("green tea")[0]

    assert (hit.id, hit.kind, hit.category, hit.tags) == (made.id, "fact", "preference", ("drink",))
    assert (hit.importance, hit.chat_id, hit.created_at) == (0.9, "c1", NOW)
    assert hit.source.path == "memory/2026-02-08.md"
    assert hit.matched == ("keyword", "vector")
    assert hit.similarity is not None
    assert hit.similarity > 0.5
    assert hit.snippet == "prefers green tea"


def test_a_chat_sees_its_own_rows_and_those_of_no_chat(memory: Memory) -> None:
    for chat in ("c1", "c2", None):
        memory.remember(f"tea in {chat}", chat_id=chat)

    assert sorted(texts(memory.search("tea", chat_id="c1"))) == ["tea in None", "tea in c1"]
    assert texts(memory.search("tea", chat_id="c1", chat_only=True)) == ["tea in c1"]
    assert not memory.search("tea", chat_id="unknown", chat_only=True)
    assert texts(memory.search("tea", chat_id="half \ud800")) == ["tea in None"]


def test_since_is_inclusive_and_until_is_not(memory: Memory) -> None:
    days = [datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2, 3)]
    for day in days:
        memory.remember(f"tea on day {day.day}", created_at=day)

    assert texts(memory.search("tea", since=days[1], until=days[2])) == ["tea on day 2"]


def test_another_users_rows_are_never_found_not_even_as_neighbours(memory: Memory) -> None:
    other = memory.for_user("ann")
    for n in range(5):
        memory.remember(f"tea {n}", chat_id="shared", created_at=NOW + timedelta(minutes=2 * n))
        other.remember(f"gin {n}", chat_id="shared", created_at=NOW + timedelta(minutes=2 * n + 1))

    assert {hit.content[:3] for hit in memory.search("tea", 50, floor=0.0)} == {"tea"}
    assert not memory.search("gin", mode="keyword")


def test_neighbours_outside_the_time_asked_for_are_not_found(memory: Memory) -> None:
    for n in range(6):
        memory.remember(f"tea {n}", created_at=NOW + timedelta(minutes=n))

    found = memory.search("tea", 50, since=NOW + timedelta(minutes=3), floor=0.0)

    assert sorted(texts(found)) == ["tea 3", "tea 4", "tea 5"]


def test_a_row_behind_the_answers_neighbour_is_found_as_neighbour(large: Memory) -> None:
    hits = large.search("cake with guest 14", 400, floor=0.0)

    assert any(hit.matched[-1] == "neighbour" for hit in hits)


def test_the_chunks_of_a_block_are_one_hit(memory: Memory) -> None:
    memory.blocks.set(
        "context", "tea and cake\n\n" + "many words of nothing at all " * 200 + " tea"
    )

    found = memory.search("tea", 50, kinds=("fact", "block"), floor=0.0)

    assert [(hit.kind, hit.id) for hit in found] == [("block", "context")]
    assert "tea" in found[0].snippet


def test_of_a_chain_only_the_newest_is_found(memory: Memory) -> None:
    old = memory.remember("lives in Rome")
    memory.remember("lives in Oslo", replaces=old.id)

    assert texts(memory.search("lives in Rome")) == ["lives in Oslo"]


def test_who_said_it_and_when_count(memory: Memory) -> None:
    for speaker, day in (("Ann", 5), ("Bob", 5), ("Ann", 6), ("Bob", 6)):
        memory.remember(
            f"had tea, {speaker} {day}"[:7],
            speaker=speaker,
            created_at=datetime(2026, 1, day, tzinfo=UTC),
        )

    def first(query: str) -> tuple[str | None, int]:
        hit = memory.search(query)[0]
        assert hit.created_at is not None
        return hit.speaker, hit.created_at.day

    assert first("did Bob have tea on 5 January?") == ("Bob", 5)
    assert first("did Ann have tea on 2026-01-06?") == ("Ann", 6)


def test_the_day_after_a_named_one_tells_of_it(memory: Memory) -> None:
    for day in (4, 5, 6, 7):
        memory.remember("went out", created_at=datetime(2026, 1, day, tzinfo=UTC))

    found = memory.search("who went out on 5 January?", mode="keyword")
    days = [hit.created_at.day for hit in found if hit.created_at is not None]

    assert days[:2] == [5, 6]
    assert [hit.parts.get("date", 0) > 0 for hit in found] == [True, True, False, False]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("date", ["2026-01-05", "5.1.2026", "5 January 2026", "2026年1月5日"])
def test_what_was_said_on_a_named_day_is_found_whatever_it_says(
    memory: Memory, date: str, mode: Mode
) -> None:
    for day in range(1, 29):
        memory.remember(f"thing {day * 111}", created_at=datetime(2026, 1, day, tzinfo=UTC))
        memory.remember(f"other {day * 111}", created_at=datetime(2026, 1, day, 9, tzinfo=UTC))

    found = memory.search(f"zzyzx qwfp {date}", 60, mode=mode)

    of_day = {hit.content for hit in found if "date" in hit.matched}
    assert of_day == {"thing 555", "other 555"}


def test_each_named_day_is_found(memory: Memory) -> None:
    for n in range(60):
        memory.remember(f"thing {n}", created_at=datetime(2026, 1, 5, 0, n, tzinfo=UTC))
    memory.remember("other", created_at=datetime(2026, 1, 6, tzinfo=UTC))

    found = memory.search("thing of 2026-01-05 and 2026-01-06", 100, mode="keyword")

    assert "other" in texts(found)


def test_of_many_named_days_the_first_count(memory: Memory) -> None:
    days = [date(2026, 1, day) for day in range(1, 21)]
    for day in days:
        memory.remember(f"thing {day.day * 111}", created_at=datetime(2026, 1, day.day, tzinfo=UTC))

    found = memory.search(" ".join(map(str, days)), 100, mode="keyword")

    assert sorted(texts(found)) == ["thing 111", "thing 222", "thing 333", "thing 444"]


def test_a_named_day_is_one_of_the_homes_zone_and_of_what_may_answer(
    opened: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")  # 14 hours east
    memory = opened()
    for hour in (9, 10, 33, 34):
        at = datetime(2026, 1, 4, tzinfo=UTC) + timedelta(hours=hour)
        memory.remember(f"at {hour}", created_at=at, chat_id=f"c{hour}")

    search = partial(memory.search, "on 2026-01-05?", mode="keyword")

    assert set(texts(search())) == {"at 10", "at 33"}
    assert texts(search(chat_id="c10")) == ["at 10"]
    assert texts(search(until=datetime(2026, 1, 5, tzinfo=UTC))) == ["at 10"]


def test_a_month_that_is_named_ends_with_its_last_day(memory: Memory) -> None:
    memory.remember("went out", created_at=datetime(2026, 2, 1, tzinfo=UTC))

    assert "date" not in memory.search("who went out in January?")[0].parts


@pytest.mark.parametrize("day", [date.min, date.max])
def test_the_ends_of_the_calendar_can_be_asked_about(day: date) -> None:
    asked = Asked.of("what was on 1 January?", ())

    assert asked.about(head("Ann", day)).date == (day == date.min)


def test_each_of_two_questions_finds_its_answer(large: Memory) -> None:
    found = texts(large.search("Who had tea with guest 77? Who had cake with guest 210?", 2))

    assert sorted(found) == ["cake with guest 210", "tea with guest 77"]


def test_roles_in_a_pasted_dialogue_are_not_looked_for(memory: Memory) -> None:
    memory.remember("the assistant called back")
    memory.remember("Bart likes the guitar")

    found = memory.search("Bart: my guitar!\nAssistant: nice", mode="keyword")

    assert texts(found) == ["Bart likes the guitar"]


def test_a_dialogue_prefers_notes_about_who_speaks_in_it(memory: Memory) -> None:
    for name in ("Lisa", "Bart"):
        memory.remember(f"{name}去动物园看了大象")
        memory.remember(f"{name} saw a play", speaker="Ann")

    found = memory.search("Bart: 大象!\nAssistant: nice\nBart: a play?")
    preferred = {hit.content for hit in found if "speaker" in hit.parts}

    assert preferred == {"Bart去动物园看了大象"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann's tea", True),
        ("见Ann喝茶", True),
        ("Anna's tea", False),
        ("Joann", False),
        ("", False),
    ],
)
def test_a_name_is_a_word_of_its_own(text: str, *, told: bool) -> None:
    assert Asked.of("tea", (), ("ann",)).tells_of(text) is told


def test_a_latin_name_is_seen_in_a_chinese_question() -> None:
    assert Asked.of("Caroline喜欢什么？", ()).calls("caroline")


def test_a_question_for_a_time_prefers_a_text_with_one(memory: Memory) -> None:
    memory.remember("she moved to Rome in May", created_at=NOW - timedelta(days=40))
    memory.remember("she moved to Rome by car", created_at=NOW - timedelta(days=40))

    assert texts(memory.search("when did she move to Rome?"))[0] == "she moved to Rome in May"


def test_chinese_names_are_seen_without_spaces(memory: Memory) -> None:
    for speaker in ("赵雅琳", "王小明"):
        memory.remember("喜欢喝茶", speaker=speaker)

    assert memory.search("王小明喜欢喝什么茶？")[0].speaker == "王小明"


def test_without_a_model_words_are_searched_and_it_is_said(opened: OpenMemory) -> None:
    memory = opened(model="none")
    memory.remember("likes tea")

    for mode in ("hybrid", "semantic"):
        found = memory.search("tea", mode=mode)
        assert texts(found) == ["likes tea"]
        assert found.note == "keyword only: this home has no embedding model"
        assert found[0].similarity is None
    assert memory.search("tea", mode="keyword").note is None


def test_a_failing_model_leaves_the_words(opened: OpenMemory) -> None:
    memory = opened(model=None, embedder=Failing())
    memory.remember("likes tea")

    found = memory.search("tea")

    assert texts(found) == ["likes tea"]
    assert found.note == "keyword only: the model is out of order"


def test_a_question_without_tokens_leaves_the_words(opened: OpenMemory) -> None:
    memory = opened(model=None, embedder=Silent())
    memory.remember("likes tea")

    assert texts(memory.search("tea", mode="semantic")) == ["likes tea"]


def test_an_unknown_user_has_no_hits(large: Memory) -> None:
    assert not large.for_user("nobody").search("tea")


def test_a_missing_vector_is_said(memory: Memory) -> None:
    memory.remember("likes tea")
    page = memory.home / "memory" / "2026-02-08.md"
    with page.open("a", encoding="utf-8") as log:
        log.writelines(f"- tea with guest {n}\n" for n in range(5000))
    memory.sync()

    found = memory.search("tea", wait=False)

    assert found.note is not None
    assert found.note.startswith("vectors ")
    assert found
    assert memory.search("tea").note is None


def test_results_behave_like_a_tuple(memory: Memory) -> None:
    memory.remember("likes tea")
    found = memory.search("tea")

    assert len(found) == 1
    assert found[0] is found.hits[0]
    assert found[:5] == found.hits
    assert list(found) == list(found.hits)
    assert isinstance(found[0], Hit)


def test_keyword_search_loads_no_heavy_module(memory: Memory) -> None:
    memory.remember("likes tea")
    script = (
        "import sys, litemem\n"
        f"with litemem.open({str(memory.home)!r}) as memory:\n"
        "    print(memory.search('tea', mode='keyword')[0].content)\n"
        "print(*{'numpy', 'onnxruntime', 'tokenizers', 'asyncio'}.intersection(sys.modules))"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert done.stdout == "likes tea\n\n"
