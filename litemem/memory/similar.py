"""Facts that nearly say the same, for a caller or a model to decide about."""

from __future__ import annotations

from dataclasses import dataclass

from litemem.memory.workspace import Workspace
from litemem.types import Fact, Profile, Scope, Vector

_CANDIDATES = 20
_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """A near-duplicate: its id, text, and the exact cosine of the two vectors."""

    id: str
    content: str
    cosine: float


def near_duplicate(profile: Profile) -> float:
    """
    Return the cosine from which two facts are near-duplicates: halfway from related to equal.

    0.92 for the default model, 0.69 for the static one; the cosines of models don't compare.
    """
    return (1 + profile.typical_related) / 2


def similar_facts(
    space: Workspace, user: str, fact: Fact, vector: Vector | None
) -> tuple[Similar, ...]:
    """
    Return the nearest near-duplicates of a fact, nearest first.

    They are looked for among the best keyword matches, so the cost doesn't follow the store's
    size as a scan would; a paraphrase without a common word isn't found.
    """
    embedder = space.embedders.get()
    if vector is None or embedder is None:
        return ()
    floor = near_duplicate(embedder.profile)
    scope = Scope(user=user, chat_id=fact.chat_id)
    nearest = space.index.nearest_by_words(fact.content, vector, scope, _CANDIDATES)
    found = [
        Similar(id=stored.doc.id, content=stored.doc.text, cosine=cosine)
        for stored, cosine in nearest
        if cosine >= floor and stored.doc.id != fact.replaces
    ]
    return tuple(sorted(found, key=lambda one: (-one.cosine, one.id))[:_NAMED])
