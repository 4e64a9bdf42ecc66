"""Which file of an export belongs where in a home."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from litemem.errors import InvalidName
from litemem.files.names import check_name, fold
from litemem.index.schema import NOBODY
from litemem.memory.export import LOGS, SETTINGS, TOP
from litemem.memory.sources import log_day, names_in
from litemem.settings import Home
from litemem.types import DEFAULT_USER

Form: TypeAlias = Literal["day", "note", "lines", "state"]

_OWN: Final = ("index.db", "lock", "appending", "forgetting.json")
_MAC: Final = "__MACOSX/"  # what macOS adds to archives


class Incoming(NamedTuple):
    """A file of an export, and its place in the home."""

    form: Form
    owner: str  # NOBODY for what belongs to no user
    path: Path


@dataclass(slots=True, kw_only=True)
class Arrivals:
    """
    Finds the places of an export's files.

    Args:
        home: where they go.
        names: of all files of the export.
        user: who gets what; None: everybody gets his own. One user gets an export that holds one
            user's tree alone, else the part that has his name.
    """

    home: Home
    user: str | None
    top: str = ""  # a folder that all files are in, as when a folder was packed
    is_whole: bool = False  # a whole home's export, as far as one can tell
    _spelled: dict[Path, dict[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, home: Home, names: Iterable[str], user: str | None) -> Arrivals:
        """Look at all names."""
        known = [name for name in names if not name.startswith(_MAC)]
        firsts = {name.partition("/")[0] for name in known if "/" in name}
        top = f"{firsts.pop()}/" if len(firsts) == 1 and not firsts & TOP else ""
        whole = (f"{top}users/", f"{top}global/")
        is_whole = any(name.startswith(whole) for name in known)
        return cls(home=home, user=user, top=top, is_whole=is_whole)

    def is_settings(self, name: str) -> bool:
        """Say whether a file is the settings of the home that was exported."""
        return name == self.top + SETTINGS

    def is_expected(self, name: str) -> bool:
        """Say whether a file that has no place isn't worth a word: hidden, or a home's own."""
        below = name.removeprefix(self.top)
        hidden = any(part.startswith(".") for part in below.split("/"))
        return hidden or name.startswith(_MAC) or below.startswith(_OWN)

    def place(self, name: str) -> Incoming | None:
        """
        Return where a file goes; None for what is no memory or another user's.

        Raises InvalidName: an id can't be one, or is there in another spelling.
        """
        parts = name.removeprefix(self.top).split("/")
        if not name.startswith(self.top) or any(part.startswith(".") for part in parts):
            return None
        whose, rest = DEFAULT_USER, parts
        if parts[0] == "users" and len(parts) > 2:
            whose, rest = parts[1], parts[2:]
        elif parts[0] == "global":
            whose, rest = NOBODY, ["memory", *parts[1:]]
        form = _form(rest)
        owner = self._owner(whose)
        if form is None or owner is None or (whose == NOBODY and form == "day"):
            return None
        return Incoming(form, owner, self._path(owner, rest))

    def _owner(self, whose: str) -> str | None:
        if self.user is None:
            return whose
        if not self.is_whole:
            return self.user
        return whose if whose == self.user else None

    def _path(self, owner: str, parts: list[str]) -> Path:
        if owner == NOBODY:
            path, parts = self.home.global_dir, parts[1:]
        else:
            path = self.home.user_dir(owner)
        for part in parts:
            names = self._spelled.get(path)
            if names is None:
                names = self._spelled[path] = {fold(name): name for name in names_in(path)}
            there = names.get(fold(part), part)
            if there != part:
                raise InvalidName(f"{path / part} exists in another spelling: {there!r}")
            path /= part
        return path


def _form(parts: list[str]) -> Form | None:
    """Return what a file of a user's tree is; None for what is no memory. Raises InvalidName."""
    kind, name = parts[0], parts[-1]
    if kind == "memory" and len(parts) > 1 and name.lower().endswith(".md"):
        if parts[1] == "chats" and len(parts) > 3:
            check_name(parts[2], "chat id")
        return "day" if len(parts) == 2 and log_day(name) else "note"
    ending = LOGS.get(kind)
    if ending is None or len(parts) != 2 or not name.endswith(ending):
        return None
    check_name(name.removesuffix(ending), "session id")
    return "state" if kind == "state" else "lines"
