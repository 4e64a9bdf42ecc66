"""Search of all kinds of rows with the parts of each score: /memory/search."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, TypeAlias

from litemem.index.rows import KINDS
from litemem.memory.memory import Memory
from litemem.memory.new import parse_instant
from litemem.memory.search import MODES, Mode, Results
from litemem.memory.store import FactStore
from litemem.server.archival import QUERY
from litemem.server.endpoint import Call, Endpoint, Json
from litemem.server.params import BOOLEAN, ChatId, Limit, Offset, in_query
from litemem.server.schema import many, one_of, or_null, share, text
from litemem.server.shapes import (
    HIT,
    NUMBER,
    TEXT,
    hit_json,
    made,
    public_note,
    rows,
)
from litemem.types import Kind

_WHEN: Final = text(40, 1)
_KINDS: Final = many(one_of(*KINDS), len(KINDS), 1)


_Kinds: TypeAlias = Annotated[
    tuple[Kind, ...],
    in_query(_KINDS, "Turns are of transcripts, nodes of sessions; commas between.", tuple),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    query: Annotated[str, in_query(QUERY, "What to look for; '' finds nothing.")]
    mode: Annotated[Mode, in_query(one_of(*MODES), "How.")] = "hybrid"
    kinds: Annotated[
        tuple[Kind, ...],
        in_query(
            _KINDS,
            "Turns of transcripts, nodes of sessions.",
            tuple,
        ),
    ] = ("fact",)
    chat_id: ChatId = None
    chat_only: Annotated[bool, in_query(BOOLEAN, "With chat_id: that chat alone.")] = False
    since: Annotated[str | None, in_query(_WHEN, "A date or time: nothing before it.")] = None
    until: Annotated[str | None, in_query(_WHEN, "A date or time: nothing from it on.")] = None
    floor: Annotated[float | None, in_query(share(), "Least similarity.")] = None
    limit: Limit = 20
    offset: Offset = 0


async def search_memory(call: Call, asked: _Search) -> Json:
    """Search without counting it as a use: a page asks at every key."""

    def search(memory: Memory, _: FactStore) -> Results:
        return memory.search(
            asked.query,
            asked.limit,
            offset=asked.offset,
            chat_id=asked.chat_id,
            chat_only=asked.chat_only,
            kinds=asked.kinds,
            mode=asked.mode,
            since=_moment(memory, asked.since),
            until=_moment(memory, asked.until),
            floor=asked.floor,
            wait=False,
        )

    found = await call.read(search)
    return {
        "results": [hit_json(hit) for hit in found],
        "count": len(found),
        "limit": asked.limit,
        "offset": asked.offset,
        "note": public_note(found.note),
    }


def _moment(memory: Memory, given: str | None) -> datetime | None:
    return None if given is None else parse_instant(given, memory.zone)


ENDPOINTS: Final = (
    Endpoint(
        method="GET",
        path="/memory/search",
        does=search_memory,
        asked=_Search,
        answers=made(
            results=rows(HIT), count=NUMBER, limit=NUMBER, offset=NUMBER, note=or_null(TEXT)
        ),
        says=(
            "Search facts, blocks, transcripts and sessions, best first. `parts` sum to `score`; "
            "`matched` says what found a row: keyword, vector, neighbour."
        ),
        tag="search",
    ),
)
