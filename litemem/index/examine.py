"""What `doctor` and `stats` ask of the index."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import apsw

from litemem.index.docs import moment
from litemem.index.rows import clean, parents_of
from litemem.text.chains import Link, resolve
from litemem.types import Problem

_LINKS: Final = """
select doc.id, doc.replaces, doc.merges, doc.at, source.path, doc.line
from doc join source on source.id = doc.source join scope on scope.id = doc.scope
where doc.kind = 0 and scope.user = ?
"""
_CATEGORIES: Final = """
select doc.category, count(*)
from doc join scope on scope.id = doc.scope
where doc.kind = 0 and doc.state = 0 and scope.user = ?
group by doc.category order by count(*) desc, doc.category
"""
_ANY_WORD: Final = """
select rowid from words where words match 'a' limit 1
"""
_RECALLED: Final = """
select count(distinct doc.id)
from usage cross join doc on doc.id = usage.id join scope on scope.id = doc.scope
where usage.user = :user and scope.user = :user and doc.kind = 0 and doc.state = 0
"""


def chain_problems(db: apsw.Connection, user: str) -> list[Problem]:
    """Name the ids that stand on two lines, and the facts that replace each other in a loop."""
    links = [
        Link(
            id=id_,
            replaces=replaces,
            merges=parents_of(replaces, merges)[1:],
            at=moment(at),
            order=(path, line),
        )
        for id_, replaces, merges, at, path, line in db.execute(_LINKS, (user,))
    ]
    found = resolve(links)
    first = {link.id: link.order for link in sorted(links, key=lambda link: link.order)[::-1]}
    doubles = [
        _problem(
            link.order, f"id {link.id} is also at {_place(first[link.id])}; this line is left out"
        )
        for link in found.duplicates
    ]
    loops = [
        _problem(
            first[ids[0]],
            f"{' replaces '.join(reversed(ids))}, in a loop; this one counts as first",
        )
        for ids in found.cycles
    ]
    return sorted(doubles + loops, key=lambda problem: (problem.path, problem.line))


def categories(db: apsw.Connection, user: str) -> dict[str, int]:
    """Count a user's current facts by category, the largest first."""
    return {str(name): int(str(n)) for name, n in db.execute(_CATEGORIES, (user,))}


def recalled(db: apsw.Connection, user: str) -> int:
    """Count a user's current facts that were recalled at least once."""
    return int(db.execute(_RECALLED, {"user": clean(user)}).get)


def damage(db: apsw.Connection) -> str | None:
    """Return what SQLite finds wrong with the file, None where it's whole; reads all of it."""
    # FTS5's check goes by the structure that this connection read last, and calls the file damaged
    # where another connection has changed it since; any query reads it again (SQLite 3.54).
    with suppress(apsw.Error):  # the check says what is wrong
        db.execute(_ANY_WORD).fetchall()
    found = db.execute("pragma quick_check(1)").get
    return None if found == "ok" else str(found)


def _place(order: tuple[str, int]) -> str:
    return f"{order[0]}:{order[1]}"


def _problem(order: tuple[str, int], reason: str) -> Problem:
    return Problem(path=order[0], line=order[1], reason=reason)
