"""The files that the rows come from."""

from __future__ import annotations

import json
from typing import Any, Final

import apsw

from litemem.files.state import FileState
from litemem.index.connection import fetch
from litemem.index.docs import Source
from litemem.index.rows import clean, path_of, stored_path
from litemem.types import Problem

_SAVE: Final = """
insert into source(path, user, size, mtime_ns, ctime_ns, inode, read_ns, lines, digests, problems)
values(:path, :user, :size, :mtime_ns, :ctime_ns, :inode, :read_ns, :lines, :digests, :problems)
on conflict(path) do update set size = :size, mtime_ns = :mtime_ns, ctime_ns = :ctime_ns,
    inode = :inode, read_ns = :read_ns, lines = :lines, digests = :digests, problems = :problems
returning id
"""
_CONFIRM: Final = """
update source set mtime_ns = :mtime_ns, ctime_ns = :ctime_ns, inode = :inode, read_ns = :read_ns
where path = :path and size = :size and digests = :digests
"""
_FIND: Final = """
select path, user, size, mtime_ns, ctime_ns, inode, read_ns, lines, digests, problems from source
"""


def save(db: apsw.Connection, source: Source) -> int:
    """Write what is known of a file; return its number."""
    problems = [(clean(one.path), one.line, clean(one.reason)) for one in source.problems]
    bindings = _seen(source) | {
        "user": clean(source.user),
        "lines": source.lines,
        "problems": json.dumps(problems, separators=(",", ":")),
    }
    number: int = fetch(db, _SAVE, bindings)[0][0]
    return number


def confirm(db: apsw.Connection, source: Source) -> None:
    """Take over when a file was last seen with the bytes that were indexed, if it still says so."""
    db.execute(_CONFIRM, _seen(source))


def number_of(db: apsw.Connection, path: str) -> tuple[int, str] | None:
    """Return a file's number and user; None for an unknown one."""
    found = fetch(db, "select id, user from source where path = ?", (stored_path(path),))
    return found[0] if found else None


def source(db: apsw.Connection, path: str) -> Source | None:
    """Return what is known of a file, None for an unknown one."""
    found = fetch(db, f"{_FIND} where path = ?", (stored_path(path),))
    return _source(found[0]) if found else None


def sources(db: apsw.Connection, user: str | None) -> dict[str, Source]:
    """Return the files of a user, or of all, by path and in its order."""
    sql = _FIND if user is None else f"{_FIND} where user = ?"
    found = fetch(db, sql, None if user is None else (clean(user),))
    return {one.path: one for one in sorted(map(_source, found), key=lambda one: one.path)}


def problems(db: apsw.Connection) -> list[Problem]:
    """Return what couldn't be read as meant, by path and line."""
    found = fetch(db, "select problems from source where problems != '[]'")
    made = (problem for (text,) in found for problem in _problems(text))
    return sorted(made, key=lambda problem: (problem.path, problem.line, problem.reason))


def users(db: apsw.Connection) -> list[str]:
    """Return the users that have files, sorted."""
    return sorted(user for (user,) in fetch(db, "select distinct user from source"))


def _seen(source: Source) -> dict[str, Any]:  # Any: what apsw binds
    state = source.state
    return {
        "path": stored_path(source.path),
        "size": state.size,
        "mtime_ns": state.mtime_ns,
        "ctime_ns": state.ctime_ns,
        "inode": str(state.inode),
        "read_ns": source.read_ns,
        "digests": source.digests,
    }


def _source(found: tuple[Any, ...]) -> Source:  # Any: a row of SQLite
    path, user, size, mtime_ns, ctime_ns, inode, read_ns, lines, digests, text = found
    return Source(
        path=path_of(path),
        user=user,
        state=FileState(size=size, mtime_ns=mtime_ns, ctime_ns=ctime_ns, inode=int(inode)),
        read_ns=read_ns,
        lines=lines,
        digests=digests,
        problems=_problems(text),
    )


def _problems(text: str) -> tuple[Problem, ...]:
    if text == "[]":
        return ()
    return tuple(
        Problem(path=path, line=line, reason=reason) for path, line, reason in json.loads(text)
    )
