"""The kinds of statement that the rules know, and what a fact of each is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of statement."""

    name: str
    category: str
    importance: float


# At 0.7 and above a fact is worth a line in the core block: who the user is, what was decided,
# and what they asked to have remembered. What they like, have and do ranks below.
EXPLICIT: Final = Kind(name="explicit", category="context", importance=0.8)
HEALTH: Final = Kind(name="health", category="preference", importance=0.8)  # what they can't have
IDENTITY: Final = Kind(name="identity", category="personal", importance=0.8)
STANDING: Final = Kind(name="standing", category="preference", importance=0.8)  # "from now on"
DECISION: Final = Kind(name="decision", category="context", importance=0.7)
EVENT: Final = Kind(name="event", category="personal", importance=0.7)  # married, moved, hired
GOAL: Final = Kind(name="goal", category="goal", importance=0.6)
PREFERENCE: Final = Kind(name="preference", category="preference", importance=0.6)
TECHNICAL: Final = Kind(name="technical", category="technical", importance=0.6)
HABIT: Final = Kind(name="habit", category="personal", importance=0.5)
POSSESSION: Final = Kind(name="possession", category="personal", importance=0.5)
