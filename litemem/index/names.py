"""The numbers of users' scopes and of threads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import apsw

from litemem.index.connection import fetch
from litemem.index.rows import clean

_FIND_OWNER: Final = "select id from scope where user = :user and chat = ''"
_MAKE_OWNER: Final = """
insert into scope(user, chat, owner)
values(:user, '', (select coalesce(max(id), 0) + 1 from scope)) returning id
"""
_FIND_SCOPE: Final = "select id from scope where user = :user and chat = :chat"
_MAKE_SCOPE: Final = """
insert into scope(user, chat, owner) values(:user, :chat, :owner) returning id
"""
_FIND_THREAD: Final = "select id from thread where name = :name"
_MAKE_THREAD: Final = "insert into thread(name) values(:name) returning id"

_DROP_THREADS: Final = "delete from thread where id not in (select thread from doc)"
_DROP_SCOPES: Final = """
delete from scope where id not in (select scope from doc)
    and (chat != '' or user not in (select user from source))
"""
_DROP_USES: Final = """
delete from usage where not exists (
    select 1 from doc join scope on scope.id = doc.scope
    where doc.id = usage.id and scope.user = usage.user
)
"""


class Names:
    """The numbers of one user's scopes and of threads; each is looked up once."""

    def __init__(self, db: apsw.Connection, user: str) -> None:
        self._db, self._user = db, clean(user)
        self.owner = self._number(_FIND_OWNER, _MAKE_OWNER, {"user": self._user})
        self._scopes = {"": self.owner}
        self._threads: dict[str, int] = {}

    def scope(self, chat: str | None) -> int:
        """Return the number of a chat; that of no chat is the user's own."""
        name = clean(chat or "")
        if name not in self._scopes:
            bindings = {"user": self._user, "chat": name, "owner": self.owner}
            self._scopes[name] = self._number(_FIND_SCOPE, _MAKE_SCOPE, bindings)
        return self._scopes[name]

    def thread(self, name: str) -> int:
        """Return the number of a thread; users don't share one, whatever its name."""
        if name not in self._threads:
            bindings = {"name": clean(f"{self.owner}/{name}")}
            self._threads[name] = self._number(_FIND_THREAD, _MAKE_THREAD, bindings)
        return self._threads[name]

    def _number(self, find: str, make: str, bindings: Mapping[str, Any]) -> int:  # Any: SQLite's
        found = fetch(self._db, find, bindings) or fetch(self._db, make, bindings)
        number: int = found[0][0]
        return number


def drop_unused(db: apsw.Connection) -> None:
    """Remove the names that no row has any more, and the uses of facts that are gone."""
    for sql in (_DROP_THREADS, _DROP_SCOPES, _DROP_USES):
        db.execute(sql)
