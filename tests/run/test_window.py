"""Which steps go and which stay."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from litemem.run.turns import SUMMARY_HEADING, Turn, is_summary, is_user_turn, text_turn
from litemem.run.window import Window, find_window


def step(i: int) -> list[Turn]:
    return [text_turn("assistant", f"step {i}")]


def call(ident: str) -> Turn:
    return {"role": "assistant", "blocks": [{"kind": "tool_call", "id": ident, "name": "t"}]}


def result(ident: str) -> Turn:
    return {"role": "tool", "blocks": [{"kind": "tool_result", "callId": ident, "output": "r"}]}


def steps(count: int) -> list[list[Turn]]:
    return [step(i) for i in range(count)]


REQUEST = [text_turn("user", "do it")]
SUMMARY = [text_turn("user", f"{SUMMARY_HEADING}\nold")]


def found(units: list[list[Turn]]) -> Window | None:
    return find_window(units, max_steps=20)


def test_of_21_steps_the_first_and_the_last_five_stay() -> None:
    assert found(steps(21)) == Window(head=1, start=16)


def test_of_many_steps_the_last_quarter_stays() -> None:
    assert found(steps(40)) == Window(head=1, start=30)


def test_of_very_many_steps_as_many_stay_as_don_t_trigger_it_again() -> None:
    assert found(steps(400)) == Window(head=1, start=383)


def test_few_steps_all_stay() -> None:
    assert [found(steps(count)) for count in range(7)] == [None] * 7
    assert found(steps(7)) == Window(head=1, start=2)


def test_a_summary_alone_isn_t_condensed_again() -> None:
    assert found([step(0), SUMMARY, *steps(5)]) is None
    assert found([step(0), SUMMARY, *steps(6)]) == Window(head=1, start=3)


def test_the_user_s_last_request_stays_where_it_would_go() -> None:
    units = [REQUEST, *steps(2), REQUEST, *steps(20)]

    assert found(units) == Window(head=1, start=18, pinned=3)
    assert found([*units, REQUEST]) == Window(head=1, start=19)


def test_a_request_alone_isn_t_condensed() -> None:
    assert found([REQUEST, SUMMARY, REQUEST, *steps(5)]) is None


def test_the_end_that_stays_begins_with_the_call_of_its_results() -> None:
    """Case 31: a call stays before its result; the tail's start moves to include the call."""
    units = [[turn] for i in range(15) for turn in (call(f"c{i}"), result(f"c{i}"))]
    parallel = [step(0), *steps(20), [call("a")], [call("b")], [result("a")], [result("b")]]

    assert found([*units[:21], *units[21:29]]) == Window(head=2, start=22)
    assert found([*parallel, *steps(3)]) == Window(head=1, start=21)


def test_a_result_without_any_call_moves_nothing() -> None:
    assert found([*steps(16), [result("lost")], *steps(4)]) == Window(head=1, start=16)


def test_results_of_the_first_step_s_calls_stay_with_it() -> None:
    units = [[call("a")], [result("a"), call("b")], [result("b")], *steps(20)]

    assert found(units) == Window(head=3, start=18)


IDS = st.sampled_from(["1", "2", "3"])
UNITS = st.lists(
    st.lists(
        st.one_of(
            st.builds(call, IDS),
            st.builds(result, IDS),
            st.sampled_from([*REQUEST, *SUMMARY, text_turn("assistant", "a")]),
        ),
        max_size=3,
    ),
    max_size=40,
)


def open_results(units: list[list[Turn]]) -> int:
    """Count the results that stand behind no call of theirs."""
    called: set[str] = set()
    missing = 0
    for block in (block for unit in units for turn in unit for block in turn["blocks"]):
        called |= {block["id"]} if block["kind"] == "tool_call" else set()
        missing += block["kind"] == "tool_result" and block["callId"] not in called
    return missing


@given(UNITS, st.integers(1, 30))
def test_first_request_and_end_stay_and_no_pair_is_parted(
    units: list[list[Turn]], max_steps: int
) -> None:
    window = find_window(units, max_steps=max_steps)
    if window is None:
        return
    gone = window.gone()
    kept = [unit for i, unit in enumerate(units) if i not in gone]
    last = max((i for i, unit in enumerate(units) if any(map(is_user_turn, unit))), default=None)

    assert 0 not in gone
    assert last is None or last not in gone
    assert gone[-1] < len(units) - 5
    assert not all(is_summary(turn) for i in gone for turn in units[i])
    assert open_results(kept) <= open_results(units)


@given(UNITS)
def test_what_was_condensed_has_no_more_steps_than_the_limit(units: list[list[Turn]]) -> None:
    plain = [unit for unit in units if all(b["kind"] == "text" for t in unit for b in t["blocks"])]
    window = found(plain)
    if window is not None:
        pinned = [] if window.pinned is None else [plain[window.pinned]]
        shrunk = [*plain[: window.head], SUMMARY, *pinned, *plain[window.start :]]

        assert len(shrunk) <= 20
