"""A document survives its trip through a row."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from litemem.index.docs import Doc, microseconds, moment
from litemem.index.rows import doc_of, path_of, row_of, same_text_key, stored_path, text_key
from litemem.types import Origin, Seen
from tests.index.made import fact

times = st.datetimes(timezones=st.just(UTC))
texts = st.text(max_size=20)
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts
docs = st.builds(
    Doc,
    kind=st.sampled_from(("fact", "block", "turn", "node")),
    id=texts,
    line=st.integers(1, 10**6),
    text=texts,
    at=st.none() | times,
    chat_id=st.none() | st.text(min_size=1, max_size=20),
    thread=texts,
    head=texts,
    importance=st.floats(0, 1),
    category=texts,
    replaces=st.none() | texts,
    tags=st.lists(texts, max_size=3).map(tuple),
    speaker=st.none() | texts,
    metadata=st.dictionaries(texts, scalars | st.lists(scalars, max_size=2), max_size=3),
    origin=st.none() | st.builds(Origin, session=texts, line=st.none() | st.integers(1)),
    seen=st.none() | st.builds(Seen, n=st.integers(1, 99), last=times),
    explicit=st.booleans(),
)


@given(docs, st.lists(texts, max_size=3))
def test_every_document_survives_its_row(doc: Doc, merges: list[str]) -> None:
    doc = doc if doc.replaces is None else replace(doc, merges=tuple(merges))
    row = row_of(doc, 1, 2)

    assert doc_of(row, doc.chat_id or "", doc.thread) == doc


@given(st.text(st.characters(), max_size=20))
def test_every_path_survives_its_column(path: str) -> None:
    odd = path + "\udcff"

    assert path_of(stored_path(path)) == path
    assert path_of(stored_path(odd)) == odd


@given(times)
def test_times_are_exact_to_the_microsecond(at: datetime) -> None:
    assert moment(microseconds(at)) == at


def test_lone_surrogates_become_replacement_characters() -> None:
    row = row_of(replace(fact("m1", "tea \ud800"), head="\udfff: ", category="\ud900"), 1, 2)

    assert (row.text, row.head, row.category) == ("tea \ufffd", "\ufffd: ", "\ufffd")


def test_the_head_is_part_of_what_a_vector_is_made_of() -> None:
    plain = row_of(fact("m1", "tea"), 1, 2)

    assert text_key(plain) != text_key(plain._replace(head="Ann: "))


def test_the_same_fact_is_found_whatever_its_case_and_final_point() -> None:
    assert same_text_key("Likes tea.", "Ann") == same_text_key("likes  TEA", "Ann")
    assert same_text_key("likes tea", None) != same_text_key("likes tea", "")
