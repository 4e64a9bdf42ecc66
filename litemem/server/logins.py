"""The page's own sessions: a code that works once becomes a cookie."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

CODE_LIFE_S: Final = 600.0
SESSION_LIFE_S: Final = 12 * 3600.0
MOST: Final = 64  # of each; the oldest goes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pass:
    user: str
    until_s: float


class Logins:
    """
    Codes and sessions, in memory alone: a restart ends them all.

    Both are kept as hashes, so that looking one up tells nothing by how long it takes.
    """

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._codes: dict[bytes, _Pass] = {}
        self._sessions: dict[bytes, _Pass] = {}

    def code(self, user: str, *, life_s: float = CODE_LIFE_S) -> str:
        """Make a code that opens one session."""
        return self._new(self._codes, user, life_s)

    def session(self, code: str) -> str | None:
        """Make a session of a code, which is used up by it; None for a code that isn't valid."""
        found = self._codes.pop(_key(code), None)
        if found is None or found.until_s <= self._clock_s():
            return None
        return self._new(self._sessions, found.user, SESSION_LIFE_S)

    def user(self, session: str) -> str | None:
        """Return whose session it is, None where it isn't valid."""
        found = self._sessions.get(_key(session))
        return None if found is None or found.until_s <= self._clock_s() else found.user

    def end(self, user: str) -> None:
        """End all codes and sessions of a user."""
        for kept in (self._codes, self._sessions):
            for key in [key for key, one in kept.items() if one.user == user]:
                del kept[key]

    def _new(self, kept: dict[bytes, _Pass], user: str, life_s: float) -> str:
        now_s = self._clock_s()
        for key in [key for key, one in kept.items() if one.until_s <= now_s]:
            del kept[key]
        while len(kept) >= MOST:
            del kept[next(iter(kept))]
        made = secrets.token_urlsafe(32)
        kept[_key(made)] = _Pass(user=user, until_s=now_s + life_s)
        return made


def _key(secret: str) -> bytes:
    return hashlib.sha256(secret.encode(errors="replace")).digest()
