"""Follow edits of a home's files: each is indexed within two seconds."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from litemem.errors import LitememError
from litemem.files.leftover import is_leftover
from litemem.files.lock import FOLDER_LOCK
from litemem.files.notices import TICK_S, notices
from litemem.index.docs import Source
from litemem.index.schema import NOBODY
from litemem.memory.memory import Memory
from litemem.memory.sync import sync
from litemem.memory.workspace import Workspace
from litemem.settings import Home
from litemem.types import Problem

logger = logging.getLogger(__name__)

_LOOK_S: Final = 1.0  # between two looks at everything: notices get lost, or are never given
_SHARE: Final = 50  # looks may take a fiftieth of the time at most, however many files there are


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A file whose rows were brought up to date."""

    kind: Literal["added", "changed", "removed"]
    path: str  # below the home folder, with /
    problems: tuple[Problem, ...] = ()  # lines of it that couldn't be read as meant


Tell: TypeAlias = Callable[[tuple[FileChange, ...]], None]


def watch(
    memory: Memory,
    stop: threading.Event,
    tell: Tell = lambda _: None,
    *,
    everyone: bool = True,
    poll: bool = False,
) -> None:
    """
    Index what is edited, added and removed in the files, until `stop` is set.

    What this or another process of ours writes is indexed by it already, and nothing happens.
    Vectors follow on a thread of their own. A failure is logged, and tried again.

    Args:
        memory: of the home; its user alone unless `everyone`.
        stop: ends it within about a tenth of a second.
        tell: is given what a look found; called on this thread.
        everyone: all users of the home, and those that come.
        poll: look again and again instead of waiting for the system's notices.
    """
    looker = _Looker(memory, tell)
    home, one = memory.space.home, None if everyone else memory.user_id
    looker.look(_users(memory.space, one))
    for paths in notices(home.root, stop, lambda path: _counts(home, path), poll=poll):
        if looker.due:
            looker.look(_users(memory.space, one))
        elif owners := _owners(home, paths):
            looker.look(owners & {*home.users(), NOBODY} if one is None else owners & {one, NOBODY})


class _Looker:
    """Looks at files again, but for no more than its share of the time."""

    def __init__(self, memory: Memory, tell: Tell) -> None:
        self._memory, self._tell = memory, tell
        self._next = time.monotonic()
        self._trouble = dict[str, str]()  # user -> what was said last

    @property
    def due(self) -> bool:
        """Whether it is time to look at everything."""
        return time.monotonic() >= self._next

    def look(self, users: Iterable[str]) -> None:
        """Bring users' rows up to date, whatever becomes of the others'."""
        begun = time.monotonic()
        found = [change for user in sorted(users) for change in self._of(user)]
        if found:
            self._tell(tuple(found))
        now = time.monotonic()
        self._next = now + max(_LOOK_S - TICK_S / 2, _SHARE * (now - begun))

    def _of(self, user: str) -> tuple[FileChange, ...]:
        said, self._trouble[user] = self._trouble.get(user, ""), ""
        try:
            found = bring_up_to_date(self._memory.space, user)
            if found:
                self._memory.embed_soon()
        except (LitememError, OSError) as error:
            self._trouble[user] = str(error)
            if str(error) != said:
                logger.warning("%s", error)
            return ()
        return found


def bring_up_to_date(space: Workspace, user: str) -> tuple[FileChange, ...]:
    """Sync one user's files and everybody's, or with NOBODY these alone; say what was read."""
    owners = {user, NOBODY}
    known = _sources(space, owners)
    report = sync(space, owners - {NOBODY})
    if not report.changed and not report.removed:
        return ()
    return tuple(_changes(known, _sources(space, owners)))


def _sources(space: Workspace, users: Iterable[str]) -> dict[str, Source]:
    return {path: one for user in users for path, one in space.index.sources(user).items()}


def _changes(old: Mapping[str, Source], new: Mapping[str, Source]) -> Iterable[FileChange]:
    for path in sorted({*old, *new}):
        if path not in new:
            yield FileChange(kind="removed", path=path)
        elif path not in old:
            yield FileChange(kind="added", path=path, problems=new[path].problems)
        elif old[path].digests != new[path].digests:
            yield FileChange(kind="changed", path=path, problems=new[path].problems)


def _users(space: Workspace, one: str | None) -> set[str]:
    """Return whose files to look at: also of users whose folder was removed."""
    if one is not None:
        return {one}
    known = {source.user for source in space.index.sources().values()}
    return {*space.home.users(), *known} - {NOBODY}


def _counts(home: Home, path: Path) -> bool:
    """Say whether a change at a path may be an edit; ours at the home's root never are."""
    if path.parent == home.root:
        return path.suffix == "" and path not in {home.lock, home.note}  # a whole folder
    return path.name != FOLDER_LOCK and not is_leftover(path.name)


def _owners(home: Home, paths: Iterable[Path]) -> set[str]:
    """Return whose files these are; NOBODY's are everybody's."""
    inside = (home.relative(path) for path in paths if path.is_relative_to(home.root))
    return {NOBODY if (user := home.user_of(path)) is None else user for path in inside}
