"""Bring the index up to date so that nothing changes unless everything can be embedded."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from litemem.errors import EmbedError, FileTrouble, InvalidValue
from litemem.index.docs import Doc
from litemem.index.read import Counts
from litemem.memory.reading import read_source
from litemem.memory.rebuild import rebuild
from litemem.memory.sync import sync, unchanged
from litemem.memory.workspace import Workspace
from litemem.types import Embedder, Vector

_BATCH = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Reindexed:
    """What a reindex came to; `total_facts` is the sum of the three below it."""

    total_files: int  # daily logs
    total_facts: int  # lines of facts in them
    indexed: int = 0  # read and embedded now
    skipped: int = 0  # indexed before
    errors: int = 0  # not indexed, of facts; files that can't be read count too
    trouble: str | None = None  # why

    @property
    def success(self) -> bool:
        """Whether the index says what the files say."""
        return self.errors == 0


@dataclass(slots=True)
class _Changed:
    """What a look at the files found."""

    files: int = 0  # daily logs
    known_facts: int = 0  # in files that are as they were indexed
    docs: list[Doc] = field(default_factory=list)  # of the other files
    unreadable: int = 0
    trouble: str | None = None


def reindex(
    space: Workspace, user: str, embedder: Embedder | None = None, *, clear: bool = False
) -> Reindexed:
    """
    Index one user's files with their vectors; doing it again changes nothing.

    New texts are embedded first: when that fails, the index stays as it was, and so the files stay
    pending. With `clear` the whole index is built anew beside the old one, for all users.

    Args:
        space: the home.
        user: whose files.
        embedder: the home's own by default, and none but of the same model.
        clear: build anew.

    Raises InvalidValue for an embedder of another model.
    """
    chosen = _checked(space, embedder)
    if clear:
        return _rebuild(space, user, chosen)
    found = _look(space, user)
    new = sum(doc.kind == "fact" for doc in found.docs)
    total = found.known_facts + new
    try:
        vectors = _embed(space, found.docs, chosen)
    except EmbedError as error:
        return Reindexed(
            total_files=found.files,
            total_facts=total,
            skipped=found.known_facts,
            errors=max(1, new) + found.unreadable,
            trouble=str(error),
        )
    with space.writing(), space.index.transaction():
        sync(space, (user,))
        waiting = space.index.pending(-1)
        space.index.put_vectors((key, vectors[text]) for key, text in waiting if text in vectors)
    return Reindexed(
        total_files=found.files,
        total_facts=total,
        indexed=new,
        skipped=found.known_facts,
        errors=found.unreadable,
        trouble=found.trouble,
    )


def _checked(space: Workspace, embedder: Embedder | None) -> Embedder | None:
    made_with = space.index.fingerprint
    if embedder is None:
        return space.embedders.get()
    if (embedder.name, embedder.sha256) != (made_with.model, made_with.model_sha256):
        raise InvalidValue(
            f"the index has vectors of {made_with.model!r}, and this embedder is "
            f"{embedder.name!r}; vectors of two models don't compare: open the home with "
            "embedder=..., or change its model with 'litemem index rebuild --model NAME'"
        )
    return embedder


def _look(space: Workspace, user: str) -> _Changed:
    """Read the files that changed since they were indexed."""
    index, found = space.index, _Changed()
    found.known_facts = _facts(space, user)
    known = dict(index.sources(user))
    for file in space.followed.files(user):
        found.files += file.day is not None
        source = known.pop(file.key, None)
        if source is not None and unchanged(file, source) is not None:
            continue
        found.known_facts -= index.facts_in(file.key)
        try:
            reading = read_source(file, space.zone)
        except FileTrouble as error:
            found.unreadable, found.trouble = found.unreadable + 1, str(error)
            continue
        found.docs += reading.docs if reading else ()
    found.known_facts -= sum(index.facts_in(key) for key in known)
    return found


def _facts(space: Workspace, user: str) -> int:
    facts = space.index.counts(user).get("fact", Counts())
    return facts.current + facts.superseded + facts.duplicate


def _embed(
    space: Workspace, docs: Collection[Doc], embedder: Embedder | None
) -> dict[str, Vector | None]:
    """Return the vectors of all texts that have none. Raises EmbedError."""
    texts = {doc.head + doc.text for doc in docs}
    missing = texts - space.index.cached_vectors(texts).keys()
    missing |= {text for _, text in space.index.pending(-1)}
    if not missing or embedder is None:
        return {}
    ordered = sorted(missing, key=len)
    made: dict[str, Vector | None] = {}
    for start in range(0, len(ordered), _BATCH):
        batch = ordered[start : start + _BATCH]
        made |= zip(batch, embedder.embed_passages(batch), strict=True)
    return made


def _rebuild(space: Workspace, user: str, embedder: Embedder | None) -> Reindexed:
    logs = sum(file.day is not None for file in space.followed.files(user))
    try:
        rebuild(space, embedder, space.index.fingerprint, space.settings, None)
    except EmbedError as error:
        facts = _facts(space, user)
        return Reindexed(
            total_files=logs, total_facts=facts, errors=max(1, facts), trouble=str(error)
        )
    facts = _facts(space, user)
    return Reindexed(total_files=logs, total_facts=facts, indexed=facts)
