"""Facts by day, and as points of a map."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from litemem.index import timeline
from litemem.index.changes import mark
from litemem.index.timeline import Dot
from litemem.memory.rows import fact_of
from litemem.memory.workspace import Workspace
from litemem.types import Fact

MOST_DOTS = 5_000  # reading their vectors and finding the plane takes 0.2 s
_CHARS = 160  # of a text on the map
_KEPT = 8  # users


def facts_by_day(space: Workspace, user: str) -> dict[date, int]:
    """Count current facts by the day in the home's zone on which they were said, newest first."""
    with space.index.reading(vectors=False) as db:
        found = timeline.moments(db, user)
    days = Counter(at.astimezone(space.zone).date() for at in found)
    return dict(sorted(days.items(), reverse=True))


def facts_of_day(
    space: Workspace, user: str, day: date, *, limit: int, offset: int
) -> tuple[list[Fact], int]:
    """Return one page of a day's current facts, newest first, and how many there are in all."""
    since = datetime.combine(day, time(), space.zone)
    until = None if day == date.max else datetime.combine(day + timedelta(1), time(), space.zone)
    rows = space.index.facts(user, since=since, until=until)
    return [fact_of(one.doc) for one in rows[offset : offset + limit]], len(rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A fact's place on the map."""

    dot: Dot
    x: float  # -1..1
    y: float


@dataclass(slots=True)
class Maps:
    """The maps of a home's users, each kept until a vector changes."""

    _kept: dict[str, tuple[tuple[str, int], dict[int, tuple[float, float]]]] = field(
        default_factory=dict
    )
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def points(self, space: Workspace, user: str) -> list[Point]:
        """
        Return where the newest facts stand in the plane in which their meanings differ most.

        Facts without a vector are left out; MOST_DOTS at most are shown.
        """
        with self._lock, space.index.reading() as db:
            now = mark(db)
            found = timeline.dots(db, user, MOST_DOTS, _CHARS)
            then, places = self._kept.get(user, (("", -1), {}))
            if then != now:
                places = timeline.places(db, [dot.rowid for dot in found])
                self._kept.pop(user, None)
                self._kept[user] = now, places
                while len(self._kept) > _KEPT:
                    del self._kept[next(iter(self._kept))]
        shown = ((dot, places[dot.rowid]) for dot in found if dot.rowid in places)
        return [Point(dot=dot, x=x, y=y) for dot, (x, y) in shown]
