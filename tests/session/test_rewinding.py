"""Turns added after whatever is the leaf, and taken back: the log keeps every node."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.errors import Conflict, InvalidValue
from litemem.session import SessionStore, Turn, append_turns, rewind
from litemem.session.rewinding import CLEARED
from tests.session.turns import path_of, said, turn

SUM = turn("sum")


def pop(store: SessionStore) -> None:
    """Take the last turn back, where there is one."""
    rewind(store, "s", lambda turns: (max(0, len(turns) - 1), []))


def context(store: SessionStore) -> list[str]:
    """Return the texts of the context, as both ways of reading it find them."""
    turns = store.resume("s")
    for n in range(len(turns) + 2):
        assert store.resume("s", last_n=n) == turns[max(0, len(turns) - n) :]
    return said(one for one in turns if one != CLEARED)


def test_turns_follow_the_leaf_in_one_write(store: SessionStore) -> None:
    first = append_turns(store, "s", [turn("a"), turn("b")])
    again = append_turns(store, "s", [turn("c")])

    assert context(store) == ["a", "b", "c"]
    assert [node.parent for node in (*first, *again)] == [None, first[0].id, first[1].id]
    assert append_turns(store, "s", []) == ()


def test_a_taken_turn_stays_in_the_log(store: SessionStore) -> None:
    append_turns(store, "s", [turn("a"), turn("b")])
    pop(store)
    append_turns(store, "s", [turn("c")])

    assert context(store) == ["a", "c"]
    assert said(node.turn for node in store.load_session("s").all()) == ["a", "b", "c"]


def test_an_emptied_session_goes_on_from_a_new_root(store: SessionStore) -> None:
    append_turns(store, "s", [turn("a"), turn("b")])
    rewind(store, "s", lambda _: (0, []))
    append_turns(store, "s", [turn("c")])

    assert context(store) == ["c"]
    assert store.resume("s")[0] == CLEARED
    assert store.load_session("s", strict=True, check_ids=True).size == 4


def test_other_turns_can_follow_those_that_stay(store: SessionStore) -> None:
    append_turns(store, "s", [turn("a"), turn("b")])
    rewind(store, "s", lambda turns: (1, [turn("x"), turn("y")]))
    assert context(store) == ["a", "x", "y"]

    rewind(store, "s", lambda turns: (0, [turn("z")]))
    assert context(store) == ["z"]


def test_keeping_all_turns_writes_nothing(store: SessionStore) -> None:
    append_turns(store, "s", [turn("a")])
    before = path_of(store).read_bytes()
    rewind(store, "s", lambda turns: (len(turns), []))

    assert path_of(store).read_bytes() == before


def test_a_session_that_is_missing_stays_so(store: SessionStore) -> None:
    pop(store)

    assert not path_of(store).exists()


def test_a_condensed_session_stays_condensed_when_turns_are_taken_back(
    store: SessionStore,
) -> None:
    append_turns(store, "s", [turn(text) for text in "abcdef"])
    store.compact(store.load_session("s"), SUM, at=4, pin=1)
    assert context(store) == ["sum", "b", "e", "f"]

    left = []
    for _ in range(5):
        pop_spoken(store)
        left.append(context(store))

    assert left == [["sum", "b", "e"], ["sum", "b"], ["sum"], [], []]


@pytest.mark.parametrize("keep", [-1, 2])
def test_more_turns_than_there_are_cant_stay(store: SessionStore, keep: int) -> None:
    append_turns(store, "s", [turn("a")])

    with pytest.raises(InvalidValue, match=f"can't keep {keep} of 1 turns of 's'"):
        rewind(store, "s", lambda _: (keep, []))


def test_a_turn_that_is_no_json_leaves_the_file_as_it_was(store: SessionStore) -> None:
    with pytest.raises(InvalidValue, match="not JSON"):
        append_turns(store, "s", [turn("a"), {"role": {1, 2}}])

    assert not path_of(store).exists()


def test_a_log_without_a_valid_head_gets_no_second_root(store: SessionStore) -> None:
    append_turns(store, "s", [turn("a"), turn("b")])
    lines = path_of(store).read_bytes().split(b"\n")
    path_of(store).write_bytes(b"\n".join(line for line in lines if b'"head"' not in line))

    with pytest.raises(Conflict, match="session repair s"):
        append_turns(store, "s", [turn("c")])


def test_the_same_turn_in_the_same_millisecond_is_another_node(
    store: SessionStore,
) -> None:
    store.clock = lambda: 5
    for _ in range(3):
        append_turns(store, "s", [turn("a"), turn("b")])
        pop(store)
        append_turns(store, "s", [turn("b")])
        rewind(store, "s", lambda _: (0, []))

    graph = store.load_session("s", strict=True, check_ids=True)
    assert len({node.id for node in graph.all()}) == graph.size == 12


def test_threads_append_without_loss(store: SessionStore) -> None:
    def work(name: str) -> None:
        for n in range(20):
            append_turns(store, "s", [turn(f"{name}{n}"), turn(f"{name}{n}!")])

    threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    texts = context(store)
    assert len(texts) == 120
    for name in "abc":
        own = [text for text in texts if text[0] == name]
        assert own == [f"{name}{n}{mark}" for n in range(20) for mark in ("", "!")]


Step = tuple[str, int]
STEPS = ("add", "add", "pop", "pop", "pop", "compact", "pin", "clear")


@settings(max_examples=150)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(STEPS), st.integers(1, 4)),
        min_size=4,
        max_size=20,
    )
)
def test_a_context_is_the_list_that_was_added_to_and_cut(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step]
) -> None:
    ticks = iter(range(1, 10_000))
    store = SessionStore(tmp_path_factory.mktemp("s"), fsync=False, clock=lambda: next(ticks))
    model: list[str] = []
    written = 0
    for step, n in steps:
        if step == "add":
            texts = [f"{written + i}" for i in range(n)]
            append_turns(store, "s", [turn(text) for text in texts])
            model, written = model + texts, written + n
        elif step == "pop":
            pop_spoken(store)
            model = model[:-1]
        elif step == "clear":
            rewind(store, "s", lambda turns: (0, []))
            model = []
        elif (cut := min(n, len(model))) > 1:
            model = condense(store, model, cut, pin=0 if step == "pin" else None)
        assert context(store) == model
    stored = {node.turn["blocks"][0].get("text") for node in store.load_session("s").all()}
    assert {str(i) for i in range(written)} <= stored


def pop_spoken(store: SessionStore) -> None:
    """Take the last turn back that isn't CLEARED."""

    def decide(turns: list[Turn]) -> tuple[int, list[Turn]]:
        spoken = [n for n, one in enumerate(turns) if one != CLEARED]
        return (spoken[-1] if spoken else len(turns)), []

    rewind(store, "s", decide)


def condense(store: SessionStore, model: list[str], cut: int, pin: int | None) -> list[str]:
    """Condense the first turns of a context, and say what is left."""
    graph = store.load_session("s")
    shift = 1 if graph.context().turns()[0] == CLEARED else 0
    summaries = 0 if graph.context().compaction is None else 1
    at = cut + shift
    if pin is not None:
        pin = max(pin + shift, summaries)
        if pin >= at:
            pin = None
    kept = [] if pin is None else [model[pin - shift]]
    store.compact(graph, SUM, at=at, pin=pin)
    return ["sum", *kept, *model[cut:]]
