"""Stored records brought up to date by a caller's migrators, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from litemem.session.nodes import Migrator
from litemem.text import jsjson

# What JavaScript's `trim` takes away: runtime-memory notes, "Condensation".
BLANK: Final = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


class FailedMigration(Exception):
    """A migrator raised; the message names it."""


def migrated(value: object, migrators: Sequence[Migrator]) -> object:
    """
    Run a record through all migrators, also where one has dropped it.

    Raises:
        FailedMigration: a migrator raised, whatever it was; other records aren't touched by it.
    """
    for migrator in migrators:
        try:
            value = migrator.upgrade(value)
        except Exception as error:  # a caller's code: one record mustn't fail the load
            raise FailedMigration(f"migrator {migrator.id}: {error!r}") from error
    return value


def upgraded_line(line: bytes, migrators: Sequence[Migrator]) -> bytes:
    """Return a line as the migrators have it; empty, they dropped it; itself where they fail."""
    try:
        value = jsjson.loads(line.decode().strip(BLANK))
        before = jsjson.encode(value)  # a migrator may change the value it gets
        value = migrated(value, migrators)
        after = jsjson.encode(value)
    except (ValueError, FailedMigration):
        return line
    if after == before:
        return line
    return b"" if value is None else after + b"\n"
