"""What became of a conversation turn."""

from __future__ import annotations

from dataclasses import dataclass, field

from litemem.extract.fact import ExtractedFact
from litemem.memory.similar import Similar


@dataclass(slots=True, kw_only=True)
class MemoryExtractionResult:
    """The facts of a turn, and what was done with them."""

    extracted_facts: list[ExtractedFact] = field(default_factory=list)
    memories_created: list[str] = field(default_factory=list)  # ids of new lines
    # Ids whose importance or tags changed on disk, or that a new line took the place of.
    memories_updated: list[str] = field(default_factory=list)
    memories_confirmed: list[str] = field(default_factory=list)  # known before, said again
    replaced: dict[str, str] = field(default_factory=dict)  # new id -> the id it replaces
    similar_to: dict[str, list[Similar]] = field(default_factory=dict)  # new id -> near-duplicates
    transcript_lines: list[int] = field(default_factory=list)  # of the turn, from 1
    errors: list[str] = field(default_factory=list)  # what failed or wasn't taken, a sentence each
