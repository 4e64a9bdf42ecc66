"""Rows by their numbers, and the rows beside them in their threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import apsw

from litemem.index.filters import carray


class Row(NamedTuple):
    """A row of the index, as scoring needs it."""

    rowid: int
    id: str
    line: int
    at: int | None  # microseconds since 1970 UTC
    importance: float
    thread: int
    head: str  # "speaker (date): ", embedded before the text
    text: str


_ROWS: Final = """
select rowid, id, line, at, importance, thread, head, text from doc
where rowid in (select value from carray(?))
"""

# Each found by a step in the index on (thread, at, line): rows without a time come first. Rows of
# one time and line are chunks of one text, in the order of their numbers.
_BESIDE: Final = """
select doc.rowid,
    coalesce(
        (select p.rowid from doc p where p.state = 0 and p.thread = doc.thread
            and p.at is doc.at and (p.line, p.rowid) < (doc.line, doc.rowid)
            order by p.line desc, p.rowid desc limit 1),
        (select p.rowid from doc p where p.state = 0 and p.thread = doc.thread and p.at < doc.at
            order by p.at desc, p.line desc, p.rowid desc limit 1),
        (select p.rowid from doc p where p.state = 0 and p.thread = doc.thread
            and p.at is null and doc.at is not null
            order by p.line desc, p.rowid desc limit 1)),
    coalesce(
        (select n.rowid from doc n where n.state = 0 and n.thread = doc.thread
            and n.at is doc.at and (n.line, n.rowid) > (doc.line, doc.rowid)
            order by n.line, n.rowid limit 1),
        (select n.rowid from doc n where n.state = 0 and n.thread = doc.thread and n.at > doc.at
            order by n.at, n.line, n.rowid limit 1),
        (select n.rowid from doc n where n.state = 0 and n.thread = doc.thread
            and n.at is not null and doc.at is null
            order by n.at, n.line, n.rowid limit 1))
from doc
where doc.rowid in (select value from carray(?)) and doc.state = 0
"""


def rows(db: apsw.Connection, rowids: Sequence[int]) -> dict[int, Row]:
    """Return these rows, by rowid; an unknown rowid is left out."""
    if not rowids:
        return {}
    return {row[0]: Row._make(row) for row in db.execute(_ROWS, (carray(rowids),))}


def neighbours(
    db: apsw.Connection, rowids: Sequence[int]
) -> dict[int, tuple[int | None, int | None]]:
    """
    Return for each of these current rows the rows before and after it in its thread, or None.

    A thread's order is by time (none first), then line, then number.
    """
    if not rowids:
        return {}
    found = db.execute(_BESIDE, (carray(rowids),))
    return {rowid: (previous, following) for rowid, previous, following in found}
