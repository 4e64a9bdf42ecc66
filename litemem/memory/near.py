"""The facts that are nearest to one in meaning."""

from __future__ import annotations

from dataclasses import dataclass

from litemem.index.filters import resolve
from litemem.index.scan import embeddings
from litemem.memory.rows import fact_of
from litemem.memory.workspace import Workspace
from litemem.text.fusion import clamped
from litemem.types import Fact, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """A fact, and how near it is."""

    fact: Fact
    similarity: float  # 0 unrelated, 1 the same text; searches compare a question, so theirs differ


def nearest_facts(space: Workspace, user: str, id: str, limit: int) -> tuple[Near, ...]:
    """
    Return the current facts that are nearest to a fact, nearest first; none of its own chain.

    Facts no nearer than unrelated texts are left out; none is found for a fact without a vector.
    """
    index, embedder = space.index, space.embedders.get()
    chain = index.chain(user, id)
    if embedder is None or not chain:
        return ()
    own = chain[-1].rowid
    with index.reading() as db:
        rows = resolve(db, Scope(user=user))
        vector = embeddings(db, [own]).get(own)
        if rows is None or vector is None:
            return ()
        found = index.scanner.nearest(db, vector, rows, limit + 1)
    # On a search's scale most facts would be 1: they are nearer than question and answer.
    unrelated = embedder.profile.typical_unrelated
    similar = {
        rowid: clamped((cosine - unrelated) / (1 - unrelated))
        for rowid, cosine in found
        if rowid != own
    }
    stored = index.by_rowids(similar)
    return tuple(
        Near(fact=fact_of(stored[rowid].doc), similarity=value)
        for rowid, value in similar.items()
        if rowid in stored and value > 0
    )[:limit]
