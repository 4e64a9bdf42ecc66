"""The rows a search may answer with, in the index's own numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Self

import apsw

from litemem.index.rows import clean
from litemem.index.schema import KIND_CODES, NO_TIME, NOBODY, owner_and_kind, part_of
from litemem.types import Scope

_OWNED: Final = """
select id from scope where owner in (select value from carray(:owners))
"""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which rows may answer; times are microseconds since 1970 UTC, rows without one never pass."""

    owners: tuple[int, ...]  # the user, and for blocks nobody, whose blocks all may read
    kinds: tuple[int, ...]
    chats: tuple[int, ...] | None = None  # ids of the allowed scopes; None: all of the owners'
    without: tuple[int, ...] = ()  # ids of scopes that are left out
    since: int | None = None  # inclusive
    until: int | None = None  # exclusive

    @classmethod
    def of_part(cls, part: int) -> Self:
        """Return the filter of all rows of a partition of `vec`."""
        owner, kind = owner_and_kind(part)
        return cls(owners=(owner,), kinds=(kind,))

    @property
    def parts(self) -> tuple[int, ...]:
        """The partitions of `vec` that hold these rows."""
        return tuple(part_of(owner, kind) for owner in self.owners for kind in self.kinds)

    @property
    def is_whole(self) -> bool:
        """Whether all rows of `parts` pass."""
        narrowed = (self.chats, self.since, self.until)
        return not self.without and all(test is None for test in narrowed)

    @property
    def earliest(self) -> int:
        """The least time in `vec` of these rows, where a time is asked for at all."""
        return NO_TIME + 1 if self.since is None else self.since

    @property
    def where(self) -> str:
        """The SQL condition on table `doc`, for bindings()."""
        tests = ["doc.state = 0", "doc.kind in (select value from carray(:kinds))"]
        if self.chats is None:
            tests.append(f"doc.scope in ({_OWNED})")
        else:
            tests.append("doc.scope in (select value from carray(:chats))")
        if self.without:
            tests.append("doc.scope not in (select value from carray(:without))")
        if self.since is not None:
            tests.append("doc.at >= :since")
        if self.until is not None:
            tests.append("doc.at < :until")
        return " and ".join(tests)

    def bindings(self) -> dict[str, Any]:  # Any: what apsw binds
        """Return the values for `where`."""
        return {
            "kinds": carray(self.kinds),
            "owners": carray(self.owners),
            "chats": None if self.chats is None else carray(self.chats),
            "without": carray(self.without) if self.without else None,
            "since": self.since,
            "until": self.until,
        }


def carray(numbers: Iterable[int]) -> apsw.CArrayBinding:
    """Return at least one whole number as a value for `carray()`."""
    return apsw.carray(array("q", numbers))


_SCOPES: Final = """
select user, chat, id, owner from scope where user in (:user, :nobody) and chat in ('', :chat)
order by user = :nobody, chat != ''
"""
_LEFT_OUT: Final = """
select id from scope where user in (:user, :nobody) and chat = :chat and chat != '' order by id
"""


def resolve(db: apsw.Connection, scope: Scope) -> Filter | None:
    """Return the filter of a scope; None where nothing can answer, e.g. for an unknown user."""
    nobody = NOBODY if "block" in scope.kinds else scope.user
    chat_id = None if scope.chat_id is None else clean(scope.chat_id)
    wanted = {"user": clean(scope.user), "nobody": clean(nobody), "chat": chat_id or ""}
    # Any: a row of SQLite
    found: list[tuple[Any, ...]] = db.execute(_SCOPES, wanted).fetchall()
    if not found or not scope.kinds:
        return None
    chats: tuple[int, ...] | None = None
    if chat_id is not None:
        allowed = (chat_id,) if scope.chat_only else ("", chat_id)
        chats = tuple(id_ for _, chat, id_, _ in found if chat in allowed)
        if not chats:
            return None
    return Filter(
        owners=tuple(dict.fromkeys(owner for _, _, _, owner in found)),
        kinds=tuple(sorted({KIND_CODES[kind] for kind in scope.kinds})),
        chats=chats,
        without=tuple(
            id_
            for chat in dict.fromkeys(scope.exclude_chats)
            for (id_,) in db.execute(_LEFT_OUT, wanted | {"chat": clean(chat)})
        ),
        since=None if scope.since is None else _microseconds(scope.since),
        until=None if scope.until is None else _microseconds(scope.until),
    )


def _microseconds(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1)
