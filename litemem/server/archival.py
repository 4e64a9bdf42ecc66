"""Facts: search them, list them, write one, forget one: /memory/archival."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

from litemem.aio.shapes import memory_list, stored_memory
from litemem.errors import UnknownFact
from litemem.memory.memory import Memory
from litemem.memory.new import parse_instant
from litemem.memory.remember import Remembered
from litemem.memory.search import Results
from litemem.memory.store import FactStore
from litemem.server.endpoint import Call, Endpoint, Json
from litemem.server.params import BodyChatId, ChatId, Limit, Offset, in_body, in_query, name_of
from litemem.server.schema import many, or_null, share, text
from litemem.server.shapes import (
    ANY,
    NUMBER,
    REAL,
    ROW,
    STORED,
    TEXT,
    TRUTH,
    made,
    public_note,
    rows,
)

QUERY: Final = text(10_000)
_COUNTED: Final = 100  # matches that `total` counts: 1 to 3 ms of a search's 15, 200 took 7
_LABEL: Final = text(100, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    query: Annotated[str, in_query(QUERY, "What to look for; without it, facts are listed.")] = ""
    chat_id: ChatId = None
    limit: Limit = 20
    offset: Offset = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _New:
    content: Annotated[str, in_body(text(100_000, 1), "One thing worth remembering.")]
    category: Annotated[str | None, in_body(or_null(_LABEL), "Such as preference.")] = None
    importance: Annotated[float | None, in_body(or_null(share()), "From 0 to 1.")] = None
    tags: Annotated[list[str] | None, in_body(or_null(many(_LABEL, 50)), "Single words.")] = None
    chat_id: BodyChatId = None
    speaker: Annotated[str | None, in_body(or_null(_LABEL), "Who said it.")] = None
    created_at: Annotated[str | None, in_body(or_null(text(40, 1)), "ISO 8601.")] = None
    metadata: Annotated[dict[str, Any] | None, in_body(or_null(ANY), "Your own JSON.")] = None
    replaces: Annotated[str | None, name_of("id of the fact that it continues", "body")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OneFact:
    """A fact by any id of its chain."""

    id: Annotated[str, name_of("fact's id", "path")]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    memories: list[Any]  # Any: rows of JSON
    total: int
    hits: Results


async def search_archival_memory(call: Call, asked: _Search) -> Json:
    """Search, or list."""
    work = _searched if asked.query.strip() else _listed
    found = await call.read(lambda memory, facts: work(memory, facts, asked))
    if found.hits:
        call.store.home.later(lambda core: core.facts.record_use(found.hits, call.user))
    return {
        "memories": found.memories,
        "count": len(found.memories),
        "total": found.total,
        "limit": asked.limit,
        "offset": asked.offset,
        "note": public_note(found.hits.note),
    }


def _searched(memory: Memory, _: FactStore, asked: _Search) -> _Found:
    end = asked.offset + asked.limit
    whole = memory.search(asked.query, max(_COUNTED, end + 1), chat_id=asked.chat_id, wait=False)
    shown = Results(hits=whole.hits[asked.offset : end], note=whole.note)
    return _Found(memories=memory_list(shown, memory.user_id), total=len(whole), hits=shown)


def _listed(memory: Memory, store: FactStore, asked: _Search) -> _Found:
    user, chat = memory.user_id, asked.chat_id
    facts = store.list(user, limit=asked.limit, offset=asked.offset, chat_id=chat)
    uses = store.uses(user, [fact.id for fact in facts])
    shown = [stored_memory(fact, user, uses) for fact in facts]
    return _Found(memories=shown, total=store.count(user, chat), hits=Results())


async def add_memory(call: Call, asked: _New) -> Json:
    """Write a fact down."""

    def add(memory: Memory, _: FactStore) -> Remembered:
        at = asked.created_at
        return memory.remember(
            asked.content,
            category=asked.category,
            importance=asked.importance,
            tags=asked.tags,
            chat_id=asked.chat_id,
            speaker=asked.speaker,
            created_at=None if at is None else parse_instant(at, memory.zone),
            metadata=asked.metadata,
            replaces=asked.replaces,
        )

    done = await call.write(add)
    return {
        "success": True,
        "id": done.id,
        "created": done.created,
        "updated": done.updated,
        "similar_to": [
            {"id": one.id, "content": one.content, "cosine": one.cosine} for one in done.similar_to
        ],
        "warning": None if done.warning is None else "it has no vector yet",
    }


async def delete_memory(call: Call, asked: OneFact) -> Json:
    """Forget a fact with its chain."""
    if not await call.write(lambda _, facts: facts.delete(asked.id, call.user)):
        raise UnknownFact("there is no such memory")
    return {"success": True}


_MEMORY: Final = {"anyOf": [ROW, STORED]}
ENDPOINTS: Final = (
    Endpoint(
        method="GET",
        path="/memory/archival",
        does=search_archival_memory,
        asked=_Search,
        answers=made(
            memories=rows(_MEMORY),
            count=NUMBER,
            total=NUMBER,
            limit=NUMBER,
            offset=NUMBER,
            note=or_null(TEXT),
        ),
        says=(
            "Search facts, best first; without a query list them, newest first. A search's `total` "
            f"stops at {_COUNTED}, or one behind this page; `note` says what it lacked."
        ),
        tag="archival",
    ),
    Endpoint(
        method="POST",
        path="/memory/archival",
        does=add_memory,
        asked=_New,
        answers=made(
            success={"const": True},
            id=TEXT,
            created=TRUTH,
            updated=TRUTH,
            similar_to=rows(made(id=TEXT, content=TEXT, cosine=REAL)),
            warning=or_null(TEXT),
        ),
        says="Remember one fact; a known one is confirmed, not written twice. It's on disk then.",
        tag="archival",
        fails=(404,),
    ),
    Endpoint(
        method="DELETE",
        path="/memory/archival/{id}",
        does=delete_memory,
        asked=OneFact,
        answers=made(success={"const": True}),
        says="Forget a fact with all its versions, in the files and the index.",
        tag="archival",
        fails=(404,),
    ),
)
