"""How much there is, and whether it's well."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

import apsw

from litemem.index.connection import fetch
from litemem.index.rows import KINDS, clean
from litemem.index.schema import CURRENT, DUPLICATE, STORED, SUPERSEDED, UNEMBEDDABLE
from litemem.index.settle import Linked, linked
from litemem.text.chains import resolve
from litemem.types import Kind, Problem

_OF_USER: Final = "(:user is null or scope in (select id from scope where user = :user))"
_COUNTS: Final = f"""
select kind, state, vector, count(*) from doc where {_OF_USER} group by kind, state, vector
"""  # noqa: S608  # a constant
_CATEGORIES: Final = f"""
select category, count(*) from doc where kind = 0 and state = 0 and {_OF_USER}
group by category order by category
"""  # noqa: S608  # a constant
_PROGRESS: Final = f"""
select count(*), total(vector = 0) from doc where state = 0 and {_OF_USER}
"""  # noqa: S608  # a constant
_ALL_PROGRESS: Final = """
select (select count(*) from doc where state = 0),
    (select count(*) from doc where state = 0 and vector = 0)
"""
_REPLACING: Final = """
select doc.id from doc join scope on scope.id = doc.scope
where replaces is not null and user = :user
union select doc.id from doc join scope on scope.id = doc.scope
where doc.state = 2 and user = :user
"""
_TALLY: Final = """
select (select count(*) from doc where state = 0), (select count(*) from words_docsize),
    (select count(*) from doc where vector = 1), (select count(*) from vec_rowids),
    (select total(n) from centre)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many rows there are."""

    current: dict[Kind, int]  # each kind is there, with 0 if need be
    categories: dict[str, int]  # of the current facts
    superseded: int
    duplicate: int
    with_vector: int
    unembeddable: int  # current rows without any text to embed


def counts(db: apsw.Connection, user: str | None) -> Counts:
    """Count the rows of a user, or of all."""
    bindings = {"user": None if user is None else clean(user)}
    current: Counter[Kind] = Counter()
    states: Counter[int] = Counter()
    vectors: Counter[int] = Counter()
    for kind, state, vector, n in fetch(db, _COUNTS, bindings):
        states[state] += n
        if state == CURRENT:
            current[KINDS[kind]] += n
            vectors[vector] += n
    return Counts(
        current={kind: current[kind] for kind in KINDS},
        categories=dict(fetch(db, _CATEGORIES, bindings)),
        superseded=states[SUPERSEDED],
        duplicate=states[DUPLICATE],
        with_vector=vectors[STORED],
        unembeddable=vectors[UNEMBEDDABLE],
    )


def progress(db: apsw.Connection, user: str | None) -> tuple[int, int]:
    """Return how many current rows have what vector they can have, and how many there are."""
    if user is None:
        total, waiting = fetch(db, _ALL_PROGRESS)[0]
    else:
        total, waiting = fetch(db, _PROGRESS, {"user": clean(user)})[0]
    return total - int(waiting), total


def chain_problems(db: apsw.Connection, user: str) -> list[Problem]:
    """Name the facts that repeat an id or replace each other in a circle."""
    owner = db.execute("select id from scope where user = ? and chat = ''", (clean(user),)).get
    ids = [id_ for (id_,) in fetch(db, _REPLACING, {"user": clean(user)})]
    rows = linked(db, owner, ids) if ids else []
    resolution = resolve([one.link for one in rows])
    by_order = {one.link.order: one for one in rows}
    doubles = [by_order[link.order] for link in resolution.duplicates]
    kept = {one.id: one for one in rows if one not in doubles}
    problems = [_repeats(one, kept[one.id]) for one in doubles]
    for cycle in resolution.cycles:
        first = kept[cycle[0]]
        reason = (
            f"facts replace each other in a circle: {' -> '.join(cycle)}; remove one 'replaces'"
        )
        problems.append(Problem(path=first.path, line=first.line, reason=reason))
    return sorted(problems, key=lambda problem: (problem.path, problem.line, problem.reason))


def damage(db: apsw.Connection) -> str | None:
    """Read the whole file; return what is wrong with it, None for nothing."""
    found = db.execute("pragma integrity_check(1)").get
    if found != "ok":
        return str(found)
    current, words, stored, vectors, summed = fetch(db, _TALLY)[0]
    if current != words:
        return f"{current} rows are current, but {words} are found by words"
    if not stored == vectors == summed:
        return f"{stored} rows have a vector, but {vectors} are stored and {summed:g} are summed"
    return None


def _repeats(one: Linked, first: Linked) -> Problem:
    where = f"{first.path}:{first.line}"
    reason = f"repeats the id {one.id!r} of {where}, which counts; give it another or none"
    return Problem(path=one.path, line=one.line, reason=reason)
