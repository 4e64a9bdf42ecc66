"""Take a step of consolidation back, so that the originals are current again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from litemem.errors import UndoRefused, UnknownFact
from litemem.index.docs import StoredDoc
from litemem.index.steps import keyed
from litemem.memory.edit import remove_facts, rewrite_facts
from litemem.memory.rows import fact_of
from litemem.memory.sync import sync
from litemem.memory.watermark import read_watermark, write_watermark
from litemem.memory.workspace import Workspace
from litemem.text.currently import read_currently
from litemem.text.proposal import STEP_KEY, handed_back
from litemem.types import Fact

_TIME = 15  # characters of a step's name that say when it was


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of consolidation that can be undone."""

    name: str
    facts: tuple[Fact, ...]  # what it wrote


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What an undo took out, and what is current again."""

    step: str
    removed: tuple[Fact, ...]
    restored: tuple[str, ...]  # ids


def steps(space: Workspace, user: str) -> tuple[Step, ...]:
    """Return the steps whose lines are in the files, the latest first."""
    return tuple(
        Step(name=name, facts=tuple(fact_of(row.doc) for row in rows))
        for name, rows in reversed(_steps(space, user).items())
    )


def undo(space: Workspace, user: str, step: str | None = None) -> Undone:
    """
    Take out what a step wrote; by default the latest one.

    What it put together isn't proposed again. Changes made to the written facts meanwhile
    (importance, tags, confirmations) go to the main one of their originals.

    Raises:
        UnknownFact: there is no such step.
        UndoRefused: a later fact replaced what it wrote, or an original is gone; nothing was done.
    """
    with space.writing():
        sync(space, (user,))
        known = _steps(space, user)
        name = next(reversed(known), None) if step is None else step
        if name is None or name not in known:
            what = "no consolidation" if name is None else f"no consolidation step {name!r}"
            msg = f"{what} to undo; 'litemem undo --list' shows the steps"
            raise UnknownFact(msg)
        written = known[name]
        originals = [_originals(space, user, row) for row in written]
        _hand_back(space, written, originals)
        by_log: dict[str, list[StoredDoc]] = {}
        for row in written:
            by_log.setdefault(row.path, []).append(row)
        for path, rows in sorted(by_log.items()):
            ids = {row.doc.id for row in rows}
            remove_facts(space, user, path, ids, {row.rowid for row in rows})
        groups = tuple(fact_of(row.doc).parents for row in written)
        mark, _ = read_watermark(space, user)
        write_watermark(space, user, replace(mark, refused=(*mark.refused, *groups)))
        restored = _current(space, user, [id_ for group in groups for id_ in group])
    removed = tuple(fact_of(row.doc) for row in written)
    return Undone(step=name, removed=removed, restored=restored)


def _steps(space: Workspace, user: str) -> dict[str, list[StoredDoc]]:
    """Return the written rows by step, the latest step last."""
    with space.index.reading(vectors=False) as db:
        rows = keyed(db, user, STEP_KEY)
    found: dict[str, list[StoredDoc]] = {}
    # Of two steps in one second the later one stands below.
    for row in sorted(rows, key=lambda row: str(row.doc.metadata[STEP_KEY])[:_TIME]):
        found.setdefault(str(row.doc.metadata[STEP_KEY]), []).append(row)
    return found


def _originals(space: Workspace, user: str, row: StoredDoc) -> dict[str, StoredDoc]:
    """Return what a written fact took the place of. Raises UndoRefused where it can't be undone."""
    fact = fact_of(row.doc)
    chain = [one for one in space.index.chain(user, fact.id) if one.state != "duplicate"]
    later = [one.doc.id for one in chain if fact.id in fact_of(one.doc).parents]
    if later:
        msg = f"{fact.id} was replaced by {later[-1]} since; undo or forget that first"
        raise UndoRefused(msg)
    found = {one.doc.id: one for one in chain if one.doc.id in fact.parents}
    missing = [id_ for id_ in fact.parents if id_ not in found]
    if missing:
        msg = f"{missing[0]} is gone, which {fact.id} took the place of; its text would be lost"
        raise UndoRefused(msg)
    texts = {one.doc.text for one in found.values()}
    if fact.content not in texts and read_currently(fact.content) is None:
        msg = (
            f"the text of {fact.id} was changed by hand since: 'litemem forget --only {fact.id}' "
            "takes it out and gives its originals back, then undo the rest"
        )
        raise UndoRefused(msg)
    return found


def _hand_back(
    space: Workspace,
    written: Sequence[StoredDoc],
    originals: Sequence[Mapping[str, StoredDoc]],
) -> None:
    changed = []
    for row, found in zip(written, originals, strict=True):
        fact = fact_of(row.doc)
        parents = [fact_of(found[id_].doc) for id_ in fact.parents]
        main = handed_back(fact, parents)
        if main != parents[0]:
            changed.append((found[main.id], main))
    rewrite_facts(space, changed)


def _current(space: Workspace, user: str, ids: Sequence[str]) -> tuple[str, ...]:
    rows = (space.index.find(user, id_) for id_ in dict.fromkeys(ids))
    return tuple(row.doc.id for row in rows if row is not None and row.state == "current")
