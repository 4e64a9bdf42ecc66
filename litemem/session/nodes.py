"""Nodes of a session tree, and their content addresses."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, TypeAlias

from litemem.text import jsjson
from litemem.types import JsonObject

Turn: TypeAlias = JsonObject
"""`{"role": "user"|"assistant"|"tool", "blocks": [...]}`, kept as it came; never change one."""
Clock: TypeAlias = Callable[[], float]
"""Now, in milliseconds since 1970."""

ID_CHARS: Final = 32  # hex; spec section "hashNode"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionNode:
    """One turn and where it hangs in the tree."""

    id: str  # hash of parent, turn and created_at
    parent: str | None  # None for a root
    turn: Turn
    created_at: float  # milliseconds since 1970, an int where it was one
    extra: tuple[tuple[str, object], ...] = ()  # other keys found in the file, with their values


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionHead:
    """Which node the next turn of a session follows."""

    session_id: str
    leaf: str


class Revision(NamedTuple):
    """What a session's next turn depends on: the leaf, and the last condensation of the log."""

    leaf: str | None
    compaction: str | None


class Migrator(Protocol):
    """Bring one raw stored record forward by one schema version; None drops it."""

    @property
    def id(self) -> str:
        """The migrator's name, for reports."""
        ...

    def upgrade(self, raw: object) -> object:
        """Return the record as the next version has it; one that is new enough as it is."""
        ...


def now_ms() -> int:
    """Return the time in whole milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def hash_node(parent: str | None, turn: Turn, created_at: float) -> str:
    """
    Compute a node's id: sha256 of the JSON of parent, turn and time, its first 32 hex characters.

    The JSON has JavaScript's bytes, so a file's ids are the same whoever wrote it. Key order,
    unknown fields, and absent against null all count.

    Raises:
        InvalidValue: the turn isn't JSON.
    """
    payload = jsjson.encode({"parent": parent, "turn": turn, "createdAt": created_at})
    return hashlib.sha256(payload).hexdigest()[:ID_CHARS]
