from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import InvalidValue
from litemem.files.names import check_name, fold
from litemem.session import SessionLifecycle, SessionPolicy

NOW = datetime(2026, 2, 8, 14, 5, tzinfo=UTC)


def at(policy: SessionPolicy, now: datetime = NOW) -> SessionLifecycle:
    return SessionLifecycle(policy, clock=lambda: now)


OFF = SessionPolicy(daily_reset_hour=0)


def test_a_boundary_since_the_last_turn_resets() -> None:
    lifecycle = at(SessionPolicy())

    assert lifecycle.should_reset(datetime(2026, 2, 8, 3, 59, tzinfo=UTC)) == (
        True,
        "daily reset at 04:00 UTC",
    )
    assert lifecycle.should_reset(datetime(2026, 2, 8, 4, 0, tzinfo=UTC)) == (False, "")


def test_a_boundary_of_an_earlier_day_resets_before_todays() -> None:
    lifecycle = at(SessionPolicy(), datetime(2026, 2, 8, 3, 0, tzinfo=UTC))

    assert lifecycle.should_reset(datetime(2026, 2, 7, 3, 0, tzinfo=UTC))[0]
    assert not lifecycle.should_reset(datetime(2026, 2, 7, 5, 0, tzinfo=UTC))[0]


def test_the_boundary_itself_counts_as_passed() -> None:
    boundary = datetime(2026, 2, 8, 4, 0, tzinfo=UTC)

    assert at(SessionPolicy(), boundary).should_reset(boundary - timedelta(seconds=1))[0]


def test_hour_zero_is_off() -> None:
    assert at(OFF).should_reset(NOW - timedelta(days=400)) == (False, "")


@given(st.integers(1, 23), st.datetimes(), st.timedeltas(timedelta(0), timedelta(days=3)))
def test_a_reset_is_a_boundary_between_last_turn_and_now(
    hour: int, last: datetime, idle: timedelta
) -> None:
    if last.year > 9990 or last.year < 2:
        return
    now = last + idle
    days = (last.date() + timedelta(days=n) for n in range(5))
    boundaries = [datetime(day.year, day.month, day.day, hour) for day in days]  # noqa: DTZ001

    assert at(SessionPolicy(hour), now).should_reset(last)[0] == any(
        last < boundary <= now for boundary in boundaries
    )


@pytest.mark.parametrize("minutes", [30, 0.5])
def test_idle_resets_strictly_after_the_limit(minutes: float) -> None:
    lifecycle = at(SessionPolicy(daily_reset_hour=0, idle_timeout_minutes=minutes))
    limit = timedelta(minutes=minutes)

    assert lifecycle.should_reset(NOW - limit) == (False, "")
    assert lifecycle.should_reset(NOW - limit - timedelta(milliseconds=1)) == (
        True,
        f"idle for more than {minutes:g} minutes",
    )


def test_an_endless_idle_limit_never_resets() -> None:
    lifecycle = at(SessionPolicy(daily_reset_hour=0, idle_timeout_minutes=float("inf")))

    assert not lifecycle.should_reset(NOW - timedelta(days=4000))[0]


def test_turns_reset_at_the_limit() -> None:
    lifecycle = at(SessionPolicy(daily_reset_hour=0, max_turns=3))

    assert lifecycle.should_reset(NOW, 2) == (False, "")
    assert lifecycle.should_reset(NOW, 3) == (True, "3 turns reached")
    assert lifecycle.should_reset(NOW, 4)[0]


def test_naive_times_are_utc_and_others_are_converted() -> None:
    lifecycle = at(SessionPolicy())
    tokyo = timezone(timedelta(hours=9))

    assert not lifecycle.should_reset(datetime(2026, 2, 8, 4, 0))[0]  # noqa: DTZ001 - the claim
    assert lifecycle.should_reset(datetime(2026, 2, 8, 12, 59, tzinfo=tokyo))[0]
    assert not lifecycle.should_reset(datetime(2026, 2, 8, 13, 0, tzinfo=tokyo))[0]


def test_a_session_made_after_its_last_turn_counts_from_then() -> None:
    lifecycle = at(SessionPolicy())

    assert not lifecycle.should_reset(NOW - timedelta(days=2), 0, NOW - timedelta(hours=1))[0]
    assert lifecycle.should_reset(NOW - timedelta(days=2), 0, NOW - timedelta(days=3))[0]


def test_a_last_turn_in_the_future_resets_nothing() -> None:
    assert not at(SessionPolicy(4, 1)).should_reset(NOW + timedelta(days=1))[0]


def test_the_policy_defaults_to_the_promised_one() -> None:
    assert SessionLifecycle().policy == SessionPolicy(4, 0, 0)
    assert not SessionLifecycle().should_reset(datetime.now(UTC))[0]


@pytest.mark.parametrize(
    ("limits", "name"),
    [
        ({"daily_reset_hour": 24}, "daily_reset_hour"),
        ({"daily_reset_hour": -1}, "daily_reset_hour"),
        ({"idle_timeout_minutes": -1}, "idle_timeout_minutes"),
        ({"idle_timeout_minutes": float("nan")}, "idle_timeout_minutes"),
        ({"max_turns": -1}, "max_turns"),
    ],
)
def test_a_limit_out_of_its_range_is_named(limits: dict[str, int], name: str) -> None:
    with pytest.raises(InvalidValue, match=name):
        SessionPolicy(**limits)


def test_a_negative_turn_count_is_an_error() -> None:
    with pytest.raises(InvalidValue, match="turn_count"):
        at(OFF).should_reset(NOW, -1)


key = SessionLifecycle.get_session_key


def test_a_plain_key_reads_as_documented() -> None:
    assert key("telegram", "user123", "thread456") == "telegram-user123-thread456"
    assert key("telegram", "user123") == "telegram-user123"


def test_hyphens_make_no_two_conversations_one() -> None:
    assert key("tg", "a", "b") == "tg-a-b"
    assert key("tg", "a-b").startswith("tg-a_b~")
    assert key("tg", "a", "") != key("tg", "a")


parts = st.text(max_size=50) | st.sampled_from(
    ["con", "nul.x", "User", "user", "a-b", ".", "é", "é"]
)
conversations = st.tuples(parts, parts, st.none() | parts)


@given(conversations)
def test_every_key_is_a_legal_session_id(ids: tuple[str, str, str | None]) -> None:
    assert check_name(key(*ids), "session id")


@given(conversations, conversations)
def test_two_conversations_never_share_a_key(
    one: tuple[str, str, str | None], other: tuple[str, str, str | None]
) -> None:
    assert (fold(key(*one)) == fold(key(*other))) == (one == other)


def test_an_id_that_is_no_text_is_an_error() -> None:
    with pytest.raises(InvalidValue, match="int"):
        key("telegram", 7)  # type: ignore[arg-type]  # the claim
