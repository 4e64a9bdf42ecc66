"""A whole home, or one user's part, as a folder or archive of markdown and JSON; no database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from litemem.errors import InvalidValue, ReadOnly
from litemem.files.leftover import is_leftover
from litemem.files.lock import FOLDER_LOCK, locked
from litemem.files.pack import Packer, check_target, packing
from litemem.files.read import has_bad_bytes, read_existing
from litemem.memory.sources import names_in
from litemem.memory.workspace import Workspace
from litemem.settings import Home
from litemem.settings.home import real
from litemem.types import DEFAULT_USER

LOGS: Final = {"transcripts": ".jsonl", "sessions": ".jsonl", "state": ".json"}
SETTINGS: Final = "settings.json"
TOP: Final = frozenset({SETTINGS, "global", "memory", *LOGS, "users"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What an export holds."""

    path: Path
    files: int
    size_bytes: int  # of the files, before they are packed
    left_out: tuple[str, ...] = ()  # names that aren't UTF-8


def export(space: Workspace, dest: Path, *, user: str | None, force: bool = False) -> Exported:
    """
    Write the files of one user, or of all (`user` None), to a folder, .zip or .tar.gz.

    One user's tree stands at the top, as the default user's does in a home. The markdown is of one
    moment, and each log whole, whoever writes meanwhile. What isn't followed and no markdown stays
    behind: the index, locks, backups, hidden folders.

    Raises InvalidValue and FileTrouble; then nothing new stands at `dest`.
    """
    _check(space.home, dest, force=force)
    count = _Count()
    with packing(dest, force=force) as packer:
        with _still(space.writing()):
            for file in _markdown_of(space.home, user):
                count.pack(packer, file)
        for file in _logs_of(space.home, user):
            with _still(locked(file.path.parent / FOLDER_LOCK)):
                count.pack(packer, file)
    return Exported(
        path=dest, files=count.files, size_bytes=count.size, left_out=tuple(count.left_out)
    )


class _File(NamedTuple):
    name: str  # in the export
    path: Path


class _Count:
    """Packs files, and counts them."""

    def __init__(self) -> None:
        self.files, self.size = 0, 0
        self.left_out: list[str] = []

    def pack(self, packer: Packer, file: _File) -> None:
        if has_bad_bytes(file.name):
            self.left_out.append(ascii(file.name))
            return
        data = read_existing(file.path)
        if data is not None:  # else it was removed meanwhile
            packer.add(file.name, data, file.path.stat().st_mtime)
            self.files += 1
            self.size += len(data)


def _check(home: Home, dest: Path, *, force: bool) -> None:
    target, root = real(dest), real(home.root)
    if target == root or root in target.parents or target in root.parents:
        raise InvalidValue(f"can't export to {dest}: the home is there; name another place")
    check_target(dest, force=force)
    strange = sorted(set(names_in(dest)) - TOP) if dest.is_dir() else []
    if strange:
        raise InvalidValue(f"can't replace {dest}: it holds {strange[0]!r}, so it is no export")


@contextmanager
def _still(lock: AbstractContextManager[None]) -> Iterator[None]:
    """Hold a lock while the body runs, but where nobody can write."""
    with ExitStack() as stack:
        with suppress(ReadOnly):
            stack.enter_context(lock)
        yield


def _trees(home: Home, user: str | None) -> Iterator[tuple[str, Path]]:
    """Yield the users' trees, with what their names begin with in the export."""
    for one in home.users() if user is None else (user,):
        is_top = user is not None or one == DEFAULT_USER
        yield "" if is_top else f"users/{one}/", home.user_dir(one)


def _markdown_of(home: Home, user: str | None) -> Iterator[_File]:
    if user is None:
        yield _File(SETTINGS, home.settings)
        yield from _markdown(home.global_dir, "global/", set())
    for start, tree in _trees(home, user):
        yield from _markdown(tree / "memory", f"{start}memory/", set())


def _markdown(folder: Path, start: str, seen: set[Path]) -> Iterator[_File]:
    seen.add(real(folder))
    for name in names_in(folder):
        path = folder / name
        if name.startswith(".") or is_leftover(name):
            continue
        if path.is_dir():
            if real(path) not in seen:  # a link may lead in a circle
                yield from _markdown(path, f"{start}{name}/", seen)
        elif path.suffix.lower() == ".md" and path.is_file():
            yield _File(start + name, path)


def _logs_of(home: Home, user: str | None) -> Iterator[_File]:
    for start, tree in _trees(home, user):
        for kind, ending in LOGS.items():
            for name in names_in(tree / kind):
                path = tree / kind / name
                if os.path.splitext(name)[1] == ending and path.is_file():  # noqa: PTH122  # quick
                    yield _File(f"{start}{kind}/{name}", path)
