"""Where the server of a home answers, so that `litemem ui` needn't start another."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Final
from urllib.parse import urlsplit

from litemem.errors import LockTimeout
from litemem.files.lock import locked
from litemem.files.read import read_existing
from litemem.files.write import remove_file, replace_file
from litemem.server.tokens import read_token
from litemem.settings import Home

LOCK: Final = "server-lock"  # held while it answers; the system frees it whatever happens
ADDRESS: Final = "server-address"
_PATIENCE_S: Final = 0.2  # somebody may be looking
_ANSWER_S: Final = 10.0


@contextmanager
def announced(home: Home, url: str) -> Iterator[None]:
    """Let this person's commands find the server; where two serve one home, the first is found."""
    with ExitStack() as stack:
        with suppress(LockTimeout):
            stack.enter_context(locked(home.root / LOCK, timeout_s=_PATIENCE_S))
            remove_file(home.root / ADDRESS)  # of a server that was killed: its port is anybody's
            replace_file(home.root / ADDRESS, url.encode())
            stack.callback(remove_file, home.root / ADDRESS)
        yield


def find_server(home: Home) -> str | None:
    """Return the address of the server that runs for a home now, None for none."""
    if not (home.root / LOCK).exists():
        return None
    try:
        with locked(home.root / LOCK, timeout_s=0):
            return None
    except LockTimeout:
        data = read_existing(home.root / ADDRESS)
        return None if data is None else data.decode()


def new_page(home: Home) -> str | None:
    """
    Return an address that opens the default user's page once, of the server that runs already.

    None where none runs, or it doesn't answer. The token goes to nobody else: the lock proves that
    the server lives, and so nobody else can have its port.
    """
    url, token = find_server(home), read_token(home)
    if url is None or token is None:
        return None
    where = urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=_ANSWER_S)
    try:
        connection.request("POST", "/login", headers={"authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        path = json.loads(answer.read())["path"] if answer.status == 200 else None
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError):
        return None
    finally:
        connection.close()
    return None if path is None else url + str(path)
