"""What goes wrong, as a status and a JSON body that tells no path and no trace."""

from __future__ import annotations

import errno
import logging
from collections.abc import Iterator, Mapping
from typing import Final

from litemem.errors import (
    Closed,
    Conflict,
    EmbedError,
    FileTrouble,
    FormatError,
    IndexBusy,
    IndexReadOnly,
    IndexTrouble,
    InvalidValue,
    LitememError,
    LockTimeout,
    ReadOnly,
    SettingsError,
    UnknownFact,
    UnknownNode,
    UnknownSession,
)

logger = logging.getLogger(__name__)

_BUSY: Final = (503, "busy", "another process is writing to this memory; try again")
_READ_ONLY: Final = (503, "read_only", "this memory can't be written; look at its permissions")
_DAMAGED: Final = (500, "damaged", "a file of this memory is damaged; run 'litemem doctor'")
# The first that fits counts. None: the error's own words, which are about the request alone.
_KNOWN: Final[tuple[tuple[type[LitememError], tuple[int, str, str | None]], ...]] = (
    (UnknownFact, (404, "unknown", "there is no such memory")),
    (UnknownSession, (404, "unknown", "there is no such session")),
    (UnknownNode, (404, "unknown", "there is no such node")),
    (Conflict, (409, "conflict", "it has changed meanwhile; read it again")),
    (Closed, (503, "closing", "the server is being stopped")),
    (IndexBusy, _BUSY),
    (LockTimeout, _BUSY),
    (ReadOnly, _READ_ONLY),
    (IndexReadOnly, _READ_ONLY),
    (FormatError, _DAMAGED),
    (SettingsError, _DAMAGED),
    (IndexTrouble, (500, "index", "the index can't be used; run 'litemem doctor'")),
    (EmbedError, (500, "model", "the embedding model fails; run 'litemem doctor'")),
    (FileTrouble, (500, "files", "a file of this memory can't be used; run 'litemem doctor'")),
    (InvalidValue, (400, "invalid", None)),
)
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
# SQLite's full, and its failed writes to the file and to the index of its log: where the system
# says more than ENOSPC, such as a quota, SQLite doesn't pass it on.
_INDEX_FULL: Final = frozenset({13, 778, 4874})
_NO_SPACE: Final = "the disk, or a limit of size, is full; free some space"
_LOGGED: Final = "what was to be remembered is in"  # says the core where only the index lacks it
_IN_LOG: Final = "what was to be remembered is in the day's log already, and is found later"


class Refused(LitememError):
    """A request that isn't answered as asked."""

    def __init__(
        self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.headers = status, code, headers or {}


def invalid(message: str) -> Refused:
    """Return what a malformed request is refused with."""
    return Refused(400, "invalid", message)


def refused(error: LitememError) -> Refused:
    """Return what a client is told of an error; the log has the rest, where it isn't theirs."""
    if isinstance(error, Refused):
        return error
    status, code, message = _of(error)
    if status >= 500:
        logger.warning("%s: %s", type(error).__name__, error)
    headers = {"retry-after": "1"} if code == "busy" else {}
    told = str(error) if message is None else message
    return Refused(status, code, f"{told}; {_IN_LOG}" if _is_logged(error) else told, headers)


def _of(error: LitememError) -> tuple[int, str, str | None]:
    for one in _causes(error):
        if isinstance(one, OSError) and one.errno in _FULL:
            return 507, "disk_full", f"{_NO_SPACE}; the file that didn't fit is as it was"
        if getattr(one, "extendedresult", None) in _INDEX_FULL:  # an error of SQLite
            may_be = "" if _is_logged(error) else "; what was asked may be in its file already"
            return 507, "disk_full", f"{_NO_SPACE}{may_be}"
    return next((told for kind, told in _KNOWN if isinstance(error, kind)), _BUG)


def _is_logged(error: LitememError) -> bool:
    """Say whether a fact was written that only the index lacks: asking again isn't needed."""
    return _LOGGED in str(error)


def _causes(error: BaseException) -> Iterator[BaseException]:
    one: BaseException | None = error
    while one is not None:
        yield one
        one = one.__cause__


_BUG: Final = (500, "internal", "the server failed; its log says more")
BUG: Final = Refused(*_BUG)
