"""Facts that are found again by a namespace and a key, each with a JSON object as its value."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

from litemem.aio.home import Core
from litemem.errors import InvalidFact, InvalidValue
from litemem.files.state import FileState
from litemem.index.docs import StoredDoc
from litemem.memory.forget import forget
from litemem.memory.new import NewFact, check_metadata
from litemem.memory.remember import remember
from litemem.memory.rows import fact_of
from litemem.memory.search import Results
from litemem.types import Fact, JsonObject

Namespace: TypeAlias = tuple[str, ...]
Matches: TypeAlias = Callable[["Entry"], bool]

_MARK: Final = "langgraph"  # the metadata's key, and how the chats begin
_CATEGORY: Final = "item"
_MOST_CHARS: Final = 100  # of a chat's id
_BATCH: Final = 64  # facts embedded and written under one lock: about a second of the default model
_FIRST_PAGE: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A value in its place."""

    namespace: Namespace
    key: str
    value: dict[str, Any]  # Any: a caller's JSON; copy it before it's handed out
    is_searchable: bool
    created_at: datetime
    updated_at: datetime
    fact: Fact


class Put(NamedTuple):
    """A value to keep, with the text that it is found by; None to remove it."""

    namespace: Namespace
    key: str
    value: str | None = None  # JSON of an object, by `json_of`
    text: str | None = None  # None: it isn't found by its text


class KeyedFacts:
    """
    The entries of one user, in a chat for each namespace; for the threads of an open home.

    An entry is a fact: its text is what it's found by, its metadata has namespace, key and value.
    A new value is a new line that replaces the old one; a removed entry is forgotten.
    """

    def __init__(self, core: Core, user: str) -> None:
        self._memory, self._space = core.of(user), core.space
        self._user = user
        self._known: tuple[list[tuple[str, FileState]], list[Entry]] | None = None

    def get(self, namespace: Namespace, key: str) -> Entry | None:
        """Return an entry, None where there is none."""
        stored = self._current(fact_id(namespace, key))
        return None if stored is None else _entry(fact_of(stored.doc))

    def all(self) -> list[Entry]:
        """Return all entries, those that were put last first; kept until a file changes."""
        sources = self._space.index.sources(self._user)
        files = [(path, source.state) for path, source in sources.items()]
        known = self._known
        if known is None or known[0] != files:
            rows = self._space.index.facts(self._user, category=_CATEGORY)
            entries = [entry for row in rows if (entry := _entry(fact_of(row.doc))) is not None]
            entries.sort(key=lambda entry: entry.updated_at, reverse=True)
            self._known = known = files, entries
        return known[1]

    def search(self, query: str, wanted: int, matches: Matches) -> list[tuple[Entry, float]]:
        """Return the best matches with their scores, best first, `wanted` if there are so many."""
        fit = {entry.fact.id: entry for entry in self.all() if entry.is_searchable}
        fit = {id_: entry for id_, entry in fit.items() if matches(entry)}
        # Of one namespace its chat alone is searched: among 10,000 items 20 ms, not 1,400.
        chats = {entry.fact.chat_id for entry in fit.values()}
        chat = chats.pop() if len(chats) == 1 else None
        found: list[tuple[Entry, float]] = []
        size, seen = _FIRST_PAGE, 0
        while len(found) < min(wanted, len(fit)):
            hits = self._hits(query, chat, size, seen)
            found += [(fit[hit.id], hit.score) for hit in hits if hit.id in fit]
            if len(hits) < size:
                break
            seen += size
            size *= 4
        return found[:wanted]

    def recalled(self, entries: Sequence[Entry]) -> None:
        """Count that entries were found by a question."""
        ids = [entry.fact.id for entry in entries]
        if ids:
            self._space.index.record_use(self._user, ids, self._space.clock())

    def put(self, puts: Sequence[Put]) -> None:
        """Keep or remove values, in order; all is on disk when this returns."""
        for start in range(0, len(puts), _BATCH):
            with self._space.writing():
                self._write(puts[start : start + _BATCH])

    def _write(self, puts: Sequence[Put]) -> None:
        news: list[NewFact] = []
        gone: list[str] = []
        for put in puts:
            id_ = fact_id(put.namespace, put.key)
            stored = self._current(id_)
            old = None if stored is None else fact_of(stored.doc)
            if put.value is not None:
                news.append(self._new(put, put.value, id_, old))
            elif old is not None:
                gone.append(id_)
        if news:
            remember(self._space, self._user, news, similar=False)
        if gone:
            forget(self._space, self._user, gone, only=False, transcripts=False)

    def _new(self, put: Put, value: str, id: str, old: Fact | None) -> NewFact:
        place = f"{'/'.join(put.namespace)}/{put.key}"
        text = _storable((put.text or "").strip() or place)
        metadata = _metadata(put, value, old)
        if old is None:
            chat = _chat(put.namespace)
            return NewFact(content=text, category=_CATEGORY, chat_id=chat, metadata=metadata, id=id)
        return NewFact(content=text, category=_CATEGORY, metadata=metadata, replaces=old.id)

    def _current(self, id: str) -> StoredDoc | None:
        chain = self._space.index.chain(self._user, id)
        return next((one for one in reversed(chain) if one.state == "current"), None)

    def _hits(self, query: str, chat: str | None, limit: int, offset: int) -> Results:
        return self._memory.search(
            query,
            limit,
            offset=offset,
            chat_id=chat,
            chat_only=chat is not None,
            floor=0.0,  # all are ranked, as by a plain nearest-neighbour search
            wait=False,
        )


def fact_id(namespace: Namespace, key: str) -> str:
    """Return the id of an entry's first fact, by which its chain is found."""
    place = json.dumps([namespace, key]).encode()
    return "k" + hashlib.sha256(place).hexdigest()[:24]


def _chat(namespace: Namespace) -> str:
    name = "/".join((_MARK, *namespace))
    return name if len(name) <= _MOST_CHARS else f"{_MARK}/{fact_id(namespace, '')}"


def _entry(fact: Fact) -> Entry | None:
    """Return the entry that a fact is; None where it's another one of the chat, or was edited."""
    kept: Any = fact.metadata.get(_MARK)  # Any: JSON that a person may have edited
    try:
        raw = json.loads(kept["json"]) if "json" in kept else kept["value"]
        created = datetime.fromisoformat(kept["created"]) if "created" in kept else None
        return Entry(
            namespace=tuple(kept["namespace"]),
            key=kept["key"],
            value=dict(raw),
            is_searchable=kept.get("index") is not False,
            created_at=created or fact.created_at,
            updated_at=fact.seen.last if fact.seen else fact.created_at,
            fact=fact,
        )
    except (KeyError, TypeError, ValueError):
        return None


def _metadata(put: Put, value: str, old: Fact | None) -> JsonObject:
    """Return an entry's metadata: the old one's own where the same is put again."""
    kept: dict[str, Any] = {"namespace": [*put.namespace], "key": put.key}
    try:
        kept["value"] = json.loads(value)
        check_metadata(kept)
    except (
        InvalidFact
    ):  # NaN, half a surrogate pair, a thousand levels: as text it's kept all the same
        del kept["value"]
        kept["json"] = value
    if put.text is None:
        kept["index"] = False
    if old is not None:
        before = dict(old.metadata.get(_MARK) or {})
        created = before.pop("created", old.created_at.isoformat())
        if before == kept:
            return old.metadata
        kept["created"] = created
    return {_MARK: kept}


def json_of(value: Mapping[str, Any]) -> str:  # Any: a caller's JSON
    """Write a value as JSON. Raises InvalidValue: it isn't an object of JSON."""
    try:
        return json.dumps(dict(value))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValue(f"a stored value must be a JSON object: {error}") from error


def _storable(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
