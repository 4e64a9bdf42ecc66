"""Change what a fact's comment says: importance, tags, category, metadata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from litemem.errors import UnknownFact
from litemem.memory.edit import rewrite_facts
from litemem.memory.new import check_importance, check_metadata, tidy_tags
from litemem.memory.rows import fact_of
from litemem.memory.sync import sync
from litemem.memory.workspace import Workspace
from litemem.types import Fact, JsonObject


def update_fact(
    space: Workspace,
    user: str,
    id: str,
    *,
    importance: float | None = None,
    tags: Sequence[str] | None = None,
    metadata: JsonObject | None = None,
) -> Fact:
    """Change a chain's newest fact in place; return it as it is now on disk."""
    if importance is not None:
        check_importance(importance)
    if metadata is not None:
        check_metadata(metadata)
    wanted = None if tags is None else tidy_tags(tags)
    with space.writing():
        sync(space, (user,))
        stored = next((row for row in space.index.chain(user, id) if row.state == "current"), None)
        if stored is None:
            msg = f"no fact {id!r} of user {user!r}; 'litemem list' shows the ids"
            raise UnknownFact(msg)
        known = fact_of(stored.doc)
        fact = replace(
            known,
            importance=known.importance if importance is None else float(importance),
            tags=known.tags if wanted is None else wanted,
            metadata=known.metadata if metadata is None else dict(metadata),
        )
        if fact != known:
            rewrite_facts(space, [(stored, fact)])
    return fact
