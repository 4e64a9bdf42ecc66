"""When a session ends and the next one begins, and what a channel's sessions are called."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from litemem.errors import InvalidValue
from litemem.session.transcript import utc_now

_PLAIN: Final = re.compile(r"[a-z0-9_@+]{1,40}")
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_@+]+")  # no dot: "con.x" opens a device on Windows
_MAX_SHOWN: Final = 40  # characters of each part; with the hash a key stays below 200 bytes
_DIGEST_CHARS: Final = 24  # hex: 96 bits, so that no two keys are ever equal


@dataclass(frozen=True, slots=True)
class SessionPolicy:
    """When a session is over. Raises InvalidValue: a limit is out of its range."""

    daily_reset_hour: int = 4  # UTC, 1..23; 0: no daily reset
    idle_timeout_minutes: float = 0  # 0: never
    max_turns: int = 0  # 0: no limit

    def __post_init__(self) -> None:
        if self.daily_reset_hour not in range(24):
            raise InvalidValue(f"daily_reset_hour is {self.daily_reset_hour}; give 0 to 23")
        if not self.idle_timeout_minutes >= 0:
            msg = f"idle_timeout_minutes is {self.idle_timeout_minutes}; give 0 or more"
            raise InvalidValue(msg)
        if not self.max_turns >= 0:
            raise InvalidValue(f"max_turns is {self.max_turns}; give 0 or more")


class SessionLifecycle:
    """Says whether a session is over. Naive times are UTC."""

    def __init__(
        self, policy: SessionPolicy | None = None, *, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self.policy = policy or SessionPolicy()
        self._clock = clock

    def should_reset(
        self,
        last_active_at: datetime,
        turn_count: int = 0,
        created_at: datetime | None = None,
    ) -> tuple[bool, str]:
        """
        Say whether a session is over, and why; "" when it isn't.

        Args:
            last_active_at: when the last turn was.
            turn_count: how many turns there were.
            created_at: when the session began; later than the last turn, it counts as one.

        Raises:
            InvalidValue: `turn_count` is negative.
        """
        if turn_count < 0:
            raise InvalidValue(f"turn_count is {turn_count}; give 0 or more")
        now, last = _utc(self._clock()), _utc(last_active_at)
        if created_at is not None:
            last = max(last, _utc(created_at))
        policy = self.policy
        if policy.daily_reset_hour and _last_boundary(now, policy.daily_reset_hour) > last:
            return True, f"daily reset at {policy.daily_reset_hour:02}:00 UTC"
        limit = policy.idle_timeout_minutes
        if limit and (now - last).total_seconds() > limit * 60:
            return True, f"idle for more than {limit:g} minutes"
        if policy.max_turns and turn_count >= policy.max_turns:
            return True, f"{policy.max_turns} turns reached"
        return False, ""

    @staticmethod
    def get_session_key(platform: str, sender_id: str, thread_id: str | None = None) -> str:
        """
        Return the session id of a conversation, such as `telegram-user123-thread456`.

        Distinct conversations never share one, whatever their ids hold: one that isn't plain
        (a hyphen, a capital, another script, empty, long) adds a hash of all three.

        Raises:
            InvalidValue: an id isn't text.
        """
        parts = [platform, sender_id] if thread_id is None else [platform, sender_id, thread_id]
        for part in parts:
            if not isinstance(part, str):
                raise InvalidValue(f"{part!r} is a {type(part).__name__}; ids are text")
        if all(_PLAIN.fullmatch(part) for part in parts):
            return "-".join(parts)
        shown = "-".join(_UNSAFE.sub("_", part)[:_MAX_SHOWN] for part in parts)
        digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:_DIGEST_CHARS]
        return f"{shown}~{digest}"


def _utc(time: datetime) -> datetime:
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)


def _last_boundary(now: datetime, hour: int) -> datetime:
    """Return the latest time of day `hour`:00 UTC that isn't after `now`."""
    today = now.replace(hour=hour, minute=0, second=0, microsecond=0)
    return today if today <= now else today - timedelta(days=1)
