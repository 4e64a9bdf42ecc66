"""The bearer tokens of a home: who may ask, and whose memory."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from pathlib import Path
from typing import Final

from litemem.errors import FormatError
from litemem.files.lock import locked
from litemem.files.read import read_existing
from litemem.files.state import FileState, state_of
from litemem.files.write import make_folder, replace_file
from litemem.settings import Home
from litemem.types import DEFAULT_USER

_LEAST_CHARS: Final = 32


class Tokens:
    """
    The tokens of one home, read again when their files change.

    A token has 256 random bits, so its plain sha256 tells nothing of it.
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        self._seen: tuple[FileState | None, ...] = ()
        self._hashes: dict[str, bytes] = {}
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

        Raises FormatError for a damaged one.
        """
        seen = tuple(state_of(path) for path in (self._home.server_token, self._home.server_users))
        if seen == self._seen:
            return set()
        others = _others(self._home.server_users)
        hashes = {user: bytes.fromhex(known) for user, known in others.items()}
        own = read_token(self._home)
        if own is not None:
            hashes[DEFAULT_USER] = _hash(own)
        ended = {user for user, known in self._hashes.items() if hashes.get(user) != known}
        self._hashes, self._seen = hashes, seen
        return ended

    def __len__(self) -> int:
        return len(self._hashes)


def read_token(home: Home) -> str | None:
    """Return the default user's token; None where none was made. Raises FormatError."""
    path = home.server_token
    data = read_existing(path)
    if data is None:
        return None
    token = data.decode("ascii", "replace").strip()
    if len(token) < _LEAST_CHARS:
        raise FormatError(path, 1, "no token: remove the file, and the next start makes another")
    return token


def own_token(home: Home) -> str:
    """Return the default user's token, made at the first time; only the owner may read its file."""
    make_folder(home.root)
    path = home.server_token
    with locked(home.lock):
        token = read_token(home)
        if token is None:
            token = secrets.token_urlsafe(32)
            replace_file(path, token.encode() + b"\n")
        _keep_private(path)
    return token


def add_user(home: Home, user: str) -> str:
    """
    Return a new token for a user, whose former one ends; the default user's stays what it is.

    It is kept as a hash: this is the one time that it can be seen. Raises InvalidName.
    """
    if user == DEFAULT_USER:
        return own_token(home)
    home.user_dir(user)
    make_folder(home.root)
    token, path = secrets.token_urlsafe(32), home.server_users
    with locked(home.lock):
        hashes = _others(path) | {user: _hash(token).hex()}
        replace_file(path, json.dumps(hashes, indent=2).encode() + b"\n")
        _keep_private(path)
    return token


def _others(path: Path) -> dict[str, str]:
    data = read_existing(path)
    if data is None:
        return {}
    try:
        value = json.loads(data)
        if isinstance(value, dict) and all(len(bytes.fromhex(one)) == 32 for one in value.values()):
            return value
    except (ValueError, TypeError, RecursionError) as error:
        raise FormatError(path, 1, f"not the hashes of users' tokens: {error}") from error
    raise FormatError(path, 1, "not the hashes of users' tokens; remove it and add the users again")


def _keep_private(path: Path) -> None:
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        path.chmod(0o600)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="replace")).digest()
