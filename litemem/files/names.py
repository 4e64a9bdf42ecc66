"""Ids from outside into file names: checked, never changed, and one spelling each."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path
from typing import Final

from litemem.errors import InvalidName
from litemem.files.trouble import translated

_MAX_BYTES: Final = 200
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_FORBIDDEN: Final = re.compile(r'[/\\<>:"|?*]')
# Windows opens a device for these, with any extension: "con.jsonl" is the console.
_RESERVED: Final = frozenset(
    {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}
    | {f"{port}{n}" for port in ("COM", "LPT") for n in "123456789¹²³"}
)


def check_name(name: str, what: str) -> str:
    """
    Return an id unchanged when every system can use it as a file name.

    Args:
        name: the id, such as a session id.
        what: what kind of id it is, for the message, such as "session id".

    Raises:
        InvalidName: says what is wrong with it.
    """
    if not isinstance(name, str):
        raise InvalidName(f"{what} is text, not {type(name).__name__}")
    trouble = _trouble(name)
    if trouble is not None:
        shown = name if len(name) <= 60 else name[:57] + "..."
        msg = f"{what} {ascii(shown) if _SURROGATE.search(shown) else repr(shown)} {trouble}"
        raise InvalidName(msg)
    return name


def fold(name: str) -> str:
    """Return the form in which two spellings of one name are equal (Unicode caseless matching)."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def find_path(folder: Path, name: str, what: str, *, suffix: str = "") -> Path:
    """
    Return the path of a checked id in a folder, whether it exists or not.

    Raises:
        InvalidName: the id is no file name, or another spelling of it (case, accents' form)
            exists in the folder: some systems would take both for one.
        FileTrouble: the folder can't be read.
    """
    path = folder / (check_name(name, what) + suffix)
    if os.path.lexists(path) and not _has_twin(folder, name, suffix):
        return path
    wanted = fold(path.name)
    names = _names(folder)
    others = () if path.name in names else (other for other in names if fold(other) == wanted)
    for other in others:
        there = other.removesuffix(suffix)
        # Where only the accents' form differs, the two look alike in print.
        shown = repr(there) if there.casefold() == name.casefold() else ascii(there)
        msg = f"{what} {name!r} exists in another spelling: use {shown}"
        raise InvalidName(msg)
    return path


def _trouble(name: str) -> str | None:
    if not name:
        return "is empty; give at least one character"
    if _SURROGATE.search(name):
        return "holds half a character; remove it"
    if len(name.encode()) > _MAX_BYTES:
        return f"is longer than {_MAX_BYTES} bytes of UTF-8; shorten it"
    if found := _CONTROL.search(name):
        return f"holds the control character U+{ord(found[0]):04X}; remove it"
    if found := _FORBIDDEN.search(name):
        return f"holds {found[0]!r}, which file names can't on every system; leave it out"
    return _trouble_of_place(name)


def _trouble_of_place(name: str) -> str | None:
    if name in (".", ".."):
        return "means a folder; choose another"
    if name[-1] in ". ":
        return "ends with a dot or a space, which Windows drops; remove it"
    if name.partition(".")[0].rstrip(" ").upper() in _RESERVED:
        return "is the name of a device on Windows; choose another"
    return None


def _has_twin(folder: Path, name: str, suffix: str) -> bool:
    """Say whether another spelling exists too: always so where the disk ignores case or form."""
    forms = {
        name.swapcase(),
        unicodedata.normalize("NFC", name),
        unicodedata.normalize("NFD", name),
    }
    return any(os.path.lexists(folder / (form + suffix)) for form in forms - {name})


def _names(folder: Path) -> list[str]:
    with translated(folder, "read"):
        try:
            with os.scandir(folder) as found:
                return [entry.name for entry in found]
        except FileNotFoundError:
            return []
