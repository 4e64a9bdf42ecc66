"""The order in which handlers see events, whatever they do meanwhile."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.run.events import RunEvent, TextDelta
from litemem.run.ledger import RunEventHandler, RunLedger, Unsubscribe

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "runtime-vectors.json").read_text())
OURS: dict[str, dict[str, Any]] = {  # decisions 16 and 17 against the reference's Set
    "duplicate_dispose_first": {  # a disposer ends its own subscription alone
        "log": [["a", "e1"]],
        "results": [["size", 1], ["publish_returns", None], ["size", 0]],
    },
    "stale_disposer_removes_resubscription": {  # a spent disposer does nothing
        "log": [["a", "e1"]],
        "results": [["size", 1], ["publish_returns", None]],
    },
    "reentrant_publish_depth_first": {  # all handlers see one order
        "log": [["a", "e1"], ["b", "e1"], ["a", "e2"], ["b", "e2"]],
        "results": [["publish_returns", None]],
    },
}


class Script:
    """A ledger, named handlers that do things when called, and a log of who saw what."""

    def __init__(self, behaviour: dict[str, dict[str, Any]]) -> None:
        self.ledger, self.behaviour = RunLedger(), behaviour
        self.log: list[list[str]] = []
        self.results: list[list[Any]] = []
        self.disposers: dict[str, Unsubscribe] = {}
        self.handlers: dict[str, RunEventHandler] = {}

    def handler(self, name: str) -> RunEventHandler:
        return self.handlers.setdefault(name, self._make(name))

    def _make(self, name: str) -> RunEventHandler:
        def handle(event: RunEvent) -> None:
            assert isinstance(event, TextDelta)
            self.log.append([name, event.delta])
            does = self.behaviour.get(name, {})
            if does.get("on") == event.delta:
                for verb in ("subscribe", "dispose", "publish", "clear"):
                    if verb in does:
                        self.do(verb, does[verb])
            if does.get("throws"):
                raise ValueError(name)

        return handle

    def do(self, verb: str, name: str = "", token: str = "") -> None:
        match verb:
            case "subscribe":
                self.disposers[token] = self.ledger.subscribe(self.handler(name))
            case "dispose":
                self.disposers[name]()
            case "publish":
                returned: Any = self.ledger.publish(TextDelta(delta=name))  # type: ignore[func-returns-value]  # that it gives nothing is the claim
                self.results.append(["publish_returns", returned])
            case "size":
                self.results.append(["size", self.ledger.size])
            case "clear":
                self.ledger.clear()


@pytest.mark.parametrize("case", VECTORS["ledger"], ids=lambda case: str(case["id"]))
def test_a_ledger_does_as_the_reference_or_as_our_rule_says(case: dict[str, Any]) -> None:
    script = Script(case["handlers"])
    for op in case["ops"]:
        script.do(*op)
    nested = sum("publish" in does for does in case["handlers"].values())

    assert {"log": script.log, "results": script.results[nested:]} == OURS.get(
        case["id"], case["expected"]
    )


def test_a_failing_handler_is_logged_and_the_others_still_hear(
    caplog: pytest.LogCaptureFixture,
) -> None:
    script = Script({"a": {"throws": True}})
    script.do("subscribe", "a", "1")
    script.do("subscribe", "b", "2")
    with caplog.at_level(logging.ERROR):
        script.do("publish", "e1")

    assert script.log == [["a", "e1"], ["b", "e1"]]
    assert "TextDelta" in caplog.text
    assert caplog.records[0].exc_info is not None


@pytest.mark.parametrize("make", [lambda seen: seen.append, lambda seen: Sink(seen).take])
def test_one_method_named_twice_is_one_handler(
    make: Callable[[list[RunEvent]], RunEventHandler],
) -> None:
    ledger, seen = RunLedger(), list[RunEvent]()
    sink = make(seen)
    owner: Any = sink.__self__  # type: ignore[attr-defined]  # a bound method has it
    name = sink.__name__
    ledger.subscribe(getattr(owner, name))
    ledger.subscribe(getattr(owner, name))
    ledger.publish(TextDelta(delta="x"))

    assert ledger.size == 1
    assert seen == [TextDelta(delta="x")]


class Sink:
    def __init__(self, seen: list[RunEvent]) -> None:
        self.seen = seen

    def take(self, event: RunEvent) -> None:
        self.seen.append(event)


def test_equal_but_different_handlers_are_two() -> None:
    ledger = RunLedger()
    first, second = list[RunEvent](), list[RunEvent]()
    ledger.subscribe(first.append)
    ledger.subscribe(second.append)

    assert ledger.size == 2


def test_a_disposer_is_spent_after_clear() -> None:
    ledger, seen = RunLedger(), list[RunEvent]()
    stale = ledger.subscribe(seen.append)
    ledger.clear()
    ledger.subscribe(seen.append)
    stale()

    assert ledger.size == 1


def test_an_interrupt_passes_through_and_the_rest_is_heard_next_time() -> None:
    ledger, seen = RunLedger(), list[str]()

    def interrupt(event: RunEvent) -> None:
        assert isinstance(event, TextDelta)
        if event.delta == "1":
            ledger.publish(TextDelta(delta="2"))
            raise KeyboardInterrupt
        seen.append(event.delta)

    ledger.subscribe(interrupt)
    with pytest.raises(KeyboardInterrupt):
        ledger.publish(TextDelta(delta="1"))
    ledger.publish(TextDelta(delta="3"))

    assert seen == ["2", "3"]


def test_events_of_many_threads_reach_all_handlers_in_one_order() -> None:
    ledger, first, second = RunLedger(), list[RunEvent](), list[RunEvent]()
    ledger.subscribe(first.append)
    ledger.subscribe(second.append)

    def publish(name: int) -> None:
        for i in range(200):
            ledger.publish(TextDelta(delta=f"{name}/{i}"))

    threads = [threading.Thread(target=publish, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert first == second
    assert len(first) == 800


OPS = st.lists(
    st.one_of(
        st.tuples(st.just("subscribe"), st.sampled_from("abc"), st.sampled_from("123")),
        st.tuples(st.just("dispose"), st.sampled_from("123")),
        st.tuples(st.just("publish"), st.sampled_from(["e1", "e2"])),
        st.tuples(st.just("clear")),
    ),
    max_size=12,
)
BEHAVIOUR = st.dictionaries(
    st.sampled_from("abc"),
    st.fixed_dictionaries(
        {"on": st.just("e1")},
        optional={
            "subscribe": st.sampled_from("abc"),
            "dispose": st.sampled_from("123"),
            "publish": st.just("e2"),  # e2 answers with nothing, so that a run ends
            "clear": st.just(""),
            "throws": st.just(value=True),
        },
    ),
)


class Model:
    """The rules in the plainest form: a list of subscriptions, a list of events to come."""

    def __init__(self, behaviour: dict[str, dict[str, Any]]) -> None:
        self.behaviour = behaviour
        self.live: list[tuple[str, int]] = []  # handler, subscription
        self.tokens: dict[str, int] = {"": -1}
        self.log: list[list[str]] = []
        self.waiting: list[str] = []
        self.count = 0

    def run(self, ops: list[tuple[Any, ...]]) -> None:
        for op in ops:
            self.do(*op)
            while self.waiting:
                event = self.waiting.pop(0)
                for name in dict.fromkeys(name for name, _ in self.live):
                    self.log.append([name, event])
                    does = self.behaviour.get(name, {})
                    if does.get("on") == event:
                        for verb in ("subscribe", "dispose", "publish", "clear"):
                            if verb in does:
                                self.do(verb, does[verb])

    def do(self, verb: str, name: str = "", token: str = "") -> None:
        match verb:
            case "subscribe":
                self.count += 1
                self.tokens[token] = self.count
                at = max((i + 1 for i, (n, _) in enumerate(self.live) if n == name), default=None)
                self.live.insert(len(self.live) if at is None else at, (name, self.count))
            case "dispose":
                self.live = [s for s in self.live if s[1] != self.tokens.get(name)]
            case "publish":
                self.waiting.append(name)
            case "clear":
                self.live = []


@given(OPS, BEHAVIOUR)
def test_handlers_see_what_the_plain_model_says(
    ops: list[tuple[Any, ...]], behaviour: dict[str, dict[str, Any]]
) -> None:
    script, model = Script(behaviour), Model(behaviour)
    script.disposers = {name: lambda: None for name in "123"}
    for op in ops:
        script.do(*op)
    model.run(ops)

    assert script.log == model.log
    assert script.ledger.size == len({name for name, _ in model.live})
