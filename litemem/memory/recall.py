"""Search results as a block of text for a prompt."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import tzinfo

from litemem.text.prompt import prompt_block
from litemem.types import Hit


def recall_text(hits: Iterable[Hit], zone: tzinfo) -> str:
    """Return one line a hit, delimited and escaped so that no text can pose as instructions."""
    return prompt_block([_line(hit, zone) for hit in hits])


def _line(hit: Hit, zone: tzinfo) -> str:
    day = hit.created_at.astimezone(zone).date().isoformat() if hit.created_at else ""
    facts = ", ".join(part for part in (day, hit.category, hit.speaker) if part)
    return f"[{facts}] {hit.content}"
