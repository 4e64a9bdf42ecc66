"""A store of LangGraph over litemem: `graph.compile(store=LitememStore(...))`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

from litemem.aio.home import Core
from litemem.aio.store import SQLiteMemoryStore
from litemem.errors import InvalidValue
from litemem.integrations.keyed import Entry, KeyedFacts, Put, json_of
from litemem.integrations.matching import fits, lies_at
from litemem.integrations.missing import missing
from litemem.types import DEFAULT_USER

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        get_text_at_path,
    )
except ImportError as error:
    raise missing("LangGraph", error) from error

Answer = Callable[[KeyedFacts], Result]


class LitememStore(BaseStore):
    """
    LangGraph's long-term memory, in the files of a litemem home.

    Each item is a fact of one user, in a chat for its namespace: a line in the day's log, with
    namespace, key and value in its comment. So `litemem search` finds items, too. A put is a new
    line that replaces the old one, a delete forgets all lines. A namespace is not a user: all items
    are one user's; for several users make a store for each, on the same SQLiteMemoryStore.

    A search with a query ranks by words and meaning, best first, and then gives the other items of
    the namespace without a score; one without a query gives those that were put last first.
    Time to live isn't supported. The methods with `a` don't block the event loop, the others do.

    Args:
        store: the home; whoever made it closes it. Closed, every call raises Closed.
        user_id: whose items.
        fields: paths of the values that items are found by, where a put names none; default all.
    """

    def __init__(
        self,
        store: SQLiteMemoryStore,
        *,
        user_id: str = DEFAULT_USER,
        fields: Sequence[str] | None = None,
    ) -> None:
        self._store, self._user = store, user_id
        self._fields = None if fields is None else [*fields]
        self._facts: KeyedFacts | None = None

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do operations: reads see what was before; of several puts to one key the last counts."""
        given = [*ops]
        return self._store.home.call(partial(self._run, given))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do `batch` without blocking the event loop."""
        given = [*ops]
        home = self._store.home
        writes = any(isinstance(op, PutOp) for op in given)
        return await (home.write if writes else home.read)(partial(self._run, given))

    def _run(self, ops: Sequence[Op], core: Core) -> list[Result]:
        facts = self._facts or KeyedFacts(core, self._user)
        self._facts = facts
        puts: dict[tuple[tuple[str, ...], str], Put] = {}
        results: list[Result] = []
        for op in ops:
            if isinstance(op, PutOp):
                puts[op.namespace, op.key] = self._put(op)
                results.append(None)
            else:
                results.append(_answer(op, facts))
        facts.put([*puts.values()])
        return results

    def _put(self, op: PutOp) -> Put:
        if op.value is None:
            return Put(op.namespace, op.key)
        value = json_of(op.value)
        fields = self._fields if op.index is None else op.index
        text = None if fields is False else _text(op.value, fields)
        return Put(op.namespace, op.key, value, text)


def _answer(op: Op, facts: KeyedFacts) -> Result:
    match op:
        case GetOp():
            entry = facts.get(op.namespace, op.key)
            return None if entry is None else _item(entry)
        case SearchOp():
            return _search(op, facts)
        case ListNamespacesOp():
            return _namespaces(op, facts)
        case _:
            raise InvalidValue(f"unknown operation {type(op).__name__}")


def _search(op: SearchOp, facts: KeyedFacts) -> list[SearchItem]:
    def matches(entry: Entry) -> bool:
        inside = entry.namespace[: len(op.namespace_prefix)] == op.namespace_prefix
        return inside and fits(entry.value, op.filter or {})

    end = op.offset + op.limit
    ranked = facts.search(op.query, end, matches) if op.query else []
    found: list[tuple[Entry, float | None]] = [*ranked]
    if len(found) < end:
        ids = {entry.fact.id for entry, _ in ranked}
        rest = (entry for entry in facts.all() if entry.fact.id not in ids and matches(entry))
        found += [(entry, None) for entry in rest]
    page = found[op.offset : end]
    facts.recalled([entry for entry, score in page if score is not None])
    return [_search_item(entry, score) for entry, score in page]


def _namespaces(op: ListNamespacesOp, facts: KeyedFacts) -> list[tuple[str, ...]]:
    conditions = op.match_conditions or ()
    found = {
        entry.namespace[: op.max_depth]
        for entry in facts.all()
        if all(lies_at(entry.namespace, one.match_type, one.path) for one in conditions)
    }
    return sorted(found)[op.offset : op.offset + op.limit]


def _text(value: Mapping[str, Any], fields: Sequence[str] | None) -> str:  # Any: a caller's JSON
    """Return what a value is found by: all of it, or its texts at some paths."""
    if fields is not None:
        return "\n".join(text for field in fields for text in get_text_at_path(value, field))
    if len(value) == 1:
        return _written(next(iter(value.values())))
    return "; ".join(f"{name}: {_written(one)}" for name, one in value.items())


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _item(entry: Entry) -> Item:
    return Item(
        value=deepcopy(entry.value),
        key=entry.key,
        namespace=entry.namespace,
        created_at=entry.created_at,
        updated_at=entry.updated_at,
    )


def _search_item(entry: Entry, score: float | None) -> SearchItem:
    return SearchItem(
        namespace=entry.namespace,
        key=entry.key,
        value=deepcopy(entry.value),
        created_at=entry.created_at,
        updated_at=entry.updated_at,
        score=score,
    )
