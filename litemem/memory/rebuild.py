"""Build the index anew from the files, beside the old one, and swap it in whole."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from litemem.errors import FileTrouble, IndexDamaged, IndexTrouble
from litemem.files.lock import locked
from litemem.index.read import Counts
from litemem.index.rebuild import abandoned, side_index, swap
from litemem.index.schema import NOBODY, Fingerprint
from litemem.index.store import Index
from litemem.memory.sync import SyncReport, bring, steps, take
from litemem.memory.vectors import fill
from litemem.memory.workspace import Followed, Progress, Workspace
from litemem.settings import Settings, write_settings
from litemem.types import Embedder

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildReport:
    """What a rebuild read and embedded."""

    files: int
    facts: int
    embedded: int  # texts given to the model
    reused: int  # vectors taken over from the old index


def rebuild_keywords(
    followed: Followed, made_with: Fingerprint | None, *, anyway: bool = False
) -> Index:
    """
    Replace an index that can't be used by one without vectors, in about a second.

    Facts are found by keyword at once; transcripts and sessions come after the swap, and the
    vectors follow. One that somebody else has built meanwhile is taken, but not `anyway`.
    """
    home = followed.home
    owners = (*home.users(), NOBODY)
    with locked(home.lock):
        known = None if anyway else _opened(home.index, made_with)
        if known is not None:
            return known
        with side_index(home.index, made_with) as side:
            for user in owners:
                take(followed, side, user, steps(followed, side, user)[0])
            swap(home.index, side)
    index = Index.open(home.index, made_with)
    for user in owners:
        for step in steps(followed, index, user):
            with locked(home.lock):
                take(followed, index, user, step)
    return index


def rebuild(
    space: Workspace,
    embedder: Embedder | None,
    made_with: Fingerprint | None,
    settings: Settings,
    progress: Progress | None = None,
) -> RebuildReport:
    """
    Read every file and embed every text, then swap; until then the old index answers.

    What a rebuild that was killed has embedded is taken over where it's ten minutes old at most.
    Raises EmbedError, and the old index stays. Writes that other processes make meanwhile are
    read again, under the write lock, before the swap.
    """
    home, followed = space.home, space.followed
    with side_index(home.index, made_with) as side:
        report = _bring_all(followed, side)
        reused = side.copy_vectors(space.index)
        reused += sum(_taken_over(side, path) for path in abandoned(home.index))
        embedded = fill(side, embedder, progress=progress) if embedder else 0
        with space.writing():
            _bring_all(followed, side)
            embedded += fill(side, embedder) if embedder else 0
            if settings != space.settings:
                write_settings(home, settings)
            facts = side.counts().get("fact", Counts()).current
            swap(home.index, side)
    return RebuildReport(files=report.files, facts=facts, embedded=embedded, reused=reused)


def _opened(path: Path, made_with: Fingerprint | None) -> Index | None:
    try:
        return Index.open(path, made_with)
    except IndexDamaged:
        return None


def _taken_over(side: Index, path: Path) -> int:
    """Take the vectors of a rebuild that was killed, and count them."""
    try:
        with Index.open(path, side.fingerprint, create=False) as old:
            return side.copy_vectors(old)
    except (IndexTrouble, FileTrouble) as error:
        logger.info("nothing is taken over from %s: %s", path, error)
        return 0


def _bring_all(followed: Followed, index: Index) -> SyncReport:
    report = SyncReport()
    for user in (*followed.home.users(), NOBODY):
        report += bring(followed, index, user)
    return report
