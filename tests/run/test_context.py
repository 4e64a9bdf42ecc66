"""Contexts counted by what their calls used."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.run.context import context_tokens
from litemem.run.estimate import estimate_context_tokens
from litemem.run.policy import ModelCard, should_compact
from litemem.run.turns import SUMMARY_HEADING, Turn, text_turn

SUMMARY = text_turn("user", f"{SUMMARY_HEADING}\nThe brake was cleaned.")
SAID = st.builds(text_turn, st.sampled_from(["user", "assistant"]), st.text(max_size=80))
HISTORIES = st.lists(SAID, min_size=1, max_size=12)
TIMES = st.floats(0.3, 11)  # what a model counts of an estimate


def said(tokens: int) -> Turn:
    """Make a turn of so many tokens by estimate."""
    return text_turn("user", "x" * 4 * (tokens - 4))


def reported(used: object, tokens: int = 4) -> Turn:
    return {**said(tokens), "role": "assistant", "usage": {"inputTokens": used}}


def test_without_usage_it_is_the_estimate() -> None:
    turns = [text_turn("user", "Is the chain worn?"), text_turn("assistant", "Measure it.")]

    assert context_tokens(turns) == estimate_context_tokens(turns)
    assert context_tokens([]) == 0


@pytest.mark.parametrize(
    "usage",
    [None, 7, {}, {"inputTokens": 0}, {"inputTokens": -4}, {"inputTokens": "90"}, {"output": 90}],
)
def test_usage_that_says_nothing_changes_nothing(usage: object) -> None:
    turns = [said(100), {**said(10), "usage": usage}]

    assert context_tokens(turns) == 110


@pytest.mark.parametrize("used", [9, 24, 1201, 9_000_000])
def test_usage_that_can_t_be_of_these_turns_changes_nothing(used: int) -> None:
    assert context_tokens([said(100), reported(used, 10)]) == 110


def test_the_newest_call_and_what_came_since_count() -> None:
    turns = [said(100), reported(150, 10), said(100), reported(290, 10), said(30)]

    assert context_tokens(turns) == 290 + 10 + 30


def test_cached_tokens_are_part_of_what_was_used() -> None:
    usage = {"inputTokens": 3, "cacheReadTokens": 140, "cacheWriteTokens": 7, "outputTokens": 99}

    assert context_tokens([said(100), {**said(10), "usage": usage}]) == 160


def test_what_calls_used_before_a_summary_is_of_another_history() -> None:
    left = [SUMMARY, said(50), reported(900, 50), reported(950, 50)]

    assert context_tokens(left) == estimate_context_tokens(left)


def test_calls_since_a_summary_count_again() -> None:
    left = [SUMMARY, said(50), reported(900, 50), reported(950, 50)]
    since = [*left, reported(300, 10), said(500), reported(960, 10)]

    assert context_tokens([*left, reported(300, 10)]) == 310
    assert context_tokens(since) == 970


def test_a_history_is_condensed_by_what_it_used() -> None:
    turns, card = [said(996), reported(1_300)], ModelCard(id="m", context_window=1_600)

    assert should_compact(turns, card)
    assert not should_compact([said(1000)], card)
    assert not should_compact(turns, ModelCard(id="m", context_window=1_700))


@given(HISTORIES, TIMES, HISTORIES)
def test_a_count_is_what_was_reported_and_never_falls_by_a_turn(
    before: list[Turn], times: float, after: list[Turn]
) -> None:
    used = round(times * estimate_context_tokens(before))
    turns = [*before, {"role": "assistant", "blocks": [], "usage": {"inputTokens": used}}]
    counts = [context_tokens([*turns, *after[:n]]) for n in range(len(after) + 1)]

    assert counts[0] == used + 4  # the reply itself
    assert counts == sorted(counts)
    assert context_tokens(before) >= 0


@given(HISTORIES, TIMES, TIMES)
def test_more_usage_is_no_smaller_count(turns: list[Turn], one: float, other: float) -> None:
    estimated = estimate_context_tokens(turns)
    less, more = (
        context_tokens([*turns, reported(round(times * estimated))])
        for times in sorted((one, other))
    )

    assert 0 < less <= more


@given(st.lists(SAID | st.builds(reported, st.integers(-9, 999)) | st.just(SUMMARY)))
def test_any_history_has_a_count(turns: list[Turn]) -> None:
    assert 0 <= context_tokens(turns) <= 13 * estimate_context_tokens(turns)
