"""Looks at a user's files before a search: an editor may have changed them."""

from __future__ import annotations

import logging
import threading
import time
from typing import Final

from litemem.aio.home import Core
from litemem.errors import LitememError

logger = logging.getLogger(__name__)

_LEAST_S: Final = 1.0
_SHARE: Final = 20  # looks take a twentieth of the time at most, however many files there are


class Freshness:
    """Which users' files were looked at lately."""

    def __init__(self) -> None:
        self._next = dict[str, float]()
        self._lock = threading.Lock()

    def look(self, core: Core, user: str) -> None:
        """Sync a user's files unless that was done just now; a failure is logged."""
        begun = time.monotonic()
        with self._lock:
            if begun < self._next.get(user, 0.0):
                return
            self._next[user] = begun + _LEAST_S
        try:
            core.of(user).sync()
        except (LitememError, OSError) as error:
            logger.warning("answers may be out of date: %s", error)
        took = time.monotonic() - begun
        with self._lock:
            self._next[user] = begun + max(_LEAST_S, _SHARE * took)
