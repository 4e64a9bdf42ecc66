"""When facts were said, and where they stand in a plane: what a page draws of many at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import apsw

from litemem.index.connection import fetch
from litemem.index.docs import moment
from litemem.index.rows import clean
from litemem.index.scan import embeddings
from litemem.types import Vector

_MOMENTS: Final = """
select at from doc where kind = 0 and state = 0 and at is not null
    and scope in (select id from scope where user = ?)
"""
_NEWEST: Final = """
select rowid, id, category, importance, at, substr(text, 1, :chars) from doc
where kind = 0 and state = 0 and vector = 1
    and scope in (select id from scope where user = :user)
order by at desc, id limit :most
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A fact that has a vector, as little as a map needs of it."""

    rowid: int
    id: str
    category: str
    importance: float
    at: datetime | None
    text: str  # its first characters


def moments(db: apsw.Connection, user: str) -> list[datetime]:
    """Return when each current fact of a user was said, in no order."""
    return [moment(at) for (at,) in fetch(db, _MOMENTS, (clean(user),))]


def dots(db: apsw.Connection, user: str, most: int, chars: int) -> list[Dot]:
    """Return a user's newest current facts that have a vector."""
    rows = fetch(db, _NEWEST, {"user": clean(user), "most": most, "chars": chars})
    return [
        Dot(
            rowid=rowid,
            id=id_,
            category=category,
            importance=importance,
            at=None if at is None else moment(at),
            text=text,
        )
        for rowid, id_, category, importance, at, text in rows
    ]


def places(db: apsw.Connection, rowids: Sequence[int]) -> dict[int, tuple[float, float]]:
    """Return where rows stand in the plane in which their vectors differ most, by number."""
    from litemem.index.planes import flattened

    found: dict[int, Vector] = embeddings(db, rowids)
    return dict(zip(found, flattened([*found.values()]), strict=True))
