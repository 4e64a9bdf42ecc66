"""Facts that nearly say the same, for a caller or a model to decide about."""

from __future__ import annotations

from dataclasses import dataclass

from litemem.index.filters import resolve
from litemem.index.rare import sharing
from litemem.index.scan import cosines
from litemem.index.words import query_words
from litemem.memory.workspace import Workspace
from litemem.types import Fact, Profile, Scope, Vector

_CANDIDATES = 40
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

    They are looked for among the facts that share its rarest words, so the cost doesn't follow the
    store's size; a paraphrase, or a text of common words alone in a large store, isn't found.
    """
    embedder = space.embedders.get()
    if vector is None or embedder is None:
        return ()
    floor = near_duplicate(embedder.profile)
    with space.index.reading() as db:
        rows = resolve(db, Scope(user=user, chat_id=fact.chat_id))
        if rows is None:
            return ()
        matches = sharing(db, query_words(fact.content), rows, _CANDIDATES)
        close = {n: cosine for n, cosine in cosines(db, vector, matches).items() if cosine >= floor}
    stored = space.index.by_rowids(close)
    found = [
        Similar(id=stored[n].doc.id, content=stored[n].doc.text, cosine=cosine)
        for n, cosine in close.items()
        if n in stored and stored[n].doc.id not in fact.parents
    ]
    return tuple(sorted(found, key=lambda one: (-one.cosine, one.id))[:_NAMED])
