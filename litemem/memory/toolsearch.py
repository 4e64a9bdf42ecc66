"""Search results as an agent's tool says them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo

from litemem.memory.search import Results
from litemem.text.prompt import prompt_block
from litemem.types import Hit

NOTHING = "no memories found"


def search_text(results: Results, zone: tzinfo) -> str:
    """
    Return a header and one numbered line a hit, delimited and escaped like all memory in prompts.

    A line has the text, the day it was stored, the relevance (0..1; "by keyword" where no vector
    was compared), the importance and the tags.
    """
    note = f" (not complete: {results.note})" if results.note else ""
    if not results:
        return f"{NOTHING}{note}"
    found = "memory" if len(results) == 1 else "memories"
    lines = [f"{n}. {'; '.join(_parts(hit, zone))}" for n, hit in enumerate(results, 1)]
    return f"Found {len(results)} {found}{note}:\n{prompt_block(lines)}"


def _parts(hit: Hit, zone: tzinfo) -> Iterator[str]:
    yield hit.content
    if hit.created_at is not None:
        yield f"stored {hit.created_at.astimezone(zone).date().isoformat()}"
    yield "by keyword" if hit.similarity is None else f"relevance {hit.similarity:.2f}"
    yield f"importance {hit.importance:.2f}"
    if hit.tags:
        yield "tags " + " ".join(f"#{tag}" for tag in hit.tags)
