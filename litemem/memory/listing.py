"""Read back what is remembered: one fact with its history, lists, daily logs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from litemem.errors import InvalidQuery, UnknownFact
from litemem.files.read import decode, read_file, visible
from litemem.index.docs import Use
from litemem.memory.rows import fact_of
from litemem.memory.sources import log_day, log_file
from litemem.memory.workspace import Workspace
from litemem.types import Fact, Place

Sort = Literal["created", "importance"]

_MOST = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A fact and what it replaced."""

    fact: Fact  # the newest
    source: Place
    history: tuple[Fact, ...]  # oldest first, the newest last
    use: Use | None = None  # how often the newest was recalled; None: never


def chain_of(space: Workspace, user: str, id: str) -> Chain:
    """Return the chain that an id belongs to. Raises UnknownFact."""
    chain = space.index.chain(user, id)
    current = [stored for stored in chain if stored.state == "current"]
    if not current:
        msg = f"no fact {id!r} of user {user!r}; 'litemem list' shows the ids"
        raise UnknownFact(msg)
    newest = current[-1]
    return Chain(
        fact=fact_of(newest.doc),
        source=Place(path=newest.path, line=newest.doc.line, origin=newest.doc.origin),
        history=tuple(fact_of(stored.doc) for stored in chain),
        use=space.index.use(user, (newest.doc.id,)).get(newest.doc.id),
    )


def list_facts(
    space: Workspace,
    user: str,
    *,
    sort: Sort,
    limit: int | None,
    offset: int,
    chat_id: str | None,
    category: str | None,
) -> list[Fact]:
    """Return current facts. Raises InvalidQuery for a wrong order, limit or offset."""
    if sort not in ("created", "importance"):
        msg = f"sort {sort!r} is not created or importance"
        raise InvalidQuery(msg)
    if not (limit is None or 1 <= limit <= _MOST) or not 0 <= offset <= _MOST:
        msg = (
            f"limit must be at least 1 and offset at least 0, and both at most {_MOST}, not "
            f"{str(limit)[:40]} and {str(offset)[:40]}"
        )
        raise InvalidQuery(msg)
    rows = space.index.facts(
        user, sort=sort, limit=limit, offset=offset, chat_id=chat_id, category=category
    )
    return [fact_of(stored.doc) for stored in rows]


def log_text(space: Workspace, user: str, day: date | None) -> str:
    """Return a day's log as its file has it; '' where there is none."""
    wanted = day or space.clock().astimezone(space.zone).date()
    path = log_file(space.home, user, wanted).path
    return visible(decode(read_file(path))) if path.exists() else ""


def log_days(space: Workspace, user: str) -> tuple[date, ...]:
    """Return the days that have a log, newest first."""
    folder = space.home.memory_dir(user)
    names = (path.name for path in folder.iterdir()) if folder.is_dir() else ()
    return tuple(sorted((day for name in names if (day := log_day(name))), reverse=True))
