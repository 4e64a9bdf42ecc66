"""The bearer tokens of a home: who may ask, and whose memory."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
import stat
from pathlib import Path
from typing import Final

from litemem.errors import FileTrouble, FormatError, LitememError
from litemem.files.lock import locked
from litemem.files.read import read_existing
from litemem.files.state import FileState, state_of
from litemem.files.write import make_folder, replace_file
from litemem.settings import Home
from litemem.types import DEFAULT_USER

_LEAST_CHARS: Final = 32
_LEAST_DIFFERENT: Final = 8  # characters; 32 random hexadecimal digits have 14, hardly ever under 9
_NEW: Final = "'litemem serve --add-user default' makes a new one"


class Tokens:
    """
    The tokens of one home, read again when their files change.

    A token has 256 random bits, so its plain sha256 tells nothing of it.
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        self._seen: tuple[FileState | None, ...] = ()
        self._hashes: dict[str, bytes] = {}
        self._former: dict[str, bytes] = {}  # the last that could be read
        self.reload()

    def user_of(self, token: str) -> str | None:
        """Return whose token it is, None for nobody's; it takes as long for every token."""
        asked, found = _hash(token), None
        for user, known in self._hashes.items():
            if hmac.compare_digest(known, asked):
                found = user
        return found

    def reload(self) -> set[str]:
        """
        Read the files again where they changed, and return the users whose token has ended.

        Raises FormatError for a damaged one, and FileTrouble for a link; no token is good then.
        """
        seen = tuple(state_of(path) for path in (self._home.server_token, self._home.server_users))
        if seen == self._seen:
            return set()
        try:
            hashes = self._read()
        except LitememError:
            self._hashes, self._seen = {}, ()
            raise
        ended = {user for user, known in self._former.items() if hashes.get(user) != known}
        self._former = self._hashes = hashes
        self._seen = seen
        return ended

    def _read(self) -> dict[str, bytes]:
        others = _others(self._home.server_users)
        hashes = {user: bytes.fromhex(known) for user, known in others.items()}
        own = read_token(self._home)
        return hashes if own is None else hashes | {DEFAULT_USER: _hash(own)}

    def __len__(self) -> int:
        return len(self._hashes)


def read_token(home: Home) -> str | None:
    """Return the default user's token; None where none was made. Raises FormatError."""
    path = home.server_token
    data = _read(path)
    if data is None:
        return None
    token = data.decode("ascii", "replace").strip()
    if trouble := _weakness(token):
        raise FormatError(path, 1, f"the token {trouble}; {_NEW}")
    return token


def own_token(home: Home) -> str:
    """Return the default user's token, made at the first time; only the owner may read its file."""
    make_folder(home.root)
    with locked(home.lock):
        token = read_token(home)
        if token is None:
            return _new_own_token(home)
        _keep_private(home.server_token)
    return token


def add_user(home: Home, user: str) -> str:
    """
    Return a new token for a user, whose former one ends.

    It is kept as a hash, but for the default user's: this is the one time that it can be seen.
    Raises InvalidName, and FileTrouble where the tokens' file is a link.
    """
    home.user_dir(user)
    make_folder(home.root)
    path = home.server_users
    with locked(home.lock):
        if user == DEFAULT_USER:
            return _new_own_token(home)
        token = secrets.token_urlsafe(32)
        hashes = _others(path) | {user: _hash(token).hex()}
        _write(path, json.dumps(hashes, indent=2).encode() + b"\n")
    return token


def _new_own_token(home: Home) -> str:
    token = secrets.token_urlsafe(32)
    _write(home.server_token, token.encode() + b"\n")
    return token


def _weakness(token: str) -> str | None:
    """Say what makes a token easy to guess, or impossible to send; None for a good one."""
    if not re.fullmatch("[!-~]*", token):
        return "holds what no header can: spaces, or other than ASCII"
    if len(token) < _LEAST_CHARS:
        return f"has less than {_LEAST_CHARS} characters"
    if len(set(token)) < _LEAST_DIFFERENT:
        return "repeats itself, so that it's easily guessed"
    return None


def _others(path: Path) -> dict[str, str]:
    data = _read(path)
    if data is None:
        return {}
    try:
        value = json.loads(data)
        if isinstance(value, dict) and all(len(bytes.fromhex(one)) == 32 for one in value.values()):
            return value
    except (ValueError, TypeError, RecursionError) as error:
        raise FormatError(path, 1, f"not the hashes of users' tokens: {error}") from error
    raise FormatError(path, 1, "not the hashes of users' tokens; remove it and add the users again")


def _read(path: Path) -> bytes | None:
    _check_no_link(path)
    return read_existing(path)


def _write(path: Path, data: bytes) -> None:
    _check_no_link(path)
    if path.exists():
        _keep_private(path)  # first: the new file takes over who may read the old one
    replace_file(path, data)


def _check_no_link(path: Path) -> None:
    """Refuse a link: it would make a file elsewhere the key to this memory, and be chmodded."""
    if path.is_symlink():
        raise FileTrouble(f"{path} is a symbolic link, which isn't followed; remove it")


def _keep_private(path: Path) -> None:
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        path.chmod(0o600)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="replace")).digest()
