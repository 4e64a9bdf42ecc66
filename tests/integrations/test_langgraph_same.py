"""LitememStore answers as LangGraph's own store, whatever is asked in whatever order."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.store.base import (
    BaseStore,
    GetOp,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from litemem.aio.store import SQLiteMemoryStore
from litemem.integrations.langgraph import LitememStore

NAMESPACES = st.sampled_from([("a",), ("a", "b"), ("a", "b", "c"), ("b",), ("b", "a")])
KEYS = st.sampled_from(["k", "l"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.dictionaries(st.sampled_from("xyz"), SCALARS | st.lists(SCALARS), max_size=3)
PATTERNS = st.builds(
    MatchCondition,
    st.sampled_from(["prefix", "suffix"]),
    st.lists(st.sampled_from("abc*"), max_size=2).map(tuple),
)
LISTINGS = st.builds(
    ListNamespacesOp,
    st.none() | st.lists(PATTERNS, max_size=2).map(tuple),
    st.none() | st.integers(1, 3),
    st.integers(0, 5),
    st.integers(0, 3),
)
SEARCHES = st.builds(
    SearchOp,
    namespace_prefix=st.sampled_from([(), ("a",), ("a", "b"), ("b",)]),
    filter=st.none() | st.dictionaries(st.sampled_from("xyz"), SCALARS, max_size=1),
    limit=st.just(100),
    offset=st.just(0),  # the order is each store's own
    query=st.sampled_from([None, "x", "one"]),
)
INDEXED: st.SearchStrategy[Any] = st.sampled_from([None, False, ["x"]])
PUTS = st.builds(PutOp, NAMESPACES, KEYS, VALUES, INDEXED, st.none())
DELETES = st.builds(PutOp, NAMESPACES, KEYS, st.none(), st.none(), st.none())
OPS = st.one_of(PUTS, PUTS, DELETES, st.builds(GetOp, NAMESPACES, KEYS), SEARCHES, LISTINGS)


@settings(max_examples=60)
@given(batches=st.lists(st.lists(OPS, max_size=4), max_size=6))
def test_it_answers_as_langgraphs_own_store(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[Op]]
) -> None:
    folder = tmp_path_factory.mktemp("home")
    home = SQLiteMemoryStore(folder, model="hash")
    ours, theirs = LitememStore(home), InMemoryStore()

    async def run() -> None:
        for n, ops in enumerate(batches):
            living = {one.namespace for one in theirs.search((), limit=100)}
            wanted = [
                plain(op, one, living) for op, one in zip(ops, theirs.batch(ops), strict=True)
            ]
            answers = await ours.abatch(ops) if n % 2 else ours.batch(ops)
            assert [plain(op, one, living) for op, one in zip(ops, answers, strict=True)] == wanted
        await home.close()

    asyncio.run(run())
    shutil.rmtree(folder)


def plain(op: Op, answer: Any, living: set[tuple[str, ...]]) -> object:  # noqa: ANN401
    """Return an answer without times and, where it has none, order."""
    if isinstance(op, ListNamespacesOp):
        # Theirs also lists what was looked at or emptied: only the whole list is comparable.
        whole = op.limit == 5 and op.offset == 0
        shown = {one[: op.max_depth] for one in living}
        return sorted(one for one in answer if one in shown) if whole else None
    if isinstance(answer, list):
        return sorted((one.namespace, one.key, json.dumps(one.value)) for one in answer)
    return None if answer is None else (answer.namespace, answer.key, answer.value)


@given(
    limit=st.integers(0, 4),
    depth=st.none() | st.integers(1, 3),
    offset=st.integers(0, 3),
)
@settings(max_examples=20)
def test_namespaces_come_in_pages(
    filled: tuple[LitememStore, InMemoryStore], limit: int, depth: int | None, offset: int
) -> None:
    op = ListNamespacesOp(None, depth, limit, offset)

    assert filled[0].batch([op]) == filled[1].batch([op])


@pytest.fixture(scope="module")
def filled(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[LitememStore, InMemoryStore]]:
    """Fill a store of each kind alike."""
    home = SQLiteMemoryStore(tmp_path_factory.mktemp("home"), model="hash")
    stores = LitememStore(home), InMemoryStore()
    for store in stores:
        each: BaseStore = store
        for namespace in (("a",), ("a", "b"), ("a", "b", "c"), ("b",)):
            each.put(namespace, "k", {"n": 1})
    yield stores
    asyncio.run(home.close())
