"""
Every error litemem raises on purpose.

    LitememError
    ├── InvalidValue (ValueError)       an argument out of its range; says which and what is allowed
    │   ├── InvalidName                 an id that can't be a file name
    │   ├── InvalidFact                 text, importance, category, tag, date or metadata of a fact
    │   ├── InvalidBlock                unknown label, or content that isn't text
    │   └── InvalidQuery                limit, offset, mode, kind or date of a search
    ├── UnknownFact (KeyError)          no fact has that id
    ├── FormatError (ValueError)        a source file's line can't be read; has path, line, reason
    ├── FileTrouble (OSError)           a file can't be read or written: disk full, permissions
    │   ├── ReadOnly                    the home can't be written
    │   └── LockTimeout                 another process held a lock for too long
    ├── SettingsError (ValueError)      settings.json is damaged or of another format version
    ├── EmbedError (RuntimeError)       text couldn't be embedded
    │   ├── ModelError                  a model folder is missing or damaged; names the file
    │   └── InvalidVector (ValueError)  zero, NaN or wrong-length vector
    ├── IndexTrouble (RuntimeError)     the SQLite file
    │   ├── IndexDamaged                not a database, or another fingerprint: rebuild
    │   ├── IndexBusy                   still locked after the busy timeout
    │   └── IndexReadOnly               can't be written, and isn't current
    ├── SessionError
    │   ├── Conflict                    the leaf on disk isn't the expected parent
    │   ├── UnknownSession (KeyError)   no session has that id
    │   ├── UnknownNode (KeyError)      no node has that id
    │   └── BrokenLineage (ValueError)  a missing or repeated ancestor; names it
    ├── UndoRefused (RuntimeError)      what a step wrote was built upon, or is all that's left
    ├── RunFailed (RuntimeError)        a model call or a condensation failed
    └── Closed (RuntimeError)           what was asked was closed before
"""

from __future__ import annotations

from pathlib import Path


class LitememError(Exception):
    """Base of all deliberate errors; `str(error)` is one line for a person."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else type(self).__name__


class InvalidValue(LitememError, ValueError):
    """An argument is out of its range."""


class InvalidName(InvalidValue):
    """An id can't be used as a file name."""


class InvalidFact(InvalidValue):
    """A fact's text, importance, category, tag, date or metadata is out of its range."""


class InvalidBlock(InvalidValue):
    """A block's label is unknown, or its content isn't text."""


class InvalidQuery(InvalidValue):
    """A search's limit, offset, mode, kind or date is out of its range."""


class UnknownFact(LitememError, KeyError):
    """No fact has that id."""


class FormatError(LitememError, ValueError):
    """A line of a source file can't be read."""

    def __init__(self, path: Path | str, line: int, reason: str) -> None:
        super().__init__(f"{path}:{line}: {reason}")
        self.path, self.line, self.reason = path, line, reason


class FileTrouble(LitememError, OSError):
    """A file can't be read or written."""


class ReadOnly(FileTrouble):
    """The home folder can't be written."""


class LockTimeout(FileTrouble):
    """Another process held a lock for too long."""


class SettingsError(LitememError, ValueError):
    """`settings.json` is damaged or of another format version."""


class EmbedError(LitememError, RuntimeError):
    """Text couldn't be embedded."""


class ModelError(EmbedError):
    """A model folder is missing or damaged."""


class InvalidVector(EmbedError, ValueError):
    """A vector is zero, not finite, or of the wrong length."""


class IndexTrouble(LitememError, RuntimeError):
    """The index file can't be used."""


class IndexDamaged(IndexTrouble):
    """The index isn't a database, or was written for another schema or model."""


class IndexBusy(IndexTrouble):
    """The index is still locked by another process after the busy timeout."""


class IndexReadOnly(IndexTrouble):
    """The index can't be written, and it isn't current."""


class SessionError(LitememError):
    """A session log can't be read or extended as asked."""


class Conflict(SessionError):
    """The leaf on disk isn't the parent that was expected."""


class UnknownSession(SessionError, KeyError):
    """No session has that id."""


class UnknownNode(SessionError, KeyError):
    """No node of the session has that id."""


class BrokenLineage(SessionError, ValueError):
    """A node's ancestors have a gap or a loop."""


class UndoRefused(LitememError, RuntimeError):
    """A step can't be undone, and nothing was: it was built upon, or a text would be lost."""


class RunFailed(LitememError, RuntimeError):
    """A model call or a condensation failed."""


class Closed(LitememError, RuntimeError):
    """What was asked was closed before; nothing was done."""
