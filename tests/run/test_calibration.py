"""Estimates that a session's own usage corrects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.run.calibration import (
    Sample,
    calibrated,
    calibration_of,
    calibration_of_turns,
    sample,
)
from litemem.run.channel import Usage
from litemem.run.estimate import estimate_context_tokens
from litemem.run.policy import ModelCard, should_compact
from litemem.run.turns import Turn, text_turn

SAID = st.builds(text_turn, st.sampled_from(["user", "assistant"]), st.text(max_size=80))
HISTORIES = st.lists(SAID, min_size=2, max_size=12)


def reported(text: str, **wire: int) -> Turn:
    return {**text_turn("assistant", text), "usage": wire}


def session(scale: int) -> list[Turn]:
    """Make a session on a bicycle's brakes whose model counts `scale` times the estimate."""
    turns: list[Turn] = []
    for n in range(12):
        turns.append(text_turn("user", f"The brake squeaks again, number {n}. " * (n + 1)))
        used = scale * estimate_context_tokens(turns)
        split = {"inputTokens": 3, "cacheReadTokens": used - 5, "cacheWriteTokens": 2}
        turns.append(reported(f"Then look at pad {n} and clean the rim.", **split))
    return turns


@pytest.mark.parametrize("scale", [1, 2, 5])
def test_a_session_teaches_by_how_much_its_model_counts_more(scale: int) -> None:
    assert calibration_of_turns(session(scale)) == scale


def test_without_usage_nothing_changes() -> None:
    turns = [text_turn("user", "Is the chain worn?"), text_turn("assistant", "Measure it.")]

    assert calibration_of_turns(turns) == 1.0
    assert calibration_of([]) == 1.0


@pytest.mark.parametrize(
    "usage",
    [None, 7, {}, {"inputTokens": 0}, {"inputTokens": -4}, {"inputTokens": "9"}, {"output": 5}],
)
def test_usage_that_says_nothing_teaches_nothing(usage: object) -> None:
    turns = [text_turn("user", "Is it worn?"), {**text_turn("assistant", ""), "usage": usage}]

    assert calibration_of_turns(turns) == 1.0


def test_a_call_on_an_empty_history_teaches_nothing() -> None:
    assert calibration_of_turns([reported("Hello", inputTokens=1500)]) == 1.0


def test_one_odd_report_moves_nothing() -> None:
    samples = [Sample(estimated=100, used=130)] * 8 + [Sample(estimated=100, used=9)]

    assert calibration_of(samples) == 1.3


def test_the_newest_reports_decide() -> None:
    before, since = Sample(estimated=100, used=250), Sample(estimated=100, used=130)

    assert calibration_of([before] * 50 + [since] * 9) == 1.3


def test_cached_tokens_are_part_of_what_was_used() -> None:
    usage = Usage(input_tokens=3, cache_read_tokens=40, cache_write_tokens=7)

    assert sample([text_turn("user", "abcd")], usage) == Sample(estimated=5, used=50)


def test_a_calibrated_history_is_condensed_before_the_window_is_full() -> None:
    turns, card = [text_turn("user", "x" * 4 * 996)], ModelCard(id="m", context_window=1_300)

    assert estimate_context_tokens(turns) == 1_000
    assert not should_compact(turns, card)
    assert should_compact(turns, card, calibration=1.3)


def test_a_calibrated_counter_scales_the_one_it_has() -> None:
    samples = [Sample(estimated=10, used=15)]

    assert calibrated(len, samples)("abcd") == 6
    assert calibrated(None, samples)("a" * 8) == 3
    assert calibrated(None, [])("abcde") == 2


@given(HISTORIES, st.integers(1, 1_000))
def test_an_estimate_grows_with_its_calibration(turns: list[Turn], factor: int) -> None:
    estimated = estimate_context_tokens(turns)

    assert estimate_context_tokens(turns, calibration=factor) == factor * estimated
    assert estimate_context_tokens(turns, calibration=1.0) == estimated


@given(HISTORIES, st.integers(1, 50))
def test_what_was_learnt_is_right_for_the_call_it_was_learnt_from(
    turns: list[Turn], scale: int
) -> None:
    used = scale * estimate_context_tokens(turns)
    factor = calibration_of_turns([*turns, reported("", inputTokens=used)])

    assert estimate_context_tokens(turns, calibration=factor) == used


@given(
    st.lists(st.builds(Sample, estimated=st.integers(1, 999), used=st.integers(1, 999))),
    st.integers(1, 9),
)
def test_usage_so_many_times_higher_is_a_factor_so_many_times_higher(
    samples: list[Sample], scale: int
) -> None:
    higher = [Sample(estimated=one.estimated, used=scale * one.used) for one in samples]

    expected = scale * calibration_of(samples) if samples else 1.0
    assert calibration_of(higher) == pytest.approx(expected)
