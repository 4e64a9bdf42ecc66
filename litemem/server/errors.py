"""What goes wrong, as a status and a JSON body that tells no path and no trace."""

from __future__ import annotations

import errno
import logging
from collections.abc import Mapping
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
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


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
    return Refused(status, code, str(error) if message is None else message, headers)


def _of(error: LitememError) -> tuple[int, str, str | None]:
    if isinstance(error, FileTrouble) and error.errno in _FULL:
        return 507, "disk_full", "the disk is full; nothing was written"
    return next((told for kind, told in _KNOWN if isinstance(error, kind)), _BUG)


_BUG: Final = (500, "internal", "the server failed; its log says more")
BUG: Final = Refused(*_BUG)
