"""LitememStore keeps items as facts in the files, and finds them again."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypedDict, cast

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import (
    InvalidNamespaceError,
    Op,
    PutOp,
    SearchItem,
)

import litemem
from litemem.aio.store import SQLiteMemoryStore
from litemem.errors import Closed, InvalidValue
from litemem.integrations.langgraph import LitememStore

START_AT = datetime(2026, 2, 8, 14, 5, tzinfo=UTC)


class Clock:
    """Ticks a second at each look."""

    def __init__(self) -> None:
        self.now = START_AT

    def __call__(self) -> datetime:
        """Return the next moment."""
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SQLiteMemoryStore]:
    """Open a new home with the model-free embedder."""
    monkeypatch.setenv("TZ", "UTC")
    made = SQLiteMemoryStore(tmp_path / "home", model="hash", clock=Clock())
    yield made
    asyncio.run(made.close())


@pytest.fixture
def store(home: SQLiteMemoryStore) -> LitememStore:
    """Return a store of the default user."""
    return LitememStore(home)


def keys(items: list[SearchItem]) -> list[str]:
    """Return the keys of items."""
    return [item.key for item in items]


def test_a_value_comes_back(store: LitememStore) -> None:
    value = {"text": "Prefers tea", "n": 1.0, "deep": {"list": [None, True, {"ü": "\n"}]}}
    store.put(("users", "ann"), "taste", value)
    item = store.get(("users", "ann"), "taste")

    assert item is not None
    assert (item.namespace, item.key, item.value) == (("users", "ann"), "taste", value)
    assert store.get(("users", "ann"), "other") is None
    assert store.get(("users",), "taste") is None


def test_a_value_that_was_handed_out_is_the_callers_own(store: LitememStore) -> None:
    store.put(("a",), "k", {"list": [1]})
    for _ in range(2):
        (item,) = store.search(("a",))
        assert item.value == {"list": [1]}
        item.value["list"].append(2)


def test_what_another_store_put_is_seen(home: SQLiteMemoryStore, store: LitememStore) -> None:
    other = LitememStore(home)
    for n in range(3):
        other.put(("a",), f"k{n}", {"n": n})
        store.put(("a",), "last", {"n": n})
        assert len(store.search(("a",))) == n + 2
        assert [item.value["n"] for item in other.search(("a",), query="n")].count(n) == 2


def test_an_update_keeps_when_it_was_created(store: LitememStore) -> None:
    store.put(("a",), "k", {"text": "x"})
    first = store.get(("a",), "k")
    store.put(("a",), "k", {"text": "y"})
    store.put(("a",), "k", {"text": "z"})
    last = store.get(("a",), "k")

    assert first is not None
    assert last is not None
    assert last.value == {"text": "z"}
    assert first.created_at == first.updated_at == last.created_at
    assert last.updated_at > first.updated_at


def test_the_same_value_again_is_no_new_line_but_an_update(
    store: LitememStore, tmp_path: Path
) -> None:
    times = []
    for value in ({"n": 1}, {"n": 1}, {"n": 2}, {"n": 2}):
        store.put(("a",), "k", value)
        item = store.get(("a",), "k")
        assert item is not None
        assert item.value == value
        times.append((item.created_at, item.updated_at))
    (log,) = (tmp_path / "home" / "memory").glob("2026*.md")

    assert len({created for created, _ in times}) == 1
    assert sorted({updated for _, updated in times}) == [updated for _, updated in times]
    assert log.read_text().count('"key":"k"') == 2


def test_an_item_is_a_line_of_the_days_log(store: LitememStore, tmp_path: Path) -> None:
    store.put(("users", "ann"), "taste", {"text": "Prefers tea"})
    store.put(("users", "ann"), "place", {"city": "Porto", "since": 2024})
    text = (tmp_path / "home" / "memory" / "2026-02-08.md").read_text()

    assert "chat langgraph/users/ann" in text
    assert "- [item] Prefers tea <!-- " in text
    assert "- [item] city: Porto; since: 2024 <!-- " in text


def test_a_new_index_has_the_same_items(
    home: SQLiteMemoryStore, store: LitememStore, tmp_path: Path
) -> None:
    store.put(("a",), "k", {"n": 1})
    store.put(("a",), "k", {"n": 2})
    store.put(("b",), "k", {"n": 3})
    store.delete(("b",), "k")
    before = store.search(())
    asyncio.run(home.close())
    for left in (tmp_path / "home").glob("index.db*"):
        left.unlink()
    again = SQLiteMemoryStore(tmp_path / "home")

    assert LitememStore(again).search(()) == before != []
    asyncio.run(again.close())


def test_a_deleted_item_is_nowhere(store: LitememStore, tmp_path: Path) -> None:
    store.put(("a",), "k", {"text": "secret one"})
    store.put(("a",), "k", {"text": "secret two"})
    store.delete(("a",), "k")
    store.delete(("a",), "k")

    assert store.get(("a",), "k") is None
    files = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert not any(b"secret" in path.read_bytes() for path in files)
    store.put(("a",), "k", {"text": "public"})
    assert store.search(("a",))[0].value == {"text": "public"}


def test_a_query_ranks_and_then_gives_the_rest_without_a_score(store: LitememStore) -> None:
    for key, text in (("tea", "Prefers green tea"), ("pet", "Has a dog"), ("job", "Writes code")):
        store.put(("ann",), key, {"text": text})
    store.put(("ann",), "none", {"text": "green tea, but not to be found"}, index=False)
    store.put(("bob",), "tea", {"text": "Prefers green tea"})
    found = store.search(("ann",), query="green tea", limit=10)

    assert found[0].key == "tea"
    assert sorted(keys(found)) == ["job", "none", "pet", "tea"]
    assert found[-1].key == "none"
    assert found[-1].score is None
    scores = [item.score for item in found[:-1] if item.score is not None]
    assert scores == sorted(scores, reverse=True)
    pages = [store.search(("ann",), query="green tea", limit=1, offset=n) for n in range(5)]
    assert [keys(page) for page in pages] == [[key] for key in keys(found)] + [[]]


def test_a_query_passes_by_what_the_filter_doesnt_want(store: LitememStore) -> None:
    store.batch([PutOp(("a",), f"k{n}", {"text": f"tea {n}", "n": n}) for n in range(130)])
    found = store.search(("a",), query="tea", filter={"n": {"$gte": 125}}, limit=3)

    assert len(found) == 3
    assert all(item.value["n"] >= 125 and item.score is not None for item in found)


def test_a_namespace_of_any_length_and_script_is_searched(store: LitememStore) -> None:
    spaces = [("x" * 300,), ("x" * 300, "y"), ("日本\n- [item] x", " "), ("a/b", "c"), ("a", "b/c")]
    for namespace in spaces:
        store.put(namespace, "k", {"text": f"tea of {len(namespace)}"})
        store.put(namespace, "l", {"text": "coffee"})

    for namespace in spaces:
        whole = [
            item for item in store.search(namespace, query="tea") if item.namespace == namespace
        ]
        assert keys(whole) == ["k", "l"]
    assert sorted(store.list_namespaces()) == sorted(spaces)


def test_fields_say_what_an_item_is_found_by(home: SQLiteMemoryStore) -> None:
    store = LitememStore(home, fields=["title", "tags[*]"])
    store.put(("a",), "k", {"title": "Porto", "tags": ["tram"], "body": "hidden"})
    store.put(("a",), "l", {"title": "Lisbon", "body": "shown"}, index=["body"])
    store.put(("a",), "m", {"body": "neither"})

    async def text(key: str) -> str:
        (fact,) = [one for one in await home.list_memories("default") if f'/{key}"' in place(one)]
        return fact["content"]

    def place(fact: Any) -> str:  # noqa: ANN401  # Any: a TypedDict
        kept = fact["metadata"]["langgraph"]
        return json.dumps("/".join([*kept["namespace"], kept["key"]]))

    assert [asyncio.run(text(key)) for key in "klm"] == ["Porto\ntram", "shown", "a/m"]


ODD: list[dict[str, Any]] = [
    {},
    {"text": ""},
    {"text": " \n"},
    {"half": "\ud800"},
    {"nan": float("inf")},
    {"big": 2**80, "small": -1e-300},
    {"list": (1, 2)},
    {"comment": "--> <!-- {} --> #tag [x]"},
    {"$eq": 1, "json": "2", "value": 3},
    {"text": "x" * 100_000},
]


@pytest.mark.parametrize("value", ODD, ids=lambda value: next(iter(value), "empty"))
def test_an_odd_value_comes_back(
    store: LitememStore, tmp_path: Path, value: dict[str, Any]
) -> None:
    for n in range(2):
        store.put(("a",), "k", {**value, "round": n})
        store.put(("a",), "l", value)
        item, other = store.get(("a",), "k"), store.get(("a",), "l")
        wanted = {name: [*one] if isinstance(one, tuple) else one for name, one in value.items()}
        assert item is not None
        assert other is not None
        assert item.value == {**wanted, "round": n}
        assert other.value == wanted


def test_deep_json_comes_back(store: LitememStore) -> None:
    deep: dict[str, Any] = {}
    for _ in range(400):
        deep = {"in": deep}
    store.put(("a",), "k", deep)
    item = store.get(("a",), "k")

    assert item is not None
    assert item.value == deep


@pytest.mark.parametrize("value", [{"a": {1, 2}}, {"a": object()}, {(1, 2): 3}])
def test_what_is_no_json_is_refused_before_anything_is_written(
    store: LitememStore, value: dict[str, Any]
) -> None:
    with pytest.raises(InvalidValue, match="must be a JSON object"):
        store.batch([PutOp(("a",), "ok", {"n": 1}), PutOp(("a",), "k", value)])

    assert store.search(()) == []


def test_an_unknown_operation_is_refused(store: LitememStore) -> None:
    with pytest.raises(InvalidValue, match="unknown operation str"):
        store.batch([cast(Op, "get")])


def test_what_the_framework_refuses_is_refused(store: LitememStore) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(("a.b",), "k", {})
    with pytest.raises(NotImplementedError, match="TTL"):
        store.put(("a",), "k", {}, ttl=1)


def test_users_dont_see_each_other(home: SQLiteMemoryStore) -> None:
    ann, bob = LitememStore(home, user_id="ann"), LitememStore(home, user_id="bob")
    ann.put(("a",), "k", {"who": "ann"})
    bob.put(("a",), "k", {"who": "bob"})
    ann.delete(("a",), "k")

    assert ann.search(()) == []
    assert [item.value for item in bob.search((), query="ann")] == [{"who": "bob"}]


def test_a_fact_of_the_same_words_is_another_one(home: SQLiteMemoryStore) -> None:
    store = LitememStore(home)
    store.put(("a",), "k", {"text": "Prefers tea"})
    asyncio.run(home.add_memory("Prefers tea", None, "default"))
    store.delete(("a",), "k")

    (fact,) = asyncio.run(home.list_memories("default"))
    assert fact["content"] == "Prefers tea"
    assert store.search((), query="tea") == []


def test_a_line_that_a_person_spoilt_is_no_item_any_more(
    home: SQLiteMemoryStore, tmp_path: Path
) -> None:
    LitememStore(home).put(("a",), "k", {"text": "tea"})
    LitememStore(home).put(("a",), "l", {"text": "tea time"})
    asyncio.run(home.close())
    log = tmp_path / "home" / "memory" / "2026-02-08.md"
    log.write_text(log.read_text().replace('"key":"k","value"', '"key":"k","worth"'))
    again = SQLiteMemoryStore(tmp_path / "home")
    store = LitememStore(again)

    assert store.get(("a",), "k") is None
    assert keys(store.search(())) == keys(store.search((), query="tea")) == ["l"]
    store.put(("a",), "k", {"text": "coffee"})
    assert sorted(keys(store.search(()))) == ["k", "l"]
    asyncio.run(again.close())


def test_what_was_found_counts_as_recalled(home: SQLiteMemoryStore) -> None:
    store = LitememStore(home)
    store.put(("a",), "k", {"text": "tea"})
    store.search((), query="tea")
    store.search(())

    assert asyncio.run(home.get_memory_stats("default"))["used"] == 1


def test_a_closed_store_says_so(home: SQLiteMemoryStore) -> None:
    asyncio.run(home.close())

    with pytest.raises(Closed, match="open it again"):
        LitememStore(home).get(("a",), "k")


PUTTER = """
import asyncio, sys
from litemem.aio.store import SQLiteMemoryStore
from litemem.integrations.langgraph import LitememStore

home = SQLiteMemoryStore(sys.argv[1])
store = LitememStore(home)
for n in range(10):
    store.put(("a",), "shared", {"by": sys.argv[2], "n": n})
    store.put(("a",), f"{sys.argv[2]}{n}", {"n": n})
asyncio.run(home.close())
"""


def test_two_processes_put_without_loss(store: LitememStore, tmp_path: Path) -> None:
    store.put(("a",), "first", {})
    command = (sys.executable, "-c", PUTTER, str(tmp_path / "home"))
    others = [subprocess.Popen([*command, name]) for name in "xy"]
    assert [other.wait() for other in others] == [0, 0]
    items = {item.key: item.value for item in store.search(("a",), limit=100)}

    assert len(items) == 22
    assert items["shared"]["n"] == 9
    with litemem.open(tmp_path / "home") as memory:
        assert not memory.doctor().problems


class Asked(TypedDict):
    """The state of a graph."""

    text: str


async def test_a_graph_remembers_across_its_runs(home: SQLiteMemoryStore) -> None:
    async def talk(state: Asked, runtime: Runtime[None]) -> Asked:
        assert runtime.store is not None
        known = await runtime.store.asearch(("ann", "said"), query=state["text"], limit=1)
        await runtime.store.aput(("ann", "said"), state["text"], {"text": state["text"]})
        return {"text": known[0].value["text"] if known else "nothing"}

    builder = StateGraph(Asked)
    builder.add_node("talk", talk)
    builder.add_edge(START, "talk")
    builder.add_edge("talk", END)
    graph = builder.compile(store=LitememStore(home))

    assert (await graph.ainvoke({"text": "I like green tea"}))["text"] == "nothing"
    assert (await graph.ainvoke({"text": "what tea?"}))["text"] == "I like green tea"
