"""What every reader of another program's log makes of it: a few kinds of events, in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from litemem.session.nodes import SessionNode, Turn
from litemem.session.records import Mark

Key: TypeAlias = str
"""A source's own id of one of its records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Began:
    """The session that the next events are of."""

    session_id: str  # a legal file name


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A turn. What it follows came before; a parent that didn't is read as none."""

    key: Key
    parent: Key | None
    turn: Turn
    at_ms: int | None  # None: as the turn before it


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A record that is no turn: what follows it follows its parent."""

    key: Key
    parent: Key | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Condensed:
    """The source put a summary in the place of older turns."""

    key: Key  # what follows it follows `leaf`
    leaf: Key
    first_kept: Key | None
    summary: Turn
    tokens_before: int | None
    at_ms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The session's title; the last one counts."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A turn's label; None takes it away."""

    key: Key
    label: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The turn that the source would go on from; the last one counts."""

    leaf: Key


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """A record in our own format, kept as it is."""

    record: SessionNode | Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Something that isn't taken in."""

    reason: str


Event: TypeAlias = Began | Said | Passed | Condensed | Named | Labelled | Ended | Copied | Skipped
