"""The facts block's kept section: what matters most of what is known, for every prompt."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from litemem.files.read import decode, encode, read_existing, visible
from litemem.memory.blocks import write_block
from litemem.memory.listing import list_facts
from litemem.memory.sources import block_file
from litemem.memory.sync import sync
from litemem.memory.workspace import Workspace
from litemem.text.section import replace_section
from litemem.types import Fact

LEAST_IMPORTANCE: Final = 0.7  # the reference's
MOST_FACTS: Final = 50  # likewise
MAX_CHARS: Final = 6_000  # of the section: about 1,500 tokens of every prompt
_ORDER: Final = ("personal", "preference", "goal", "context", "technical")


def important_facts(space: Workspace, user: str) -> list[Fact]:
    """Return the facts of importance 0.7 and more: the most important, then the newest, 50."""
    facts = list_facts(
        space, user, sort="importance", limit=MOST_FACTS, offset=0, chat_id=None, category=None
    )
    return [fact for fact in facts if fact.importance >= LEAST_IMPORTANCE]


def refresh_facts(space: Workspace, user: str, summary: str | None = None) -> list[Fact]:
    """
    Rewrite the kept section of a user's MEMORY.md, and nothing else of it; return its facts.

    Args:
        space: the home.
        user: whose.
        summary: a model's words for these facts; None: a list of them by category.
    """
    file = block_file(space.home, "facts", user, None)
    with space.writing():
        sync(space, (user,))
        facts = important_facts(space, user)
        body = grouped(facts) if summary is None else summary.strip()
        data = read_existing(file.path) or b""
        new = encode(replace_section(decode(data), visible(body)))
        if new != data and (facts or data):
            write_block(space, file, new)
    return facts


def grouped(facts: Sequence[Fact], *, max_chars: int = MAX_CHARS) -> str:
    """Give facts as bullets under their categories, best first; what has no room is counted."""
    kept, room = [], max_chars
    for fact in facts:
        line = _bullet(fact)
        room -= len(line) + len(fact.category) + 8
        if room < 0:
            break
        kept.append(fact)
    by_rank = sorted(kept, key=lambda fact: _rank(fact.category))
    parts = [
        f"### {category}\n\n" + "".join(_bullet(fact) for fact in group)
        for category, group in groupby(by_rank, key=lambda fact: fact.category)
    ]
    missing = len(facts) - len(kept)
    return "\n".join(parts) + (f"\n({missing} more left out)\n" if missing else "")


def _bullet(fact: Fact) -> str:
    return f"- {' '.join(fact.content.split())}\n"


def _rank(category: str) -> tuple[int, str]:
    return (_ORDER.index(category) if category in _ORDER else len(_ORDER)), category
