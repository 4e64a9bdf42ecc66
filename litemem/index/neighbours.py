"""Rows by their numbers, and the rows beside them in their threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import apsw

from litemem.index.filters import carray


class Row(NamedTuple):
    """A row of the index, as scoring and answering need it."""

    rowid: int
    id: str
    kind: int  # schema.FACT ...
    at: int | None  # microseconds since 1970 UTC
    importance: float
    category: str
    thread: int
    head: str  # "speaker (date): ", embedded before the text
    text: str
    extra: str  # JSON: tags, speaker, metadata, origin, seen
    chat: str  # "" for no chat
    path: str  # of the source, below the home folder
    line: int


_ROWS: Final = """
select doc.rowid, doc.id, kind, at, importance, category, thread, head, text, extra,
    chat, path, line
from doc join scope on scope.id = doc.scope join source on source.id = doc.source
where doc.rowid in (select value from carray(?))
"""

# The index on (thread, at, line) finds the few rows around; ids decide between equals. A row
# without a time sorts first, as it does in the index.
_ORDERED: Final = """
select rowid, thread from doc
where state = 0 and thread in (
    select thread from doc where rowid in (select value from carray(?)) and state = 0
)
order by thread, at, line, id
"""


def rows(db: apsw.Connection, rowids: Sequence[int]) -> dict[int, Row]:
    """Return these rows, by rowid; an unknown rowid is left out."""
    if not rowids:
        return {}
    return {row[0]: _row(row) for row in db.execute(_ROWS, (carray(rowids),))}


def neighbours(
    db: apsw.Connection, rowids: Sequence[int]
) -> dict[int, tuple[int | None, int | None]]:
    """
    Return for each of these current rows the rows before and after it in its thread, or None.

    A thread's order is by time, then line, then id.
    """
    if not rowids:
        return {}
    wanted = set(rowids)
    found: dict[int, tuple[int | None, int | None]] = {}
    before: tuple[int, int] | None = None
    ordered = [*db.execute(_ORDERED, (carray(rowids),))]
    for i, (rowid, thread) in enumerate(ordered):
        if rowid in wanted:
            following = ordered[i + 1] if i + 1 < len(ordered) else None
            found[rowid] = (
                before[0] if before and before[1] == thread else None,
                following[0] if following and following[1] == thread else None,
            )
        before = rowid, thread
    return found


def _row(values: tuple[Any, ...]) -> Row:  # Any: apsw
    row = Row(*values)
    path: str | bytes = row.path
    if isinstance(path, bytes):  # a name that isn't UTF-8
        return row._replace(path=path.decode("utf-8", "surrogateescape"))
    return row
