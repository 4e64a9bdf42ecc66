"""Filters and namespace patterns mean what they mean in LangGraph's own store."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import ListNamespacesOp, MatchCondition, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from litemem.errors import InvalidValue
from litemem.integrations.matching import fits, lies_at

SCALARS = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["a", "b", "1", 0.5])
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xy"), inner, max_size=2)
    ),
    max_leaves=4,
)
OPERATORS = st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"])
NUMBERS = st.integers(-2, 2) | st.floats(-2, 2)
FILTERS = st.dictionaries(
    st.sampled_from("xyz"),
    VALUES | st.dictionaries(OPERATORS, NUMBERS, min_size=1, max_size=2),
    max_size=2,
)
LABELS = st.lists(st.sampled_from("abc"), max_size=3).map(tuple)


@given(value=st.dictionaries(st.sampled_from("xyz"), VALUES, max_size=3), wanted=FILTERS)
def test_a_filter_passes_what_it_passes_in_langgraphs_store(
    value: dict[str, Any], wanted: dict[str, Any]
) -> None:
    theirs = InMemoryStore()
    theirs.batch([PutOp(("a",), "k", value)])
    try:
        (found,) = theirs.batch([SearchOp(("a",), filter=wanted)])
    except (TypeError, ValueError):  # it can't compare None, a list or a word with a number
        assert not fits(value, wanted)
    else:
        assert fits(value, wanted) == bool(found)


@given(
    namespace=LABELS,
    where=st.sampled_from(["prefix", "suffix"]),
    path=st.lists(st.sampled_from("abc*"), max_size=3).map(tuple),
)
def test_a_pattern_matches_what_it_matches_in_langgraphs_store(
    namespace: tuple[str, ...], where: Literal["prefix", "suffix"], path: tuple[str, ...]
) -> None:
    theirs = InMemoryStore()
    theirs.batch([PutOp(namespace, "k", {})])
    (found,) = theirs.batch([ListNamespacesOp((MatchCondition(where, path),))])

    assert lies_at(namespace, where, path) == bool(found)


def test_an_object_is_compared_in_the_keys_that_a_filter_names() -> None:
    value = {"x": {"y": 1, "z": [1, {"w": 2}]}}

    assert fits(value, {"x": {"z": [1, {"w": {"$gt": 1}}]}})
    assert not fits(value, {"x": {"z": [1]}})
    assert not fits(value, {"x": {"y": {"w": 1}}})


def test_an_unknown_operator_is_refused() -> None:
    with pytest.raises(InvalidValue, match=r"'\$in' is unknown; it is one of \$eq, \$ne, \$gt"):
        fits({"x": 1}, {"x": {"$in": [1]}})


def test_an_unknown_place_is_refused() -> None:
    with pytest.raises(InvalidValue, match="'infix' is unknown; give prefix or suffix"):
        lies_at(("a",), "infix", ("a",))
