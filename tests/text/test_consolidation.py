"""What is proposed of any facts: nothing invented, nothing mixed, and back again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from litemem.text.conflicts import conflicts
from litemem.text.currently import read_currently
from litemem.text.duplicates import duplicates
from litemem.text.proposal import (
    STEP_KEY,
    Proposal,
    Refusals,
    grounds,
    handed_back,
    is_current,
    together,
)
from litemem.types import Fact, Origin, Seen

START = datetime(2026, 2, 8, tzinfo=UTC)
TEXTS = (
    "likes tea",
    "I love tea",
    "likes tea with milk",
    "doesn't like tea",
    "Works at Google",
    "Is employed by Google",
    "Works at Microsoft",
    "works at Apple",
    "lives in Rome",
    "moved to Oslo",
    "Ann Lee, cook, Rome",
    "Ann Lee is a cook and lives in Rome",
    "住在北京",
    "搬到了上海",
    "Currently: x, since 2026-01-01; before: y (until 2026-01-01)",
    "--> <!-- {",
)
facts = st.lists(
    st.builds(
        Fact,
        id=st.integers(0, 10**6).map(lambda number: f"m{number}"),
        content=st.sampled_from(TEXTS) | st.text(min_size=1, max_size=12),
        created_at=st.integers(0, 9).map(lambda day: START + timedelta(days=day)),
        importance=st.sampled_from((0.5, 0.9)),
        tags=st.sampled_from(((), ("a",), ("b", "a"))),
        category=st.sampled_from(("general", "work")),
        chat_id=st.sampled_from((None, None, "c1")),
        speaker=st.sampled_from((None, None, "Ann")),
        metadata=st.sampled_from(({}, {}, {"n": 1}, {STEP_KEY: "s"})),
        source=st.sampled_from((None, Origin(session="s1"))),
        seen=st.sampled_from((None, Seen(n=3, last=START + timedelta(days=20)))),
    ),
    max_size=14,
    unique_by=lambda fact: fact.id,
)
STAY = Refusals(())


def all_of(_main: Fact, others: Sequence[Fact]) -> list[str]:
    return [fact.id for fact in others]


def proposals(some: Sequence[Fact], stay: Refusals = STAY) -> list[Proposal]:
    ids = {fact.id for fact in some}
    found = [
        Proposal(kind="replace", facts=one.facts, content=one.content, cosine=None)
        for one in conflicts(some, ids, stay, UTC)
    ]
    return found + [
        Proposal(kind="merge", facts=group, content=group[0].content, cosine=None)
        for group in duplicates(some, ids, stay, all_of)
    ]


@given(facts)
def test_no_proposal_mixes_chats_speakers_or_metadata(some: list[Fact]) -> None:
    for one in proposals(some):
        assert len({grounds(fact) for fact in one.facts}) == 1
        assert len(set(one.ids)) == len(one.ids) >= 2


@given(facts)
def test_a_fact_is_in_one_proposal_of_a_kind(some: list[Fact]) -> None:
    found = proposals(some)
    for kind in ("merge", "replace"):
        ids = [id_ for one in found if one.kind == kind for id_ in one.ids]
        assert len(set(ids)) == len(ids)


@given(facts)
def test_texts_are_those_of_the_facts(some: list[Fact]) -> None:
    for one in proposals(some):
        if one.kind == "merge":
            assert one.content == one.facts[0].content
            continue
        said = read_currently(one.content)
        assert said
        for text in (said[0].text, *(text for text, _ in said[1])):
            assert any(text in fact.content for fact in one.facts)


@given(facts, st.randoms())
def test_the_order_of_facts_changes_nothing(some: list[Fact], random: object) -> None:
    other = list(some)
    random.shuffle(other)  # type: ignore[attr-defined]

    def described(found: list[Proposal]) -> list[str]:
        return sorted(repr(one) for one in found)

    assert described(proposals(other)) == described(proposals(some))


@given(facts)
def test_what_was_refused_is_not_proposed_again(some: list[Fact]) -> None:
    groups = [one.ids for one in proposals(some)]

    for one in proposals(some, Refusals(groups)):
        assert not any(set(one.ids) <= set(group) for group in groups)


@given(facts)
def test_only_groups_with_something_new_are_proposed(some: list[Fact]) -> None:
    assert conflicts(some, (), STAY, UTC) == []
    assert duplicates(some, (), STAY, all_of) == []


@given(facts)
def test_a_fact_put_together_keeps_what_its_originals_had(some: list[Fact]) -> None:
    for one in proposals(some):
        made = together(one, one.facts, id="new", step="s1")

        assert made.parents == one.ids
        assert made.created_at == max(fact.created_at for fact in one.facts)
        assert made.importance == max(fact.importance for fact in one.facts)
        assert set(made.tags) == {tag for fact in one.facts for tag in fact.tags}
        assert (made.source is None) == all(fact.source is None for fact in one.facts)
        assert made.metadata[STEP_KEY] == "s1"
        assert grounds(made) == grounds(one.facts[0])
        if one.kind == "merge":
            assert made.seen
            assert (
                made.seen.n == sum(1 + (fact.seen.n if fact.seen else 0) for fact in one.facts) - 1
            )
        assert handed_back(made, one.facts) == one.facts[0]


def test_what_was_changed_since_goes_back_to_the_main_original() -> None:
    old = Fact(id="a", content="likes tea", created_at=START, seen=Seen(n=2, last=START))
    new = Fact(id="b", content="I like tea", created_at=START + timedelta(days=1))
    one = Proposal(kind="merge", facts=(new, old), content=new.content, cosine=None)
    made = together(one, (new, old), id="c", step="s")
    later = START + timedelta(days=9)

    assert made.seen == Seen(n=3, last=new.created_at)
    back = handed_back(
        replace(made, importance=0.9, tags=("x",), seen=Seen(n=5, last=later)), (new, old)
    )
    assert back == replace(new, importance=0.9, tags=("x",), seen=Seen(n=2, last=later))


def test_a_fact_with_another_text_or_chat_is_not_the_one_that_was_planned() -> None:
    fact = Fact(id="a", content="x", created_at=START)

    assert is_current(fact, {"a": replace(fact, importance=0.9)})
    for other in (replace(fact, content="y"), replace(fact, chat_id="c"), replace(fact, id="b")):
        assert not is_current(fact, {other.id: other})


def test_a_later_value_goes_on_with_an_earlier_wording() -> None:
    texts = ("works at Google", "works at Microsoft", "works at Apple")
    google, microsoft, apple = (
        Fact(id=text, content=text, created_at=START + timedelta(days=day))
        for day, text in enumerate(texts)
    )
    (first,) = proposals([google, microsoft])
    made = together(first, first.facts, id="made", step="s1")

    (second,) = proposals([replace(made, metadata={STEP_KEY: "s1"}), apple])

    assert second.content == (
        "Currently: works at Apple, since 2026-02-10; before: works at Microsoft "
        "(until 2026-02-10); works at Google (until 2026-02-09)"
    )
    assert proposals([replace(made, metadata={}), apple]) == []


def test_values_of_one_moment_have_no_order() -> None:
    some = [Fact(id=t, content=t, created_at=START) for t in ("lives in Rome", "lives in Oslo")]

    assert proposals(some) == []


def test_a_value_that_comes_back_is_current_since_then() -> None:
    texts = ("lives in Rome", "lives in Oslo", "moved to Rome")
    (one,) = proposals(
        [
            Fact(id=text, content=text, created_at=START + timedelta(days=day))
            for day, text in enumerate(texts)
        ]
    )

    assert one.content == (
        "Currently: moved to Rome, since 2026-02-10; before: lives in Oslo (until 2026-02-10); "
        "lives in Rome (until 2026-02-09)"
    )


def test_a_thousand_equal_facts_are_put_together_200_at_a_time() -> None:
    some = [
        Fact(id=f"m{n:04}", content="likes tea", created_at=START + timedelta(hours=n))
        for n in range(1_000)
    ]

    found = proposals(some)

    assert [len(one.ids) for one in found] == [200] * 5


def test_an_event_of_another_day_is_another_event() -> None:
    some = [
        Fact(id=str(n), content="Visited Rome", created_at=START + timedelta(hours=10 * n))
        for n in range(4)
    ]

    assert [set(one.ids) for one in proposals(some)] == [{"0", "1", "2"}]
