"""A fact that was found in a conversation turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from litemem.errors import InvalidFact

CATEGORIES = ("personal", "preference", "goal", "context", "technical")
"""The reference's categories; a caller's own are allowed too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedFact:
    """
    One fact, and where it was said.

    Raises InvalidFact: no text, or an importance outside 0..1.
    """

    content: str
    category: str = "general"
    importance: float = 0.5
    tags: tuple[str, ...] = ()
    source_session_id: str | None = None
    source_transcript_line: int | None = None  # from 1
    source_timestamp: str | None = None  # ISO 8601
    replaces: str | None = None  # the id of the fact that it takes the place of

    def __post_init__(self) -> None:
        text: Any = self.content  # Any, twice: what was given, whatever the annotations say
        if not isinstance(text, str) or not text.strip():
            raise InvalidFact("an extracted fact needs some text as its content")
        given: Any = self.importance
        is_number = isinstance(given, int | float) and not isinstance(given, bool)
        if not is_number or not 0 <= given <= 1:
            raise InvalidFact(f"importance must be a number from 0 to 1, not {given!r}")
