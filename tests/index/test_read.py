"""Facts, chains and counts out of the index."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from litemem.index.read import Counts
from litemem.index.store import Index
from tests.index.made import DAY, fact, facts, fill, source


def names(index: Index, **how: object) -> list[str]:
    """Return the ids of a user's facts, as asked for."""
    return [one.doc.id for one in index.facts("default", **how)]  # type: ignore[arg-type]


def test_facts_come_newest_first_then_by_id(index: Index) -> None:
    index.put_source(source("a.md"), [fact("m3"), *facts("m1", "m2")])

    assert names(index) == ["m2", "m1", "m3"]
    assert names(index, limit=2) == ["m2", "m1"]
    assert names(index, limit=2, offset=2) == ["m3"]
    assert names(index, limit=0) == []


def test_facts_come_by_importance_then_newest(index: Index) -> None:
    docs = facts("m1", "m2", "m3")
    index.put_source(source(), [replace(docs[0], importance=0.9), docs[1], docs[2]])

    assert names(index, sort="importance") == ["m1", "m3", "m2"]


def test_a_chat_sees_its_own_facts_and_those_of_no_chat(index: Index) -> None:
    one, two, three = facts("m1", "m2", "m3")
    index.put_source(source(), [replace(one, chat_id="c1"), replace(two, chat_id="c2"), three])

    assert names(index, chat_id="c1") == ["m3", "m1"]
    assert names(index, chat_id="c1", chat_only=True) == ["m1"]
    assert names(index, chat_id="unknown") == ["m3"]
    assert names(index) == ["m3", "m2", "m1"]


def test_facts_are_filtered_by_category_and_time(index: Index) -> None:
    one, two, three = facts("m0", "m1", "m2")
    index.put_source(source(), [replace(one, category="goal"), two, three])

    assert names(index, category="goal") == ["m0"]
    assert names(index, since=DAY + timedelta(minutes=1)) == ["m2", "m1"]
    assert names(index, until=DAY + timedelta(minutes=1)) == ["m0"]


def test_users_do_not_see_each_other(index: Index) -> None:
    index.put_source(source("a.md"), [fact("m1", "tea")])
    index.put_source(source("users/u/a.md", "u"), [fact("m1", "ale")])

    assert [one.doc.text for one in index.facts("u")] == ["ale"]
    assert [one.doc.text for one in index.chain("u", "m1")] == ["ale"]
    assert [one.doc.text for one in index.find_same("u", None, None, "tea")] == []
    assert index.find("nobody", "m1") is None
    assert index.chain("nobody", "m1") == ()
    assert list(index.sources("u")) == ["users/u/a.md"]
    assert index.users() == ["default", "u"]
    assert index.progress("u") == (0, 1)


def test_any_id_gives_the_whole_chain_oldest_first(index: Index) -> None:
    index.put_source(source("b.md"), [fact("m1"), fact("m3", minute=3, replaces="m2")])
    index.put_source(source("a.md"), [fact("m2", minute=1, replaces="m1")])

    for name in ("m1", "m2", "m3"):
        chain = [(one.doc.id, one.state) for one in index.chain("default", name)]
        assert chain == [("m1", "superseded"), ("m2", "superseded"), ("m3", "current")]
    assert index.chain("default", "m4") == ()


def test_a_repeated_id_stands_in_the_chain_as_a_duplicate(index: Index) -> None:
    index.put_source(source("a.md"), [fact("m1", "first")])
    index.put_source(source("b.md"), [fact("m1", "second")])

    chain = [(one.doc.text, one.state) for one in index.chain("default", "m1")]

    assert chain == [("second", "duplicate"), ("first", "current")]
    found = index.find("default", "m1")
    assert found is not None
    assert found.doc.text == "first"


def test_the_same_fact_is_found_by_normalised_text_chat_and_speaker(index: Index) -> None:
    ann = replace(fact("m1", "Likes tea."), speaker="Ann")
    index.put_source(
        source(),
        [ann, replace(ann, id="m2", line=2, chat_id="c"), fact("m3", "likes tea", minute=2)],
    )

    def same(chat: str | None, speaker: str | None, text: str) -> list[str]:
        return [one.doc.id for one in index.find_same("default", chat, speaker, text)]

    assert same(None, "Ann", "likes  TEA") == ["m1"]
    assert same("c", "Ann", "Likes tea") == ["m2"]
    assert same(None, None, "Likes tea") == ["m3"]
    assert same(None, "Bob", "Likes tea") == []
    assert same(None, "Ann", "Likes teas") == []


def test_counts_tell_states_and_vectors_apart(index: Index) -> None:
    index.put_source(
        source(),
        [
            *facts("m1", "m2"),
            fact("m3", " ", minute=3),
            fact("m4", minute=4, replaces="m1"),
            fact("m2", "again", minute=5),
            replace(fact("b", "block", minute=6), kind="block"),
        ],
    )
    fill(index)

    counts = index.counts()

    assert counts["fact"] == Counts(
        current=3, superseded=1, duplicate=1, with_vector=2, unembeddable=1
    )
    assert counts["block"] == Counts(current=1, with_vector=1)
    assert counts["turn"] == counts["node"] == Counts()
    assert index.counts("nobody")["fact"] == Counts()
    assert index.progress() == (4, 4)


def test_no_numbers_give_no_rows(index: Index) -> None:
    assert index.by_rowids([]) == {}
    assert index.by_rowids([1, 2]) == {}
