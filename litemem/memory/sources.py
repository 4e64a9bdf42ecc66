"""Which files of a home the index follows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from litemem.files.leftover import is_leftover
from litemem.index.following import Reader, SourceFile
from litemem.index.schema import NOBODY
from litemem.settings import Home
from litemem.types import DEFAULT_USER

BLOCK_FILES = {
    "persona": "persona.md",
    "user": "user.md",
    "facts": "MEMORY.md",
    "context": "context.md",
}
_LABELS = {name: label for label, name in BLOCK_FILES.items()}
_LOG_NAME = re.compile(r"\d{4}-\d\d-\d\d\.md")


def log_day(name: str) -> date | None:
    """Return the day of a daily log's file name, None for any other name or an impossible day."""
    if not _LOG_NAME.fullmatch(name):
        return None
    try:
        return date.fromisoformat(name[:10])
    except ValueError:
        return None


def log_file(home: Home, user: str, day: date) -> SourceFile:
    """Return the daily log of one user and day, whether it exists or not."""
    path = home.memory_dir(user) / f"{day.isoformat()}.md"
    return SourceFile(path=path, key=home.relative(path), user=user, day=day)


def block_file(home: Home, label: str, user: str | None, chat_id: str | None) -> SourceFile:
    """Return the file of a block in exactly one scope; `user` None is everybody's."""
    folder = home.global_dir if user is None else home.memory_dir(user)
    if chat_id is not None:
        folder = folder / "chats" / chat_id
    path = folder / BLOCK_FILES[label]
    owner = NOBODY if user is None else user
    return SourceFile(path=path, key=home.relative(path), user=owner, label=label, chat_id=chat_id)


def source_files(home: Home, user: str, readers: Sequence[Reader] = ()) -> Iterator[SourceFile]:
    """Find the files that one user's rows come from; NOBODY for `global/`, which has no others."""
    yield from _markdown(home, user)
    for reader in readers if user != NOBODY else ():
        yield from reader.files(home, user)


def _markdown(home: Home, user: str) -> Iterator[SourceFile]:
    owner = None if user == NOBODY else user
    root = home.global_dir if owner is None else home.memory_dir(owner)
    key = home.relative(root)
    for name in names_in(root):
        day = log_day(name) if owner is not None else None
        if day is not None:
            yield SourceFile(path=root / name, key=f"{key}/{name}", user=user, day=day)
        elif name in _LABELS:
            yield block_file(home, _LABELS[name], owner, None)
    for chat in names_in(root / "chats"):
        for name in names_in(root / "chats" / chat):
            if name in _LABELS:
                yield block_file(home, _LABELS[name], owner, chat)


def ignored_files(home: Home, user: str) -> list[str]:
    """Name the markdown files of a user's memory folder that the index doesn't follow."""
    root = home.global_dir if user == NOBODY else home.memory_dir(user)
    followed = {file.path for file in source_files(home, user)}
    found = (path for path in root.rglob("*") if path.suffix.lower() == ".md")
    return sorted(home.relative(path) for path in found if path not in followed)


def strange_users(home: Home) -> list[str]:
    """Name what stands in `users/` and is no user's folder."""
    users = home.users()
    names = (name for name in names_in(home.root / "users") if not is_leftover(name))
    return [f"users/{name}" for name in names if name not in users or name == DEFAULT_USER]


def names_in(folder: Path) -> list[str]:
    """Return the names in a folder, sorted; none where it's missing."""
    try:
        return sorted(p.name for p in folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
