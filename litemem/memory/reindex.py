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
    indexed: int = 0  # new or changed, or embedded now
    skipped: int = 0  # as they were indexed before
    errors: int = 0  # facts that wait for a vector, and files that can't be read
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
    missing = _missing(space, found.docs)
    try:
        vectors = _embed(missing, chosen)
    except EmbedError as error:
        new = sum(doc.kind == "fact" for doc in found.docs)
        waiting = sum(doc.kind == "fact" and _text(doc) in missing for doc in found.docs)
        return Reindexed(
            total_files=found.files,
            total_facts=found.known_facts + new,
            skipped=found.known_facts + new - waiting,
            errors=max(1, waiting) + found.unreadable,
            trouble=str(error),
        )
    with space.writing(), space.index.transaction():
        report = sync(space, (user,))
        pending = space.index.pending(-1)
        found_now = [(key, vectors[text]) for key, text in pending if text in vectors]
        space.index.put_vectors(found_now)
    total = _facts(space, user)
    changed = report.facts_added + report.facts_updated
    indexed = min(total, max(changed, len(found_now)))
    return Reindexed(
        total_files=found.files,
        total_facts=total,
        indexed=indexed,
        skipped=total - indexed,
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


def _missing(space: Workspace, docs: Collection[Doc]) -> set[str]:
    """Return the texts, of these rows and of pending ones, that have no vector yet."""
    texts = {_text(doc) for doc in docs}
    waiting = {text for _, text in space.index.pending(-1)}
    return (texts - space.index.cached_vectors(texts).keys()) | waiting


def _text(doc: Doc) -> str:
    return doc.head + doc.text


def _embed(texts: Collection[str], embedder: Embedder | None) -> dict[str, Vector | None]:
    """Return the texts' vectors, none where there is no model. Raises EmbedError."""
    made: dict[str, Vector | None] = {}
    ordered = sorted(texts, key=len) if embedder is not None else []
    for start in range(0, len(ordered), _BATCH):
        batch = ordered[start : start + _BATCH]
        assert embedder is not None
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
