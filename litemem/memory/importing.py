"""An export merged into a home: what is new comes in, what is here stays as it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from litemem.errors import InvalidValue
from litemem.files.lock import FOLDER_LOCK, locked
from litemem.files.read import read_existing
from litemem.files.unpack import Tree, open_tree
from litemem.files.write import replace_file
from litemem.memory.arriving import Days
from litemem.memory.incoming import Arrivals, Incoming
from litemem.memory.sync import sync
from litemem.memory.workspace import Progress, Workspace
from litemem.settings.home import real

_MARK: Final = ".imported"
_SHOWN: Final = 100  # characters of a value of the export's settings


class Kept(NamedTuple):
    """Something that stayed as it is here, though the export has it otherwise."""

    path: str  # below the home
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did, or would do."""

    dry_run: bool
    facts: int  # new ones
    known_facts: int
    new: tuple[str, ...]  # files, by their paths below the home
    grown: tuple[str, ...]
    same: int  # files with nothing new
    kept: tuple[Kept, ...]
    left_out: tuple[str, ...]  # names in the export that are no memory, or another user's
    notes: tuple[str, ...] = ()


def import_from(
    space: Workspace,
    source: Path,
    *,
    user: str | None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Imported:
    """
    Merge an export into the home; nothing that is here is changed or removed.

    All of it is looked at before anything is written. A daily log takes the facts whose ids aren't
    here; a transcript or session that goes on from what is here grows, and one that doesn't comes
    in beside it, called `NAME.imported`, as does another text of a block. A second import changes
    nothing. Clock times of hand-written lines are read in this home's zone.

    Args:
        space: the home.
        source: a folder, .zip or .tar.gz, as `export` makes them, or another home.
        user: who gets it; None: everybody his own. See `Arrivals`.
        dry_run: write nothing.
        progress: called with (files done, all).

    Raises:
        InvalidValue: the export may harm: see `open_tree`; or an id in it can't be one here.
        FormatError, FileTrouble: it can't be read, or the home can't be written.
    """
    target, root = real(source), real(space.home.root)
    if target == root or root in target.parents:
        raise InvalidValue(f"{source} is this home, or a part of it; name an export")
    tree = open_tree(source)
    arrivals = Arrivals.of(space.home, tree.names, user)
    owners = _owners(arrivals, tree)
    sync(space, owners)
    done = _Merge(space, arrivals, dry_run=True).all(tree, None if not dry_run else progress)
    if not dry_run:
        done = _Merge(space, arrivals, dry_run=False).all(tree, progress)
        sync(space, owners)
    return done


def _owners(arrivals: Arrivals, tree: Tree) -> tuple[str, ...]:
    places = (arrivals.place(name) for name in tree.names)
    return tuple(dict.fromkeys(place.owner for place in places if place is not None))


class _Merge:
    """One pass over an export."""

    def __init__(self, space: Workspace, arrivals: Arrivals, *, dry_run: bool) -> None:
        self._space, self._arrivals, self._dry_run = space, arrivals, dry_run
        self._days = Days(space, dry_run=dry_run)
        self._new: list[str] = []
        self._grown: list[str] = []
        self._kept: list[Kept] = []
        self._left_out: list[str] = []
        self._notes: list[str] = []
        self._same = 0

    def all(self, tree: Tree, progress: Progress | None) -> Imported:
        """Merge every file."""
        for n, entry in enumerate(tree.entries(), start=1):
            place = self._arrivals.place(entry.name)
            if place is not None:
                self._take(place, entry.read())
            elif self._arrivals.is_settings(entry.name):
                self._notes += self._differences(entry.read())
            elif not self._arrivals.is_expected(entry.name):
                self._left_out.append(entry.name)
            if progress is not None:
                progress(n, len(tree.names))
        return Imported(
            dry_run=self._dry_run,
            facts=self._days.facts,
            known_facts=self._days.known,
            new=tuple(self._new),
            grown=tuple(self._grown),
            same=self._same,
            kept=tuple(self._kept),
            left_out=tuple(self._left_out),
            notes=tuple(self._notes),
        )

    def _take(self, place: Incoming, data: bytes) -> None:
        match place.form:
            case "day":
                with self._alone(self._space.writing):
                    self._take_day(place, data)
            case "note":
                with self._alone(self._space.writing):
                    self._take_text(place.path, data)
            case "lines" | "state":
                with self._alone(lambda: locked(place.path.parent / FOLDER_LOCK)):
                    self._take_text(place.path, data, is_log=place.form == "lines")

    def _alone(
        self, lock: Callable[[], AbstractContextManager[None]]
    ) -> AbstractContextManager[None]:
        """Return the lock; who writes nothing needs none."""
        return nullcontext() if self._dry_run else lock()

    def _take_day(self, place: Incoming, data: bytes) -> None:
        before = self._days.facts
        known = read_existing(place.path)
        for reason in self._days.take(place.owner, place.path, known, data):
            self._keep(place.path, reason)
        if known is None and self._days.wrote:
            self._new.append(self._shown(place.path))
        elif self._days.facts > before:
            self._grown.append(self._shown(place.path))
        else:
            self._same += 1

    def _take_text(self, path: Path, data: bytes, *, is_log: bool = False) -> None:
        """Put a text at its path, or beside it where another one is there."""
        for n, target in enumerate(_names(path)):
            known = read_existing(target)
            if known is None:
                self._write(target, data, self._new)
            elif known == data or (is_log and known.startswith(data)):
                self._same += 1
            elif is_log and data.startswith(known):
                self._write(target, data, self._grown)
            else:
                if path.suffix == ".json":
                    self._keep(path, "differs; the export's isn't taken")
                    self._same += 1
                    return
                continue
            if n:
                self._keep(path, f"differs; the export's is in {self._shown(target)}")
            return

    def _write(self, path: Path, data: bytes, listed: list[str]) -> None:
        listed.append(self._shown(path))
        if not self._dry_run:
            replace_file(path, data)

    def _keep(self, path: Path, reason: str) -> None:
        self._kept.append(Kept(self._shown(path), reason))

    def _shown(self, path: Path) -> str:
        return self._space.home.relative(path)

    def _differences(self, data: bytes) -> Iterator[str]:
        """Say where the settings of the home that was exported were others."""
        settings = self._space.settings
        with suppress(ValueError, RecursionError):
            theirs = json.loads(data)
            if isinstance(theirs, dict):
                for key, ours in (("time_zone", settings.time_zone), ("model", settings.model)):
                    if theirs.get(key) not in (None, ours):
                        shown = repr(theirs[key])[:_SHOWN]
                        yield f"the export's {key} is {shown}, this home keeps {ours!r}"


def _names(path: Path) -> Iterator[Path]:
    """Yield a path, and then the names beside it for other versions of it."""
    yield path
    yield path.with_name(f"{path.stem}{_MARK}{path.suffix}")
    n = 2
    while True:
        yield path.with_name(f"{path.stem}{_MARK}-{n}{path.suffix}")
        n += 1
