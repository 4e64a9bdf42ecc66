from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import UnknownFact
from litemem.text.chains import Link, history, resolve

START = datetime(2026, 2, 8, tzinfo=UTC)


def link(fact_id: str, replaces: str | None = None, at: int = 0, order: int = 0) -> Link:
    return Link(id=fact_id, replaces=replaces, at=START + timedelta(days=at), order=order)


links = st.lists(
    st.builds(
        link,
        st.sampled_from("abcdefgh"),
        st.one_of(st.none(), st.sampled_from("abcdefghz")),
        st.integers(0, 3),
        st.integers(0, 999),
    ),
    max_size=12,
    unique_by=lambda one: one.order,
)


def test_the_newest_of_a_chain_answers() -> None:
    chain = resolve([link("a"), link("b", "a", 1, 1), link("c", "b", 2, 2), link("d", None, 0, 3)])

    assert dict(chain.head) == {"a": "c", "b": "c", "c": "c", "d": "d"}
    assert chain.superseded == {"a", "b"}
    assert dict(chain.chains) == {"c": ("a", "b", "c"), "d": ("d",)}


def test_a_replacement_that_was_forgotten_makes_a_root() -> None:
    assert dict(resolve([link("b", "gone")]).chains) == {"b": ("b",)}


def test_of_two_replacements_the_newest_goes_on() -> None:
    fork = [link("a"), link("b", "a", 5, 1), link("c", "a", 4, 2), link("d", "c", 9, 3)]

    assert resolve(fork).head["d"] == "b"
    assert history(fork, "c") == ("a", "c", "d", "b")


def test_equal_dates_at_a_fork_are_settled_by_id() -> None:
    assert resolve([link("a"), link("c", "a", 1, 2), link("b", "a", 1, 1)]).head["a"] == "c"


def test_of_two_lines_with_one_id_the_first_counts() -> None:
    resolution = resolve([link("b", "a", 9, 7), link("b", None, 1, 3), link("a", None, 0, 1)])

    assert dict(resolution.head) == {"a": "a", "b": "b"}
    assert [double.order for double in resolution.duplicates] == [7]


def test_a_loop_is_named_and_begins_with_its_first_line() -> None:
    resolution = resolve([link("a", "c", 3, 9), link("b", "a", 1, 2), link("c", "b", 2, 5)])

    assert resolution.cycles == (("b", "a", "c"),)
    assert dict(resolution.chains) == {"a": ("b", "c", "a")}


def test_a_fact_that_replaces_itself_is_a_loop() -> None:
    resolution = resolve([link("a", "a"), link("b", "a", 1, 1)])

    assert resolution.cycles == (("a",),)
    assert resolution.head["a"] == "b"


def test_the_history_of_an_unknown_id_is_an_error() -> None:
    with pytest.raises(UnknownFact, match="'x'"):
        history([link("a")], "x")


@given(links, st.randoms())
def test_the_order_of_reading_changes_nothing(some: list[Link], random: Random) -> None:
    other = list(some)
    random.shuffle(other)

    assert resolve(other) == resolve(some)


@given(links)
def test_every_id_is_in_one_chain_with_one_head(some: list[Link]) -> None:
    resolution = resolve(some)
    members = [member for chain in resolution.chains.values() for member in chain]

    assert sorted(members) == sorted({one.id for one in some})
    assert resolution.superseded == set(members) - set(resolution.chains)
    for head, chain in resolution.chains.items():
        assert chain[-1] == head
        assert {resolution.head[member] for member in chain} == {head}
        assert history(some, chain[0]) == chain
    assert len(resolution.duplicates) == len(some) - len(members)


@given(links)
def test_only_what_was_replaced_or_lost_a_fork_is_superseded(some: list[Link]) -> None:
    resolution = resolve(some)
    doubles = {one.order for one in resolution.duplicates}
    roots = {cycle[0] for cycle in resolution.cycles}
    kept = {one.id: one for one in some if one.order not in doubles}
    replaced = {one.replaces for one in kept.values() if one.id not in roots} & kept.keys()

    assert resolution.chains.keys() & replaced == set()
    for one in kept.values():
        if one.replaces in kept:
            assert resolution.head[one.id] == resolution.head[one.replaces or ""]


def test_a_chain_of_100_000_links_is_resolved() -> None:
    chain = [link(str(at), str(at - 1) if at else None, 0, at) for at in range(100_000)]

    assert resolve(chain).superseded == {str(at) for at in range(99_999)}


def merge(fact_id: str, *parents: str, at: int = 0, order: int = 0) -> Link:
    return replace(link(fact_id, parents[0], at, order), merges=parents[1:])


merges = st.lists(
    st.builds(
        lambda fact_id, parents, at, order: merge(fact_id, *parents, at=at, order=order),
        st.sampled_from("abcdefgh"),
        st.lists(st.sampled_from("abcdefghz"), min_size=1, max_size=4),
        st.integers(0, 3),
        st.integers(0, 999),
    )
    | st.builds(link, st.sampled_from("abcdefgh"), at=st.integers(0, 3), order=st.integers(0, 999)),
    max_size=14,
    unique_by=lambda one: one.order,
)


def test_a_merge_makes_one_chain_of_several() -> None:
    chain = resolve(
        [link("a", None, 1), link("b", None, 0, 1), merge("c", "a", "b", at=0, order=2)]
    )

    assert dict(chain.chains) == {"c": ("b", "a", "c")}


def test_of_roots_that_reach_several_ends_the_newest_end_answers() -> None:
    some = [
        link("a", order=0),
        link("b", order=1),
        merge("m", "a", "b", at=2, order=2),
        link("x", "a", 3, 3),
    ]

    assert dict(resolve(some).chains) == {"x": ("a", "b", "m", "x")}
    assert resolve([*some[:3], link("x", "a", 1, 3)]).head["x"] == "m"


def test_a_merge_in_two_loops_lets_go_of_both_in_turn() -> None:
    some = [
        merge("m", "a", "b", at=1, order=0),
        link("a", "m", 2, 1),
        link("b", "m", 3, 2),
    ]

    assert resolve(some).cycles == (("m", "a"), ("m", "b"))
    assert resolve(some).chains == {"b": ("m", "a", "b")}


@given(merges, st.randoms())
def test_the_order_of_reading_merges_changes_nothing(some: list[Link], random: Random) -> None:
    other = list(some)
    random.shuffle(other)

    assert resolve(other) == resolve(some)


@given(merges)
def test_all_that_is_linked_by_merges_is_one_chain_and_its_head_is_replaced_by_nothing(
    some: list[Link],
) -> None:
    resolution = resolve(some)
    doubles = {one.order for one in resolution.duplicates}
    kept = {one.id: one for one in some if one.order not in doubles}
    cut = {(loop[0], (*loop, loop[0])[1]) for loop in resolution.cycles}
    links = [(one.id, up) for one in kept.values() for up in one.parents if up in kept]

    for fact_id, parent in set(links) - cut:
        chain = resolution.chains[resolution.head[fact_id]]
        assert resolution.head[parent] == chain[-1]
        assert parent != chain[-1]
        assert fact_id == chain[-1] or chain.index(parent) < chain.index(fact_id)
    assert sorted(member for chain in resolution.chains.values() for member in chain) == sorted(
        kept
    )


def test_a_merge_of_20_000_facts_is_resolved() -> None:
    some = [link(str(at), order=at) for at in range(20_000)]

    assert resolve(
        [*some, merge("m", *(one.id for one in some), at=1, order=-1)]
    ).chains.keys() == {"m"}
