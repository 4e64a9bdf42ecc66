"""The paths of a home folder, and which folder is the home."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from litemem.errors import InvalidName
from litemem.files.leftover import is_leftover
from litemem.files.names import check_name, find_path, fold
from litemem.files.read import has_bad_bytes
from litemem.files.trouble import translated
from litemem.types import DEFAULT_USER

_FOLDERS: Final = ("memory", "sessions", "transcripts", "state")
"""Of a user."""


def find_home(argument: str | Path | None, environ: Mapping[str, str], cwd: Path) -> Path:
    """
    Return the absolute home folder, which may not exist yet.

    The first of: the argument, LITEMEM_HOME, `.litemem` in `cwd` where that folder exists,
    `.litemem` in the person's own folder. Raises InvalidName: an empty or impossible path.
    """
    found = _chosen(argument, environ, cwd)
    if has_bad_bytes(str(found)):
        msg = f"the home folder {str(found)!r} isn't UTF-8, which SQLite needs; give another path"
        raise InvalidName(msg)
    return found


def _chosen(argument: str | Path | None, environ: Mapping[str, str], cwd: Path) -> Path:
    own = Path(environ.get("HOME") or environ.get("USERPROFILE") or Path.home())
    if argument is not None and not str(argument):
        msg = "the home folder is empty; give a path, or leave it out"
        raise InvalidName(msg)
    chosen = str(argument or environ.get("LITEMEM_HOME") or "")
    if "\0" in chosen:
        msg = f"the home folder {chosen!r} holds a zero character; give another path"
        raise InvalidName(msg)
    if chosen:
        first, *rest = Path(chosen).parts or (".",)
        return own.joinpath(*rest) if first == "~" else cwd / chosen
    here = cwd / ".litemem"
    return here if here.is_dir() else own / ".litemem"


@dataclass(frozen=True, slots=True)
class Home:
    """
    The paths of one home folder.

    The default user's tree is the home itself, another user's is `users/<id>/`. A user id is
    checked: it must be a file name, and no second spelling of an existing user (InvalidName).
    """

    root: Path

    @property
    def settings(self) -> Path:
        """The format version, time zone and model of the home."""
        return self.root / "settings.json"

    @property
    def index(self) -> Path:
        """The one SQLite file."""
        return self.root / "index.db"

    @property
    def lock(self) -> Path:
        """The lock file of those who write to the home; never removed."""
        return self.root / "lock"

    @property
    def note(self) -> Path:
        """What is being appended right now; empty, but for the time of an append."""
        return self.root / "appending"

    @property
    def forgetting(self) -> Path:
        """Which facts are being forgotten right now: ids alone; there until it's done."""
        return self.root / "forgetting.json"

    @property
    def server_token(self) -> Path:
        """The default user's token for the server, as it is."""
        return self.root / "server-token"

    @property
    def server_users(self) -> Path:
        """The hashes of other users' tokens for the server."""
        return self.root / "server-users.json"

    @property
    def global_dir(self) -> Path:
        """The blocks of no user."""
        return self.root / "global"

    def user_dir(self, user: str) -> Path:
        """Return where a user's tree stands."""
        if user == DEFAULT_USER:
            return self.root
        if fold(check_name(user, "user id")) == DEFAULT_USER:
            msg = f"user id {user!r} is another spelling of {DEFAULT_USER!r}; use that"
            raise InvalidName(msg)
        return find_path(self.root / "users", user, "user id")

    def memory_dir(self, user: str) -> Path:
        """Return the folder of a user's markdown."""
        return self.user_dir(user) / "memory"

    def chats_dir(self, user: str) -> Path:
        """Return the folder of a user's blocks of single chats."""
        return self.memory_dir(user) / "chats"

    def transcripts_dir(self, user: str) -> Path:
        """Return the folder of a user's linear conversation logs."""
        return self.user_dir(user) / "transcripts"

    def sessions_dir(self, user: str) -> Path:
        """Return the folder of a user's branchable session logs."""
        return self.user_dir(user) / "sessions"

    def state_dir(self, user: str) -> Path:
        """Return the folder of the last agent states of a user's sessions."""
        return self.user_dir(user) / "state"

    def consolidation(self, user: str) -> Path:
        """Return the file that says how far a user's facts were consolidated."""
        return self.user_dir(user) / "consolidation.json"

    def owns(self, path: Path) -> bool:
        """Return whether the home keeps its own data at a path, of whatever user."""
        own = self.consolidation(DEFAULT_USER)
        files = (self.settings, self.lock, self.note, self.forgetting, own)
        tokens = (self.server_token, self.server_users)
        folders = (*_FOLDERS, self.global_dir.name, "users")
        kept = [*files, *tokens, *(self.root / name for name in folders)]
        target, index = real(path), real(self.index)
        if target.parent == index.parent and fold(target.name).startswith(index.name):
            return True  # the index, its journal and its locks
        folded = [fold(part) for part in target.parts]
        return any(_starts_with(folded, real(one)) for one in kept)

    def relative(self, path: Path) -> str:
        """Return a path below the home with `/`, such as `memory/2026-02-08.md`."""
        return path.relative_to(self.root).as_posix()

    def user_of(self, relative: str) -> str | None:
        """Return whose a path below the home is, or None for everybody's (`global/`)."""
        first, *rest = relative.split("/")
        if first == "users" and rest:
            return rest[0]
        return None if first == "global" else DEFAULT_USER

    def users(self) -> tuple[str, ...]:
        """Return the users who have a tree: the default one first. Raises FileTrouble."""
        return (DEFAULT_USER, *sorted(filter(_is_user, _folders(self.root / "users"))))


def real(path: Path) -> Path:
    """Follow symbolic links, in circles too, of which `Path.resolve` fails with a RuntimeError."""
    return Path(os.path.realpath(path))


def _starts_with(folded: Sequence[str], path: Path) -> bool:
    parts = [fold(part) for part in path.parts]
    return list(folded[: len(parts)]) == parts


def _folders(folder: Path) -> list[str]:
    with translated(folder, "read"):
        try:
            return [path.name for path in folder.iterdir() if path.is_dir()]
        except (FileNotFoundError, NotADirectoryError):
            return []


def _is_user(name: str) -> bool:
    if is_leftover(name) or fold(name) == DEFAULT_USER:
        return False
    try:
        check_name(name, "user id")
    except InvalidName:
        return False
    return True
