"""The rows a search may answer with, in the index's own numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import apsw

from litemem.index.schema import KIND_CODES, part_of
from litemem.index.words import scope_match
from litemem.types import Scope

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which rows may answer; times are microseconds since 1970 UTC, rows without one never pass."""

    owner: int
    kinds: tuple[int, ...]
    chats: tuple[int, ...] | None = None  # ids of the allowed scopes; None: all of the user's
    since: int | None = None  # inclusive
    until: int | None = None  # exclusive

    @property
    def parts(self) -> tuple[int, ...]:
        """The partitions of `vec` that hold these rows."""
        return tuple(part_of(self.owner, kind) for kind in self.kinds)

    @property
    def match(self) -> str:
        """The FTS5 expression for these rows, but for their times."""
        return scope_match(self.owner, self.kinds, self.chats)

    @property
    def where(self) -> str:
        """The SQL condition on table `doc`, for bindings()."""
        tests = ["doc.state = 0", "doc.kind in (select value from carray(:kinds))"]
        if self.chats is None:
            tests.append("doc.scope in (select id from scope where owner = :owner)")
        else:
            tests.append("doc.scope in (select value from carray(:chats))")
        if self.since is not None:
            tests.append("doc.at >= :since")
        if self.until is not None:
            tests.append("doc.at < :until")
        return " and ".join(tests)

    def bindings(self) -> dict[str, Any]:  # Any: what apsw binds
        """Return the values for `where`."""
        return {
            "kinds": carray(self.kinds),
            "owner": self.owner,
            "chats": None if self.chats is None else carray(self.chats),
            "since": self.since,
            "until": self.until,
        }


def carray(numbers: Iterable[int]) -> apsw.CArrayBinding:
    """Return at least one whole number as a value for `carray()`."""
    return apsw.carray(array("q", numbers))


_SCOPES: Final = "select chat, id, owner from scope where user = :user and chat in ('', :chat)"


def resolve(db: apsw.Connection, scope: Scope) -> Filter | None:
    """Return the filter of a scope; None where nothing can answer, e.g. for an unknown user."""
    ids: dict[str, tuple[int, int]] = {}
    for chat, row, owner in db.execute(_SCOPES, {"user": scope.user, "chat": scope.chat_id or ""}):
        ids[chat] = row, owner
    if not ids or not scope.kinds:
        return None
    chats: tuple[int, ...] | None = None
    if scope.chat_id is not None:
        wanted = (scope.chat_id,) if scope.chat_only else ("", scope.chat_id)
        chats = tuple(ids[chat][0] for chat in wanted if chat in ids)
        if not chats:
            return None
    return Filter(
        owner=next(iter(ids.values()))[1],
        kinds=tuple(sorted({KIND_CODES[kind] for kind in scope.kinds})),
        chats=chats,
        since=None if scope.since is None else _microseconds(scope.since),
        until=None if scope.until is None else _microseconds(scope.until),
    )


def _microseconds(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1)
