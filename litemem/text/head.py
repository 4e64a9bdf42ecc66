"""What is embedded before a text, and shown nowhere: who said it, and on which day."""

from __future__ import annotations

import re
from datetime import date, datetime, tzinfo
from typing import Final

_HEAD: Final = re.compile(r"(?:(.*) )?\((\d{4}-\d\d-\d\d)\): ", re.DOTALL)


def head(speaker: str | None, day: date) -> str:
    """
    Return the words that stand before a text when it's embedded.

    Measured on locomo: dense R@10 25 without them, 49 with them.
    """
    return f"{speaker} ({day.isoformat()}): " if speaker else f"({day.isoformat()}): "


def local_day(at: datetime, zone: tzinfo) -> date:
    """Return the day of a moment in a zone; at the ends of the calendar, the moment's own."""
    try:
        return at.astimezone(zone).date()
    except OverflowError:
        return at.date()


def read_head(text: str) -> tuple[str | None, date | None]:
    """Return speaker and day of a head; the inverse of `head`. None and None for other text."""
    match = _HEAD.fullmatch(text)
    if match is None:
        return None, None
    try:
        return match[1], date.fromisoformat(match[2])
    except ValueError:
        return None, None
