"""
When an index file is worth writing anew: once more than is mapped, whenever it has doubled.

Rows that come one by one leave their words, texts and vectors mixed over the whole file. Written
anew, each table lies together, and what a search reads most often lies where the file is mapped:
at 100,000 rows that were added in thousands a search takes 20 ms where it took 27
(`tests.benchmarks peers --rows 100000`).
"""

from __future__ import annotations

from typing import Final

import apsw

ROOM: Final = 4  # times the file

_SIZE: Final = "select page_count * page_size from pragma_page_count, pragma_page_size"
_LAST: Final = "select cast(value as integer) from meta where key = 'compacted'"
_NOTE: Final = "insert or replace into meta values('compacted', ?)"


def size(db: apsw.Connection) -> int:
    """Return how large the file is, in bytes, without its log."""
    return int(db.execute(_SIZE).get)


def is_due(db: apsw.Connection, least: int) -> bool:
    """Say whether the file has `least` bytes, and twice those it had when it was written anew."""
    return size(db) >= max(least, 2 * (db.execute(_LAST).get or 0))


def has_room(db: apsw.Connection, free: int | None) -> bool:
    """Say whether so many bytes hold the file's log and a temporary copy, and as much again."""
    return free is not None and free >= ROOM * size(db)


def note(db: apsw.Connection) -> None:
    """Note that the file was just written anew."""
    db.execute(_NOTE, (size(db),))
