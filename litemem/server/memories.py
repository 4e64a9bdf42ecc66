"""One memory with all that is known of it, memories by day, and a map of them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from litemem.aio.shapes import fact_row, source_row
from litemem.errors import InvalidName
from litemem.files.names import check_name
from litemem.files.read import read_existing
from litemem.memory.memory import Memory
from litemem.memory.near import nearest_facts
from litemem.memory.store import FactStore
from litemem.memory.timeline import MOST_DOTS, facts_by_day, facts_of_day
from litemem.server.archival import OneFact
from litemem.server.endpoint import Call, Endpoint, Json
from litemem.server.files import Nothing
from litemem.server.params import Day, Limit, Offset
from litemem.server.schema import or_null, share
from litemem.server.shapes import (
    ANY,
    DATE,
    FACT,
    MOMENT,
    NUMBER,
    PLACE,
    REAL,
    TEXT,
    made,
    moment,
    page,
    rows,
)
from litemem.session.transcript import parse_transcript
from litemem.types import Origin

_SIMILAR: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class _OneDay:
    date: Day
    limit: Limit = 200
    offset: Offset = 0


async def get_memory(call: Call, asked: OneFact) -> Json:
    """Return a fact, its history, where it was said, and what is near to it."""

    def found(memory: Memory, _: FactStore) -> Json:
        chain = memory.get(asked.id)
        near = nearest_facts(memory.space, call.user, chain.fact.id, _SIMILAR)
        seen = chain.fact.seen
        return {
            "memory": fact_row(chain.fact),
            "source": source_row(chain.source),
            "history": [fact_row(fact) for fact in chain.history],
            "turn": _turn(memory, chain.source.origin),
            "similar": [
                {"memory": fact_row(one.fact), "similarity": one.similarity} for one in near
            ],
            "confirmed": 0 if seen is None else seen.n,
            "access_count": 0 if chain.use is None else chain.use.n,
            "last_access": None if chain.use is None else moment(chain.use.last),
        }

    return await call.read(found)


def _turn(memory: Memory, origin: Origin | None) -> Json | None:
    """Return the turn of a transcript in which a fact was said; None where it isn't there."""
    if origin is None or origin.line is None:
        return None
    folder = memory.space.home.transcripts_dir(memory.user_id)
    try:
        path = folder / f"{check_name(origin.session, 'session id')}.jsonl"
    except InvalidName:  # a hand-edited line
        return None
    turns = parse_transcript(path.name, read_existing(path) or b"").turns
    found = next((turn for turn in turns if turn.line == origin.line), None)
    if found is None:
        return None
    return {"session_id": origin.session, "line": origin.line, "entry": dict(found.entry)}


async def list_days(call: Call, _: Nothing) -> Json:
    """Count facts by day."""
    days = await call.read(lambda memory, _: facts_by_day(memory.space, call.user))
    shown = [{"date": day.isoformat(), "count": n} for day, n in days.items()]
    return {"days": shown, "count": len(shown), "total": sum(days.values())}


async def list_memories_of_day(call: Call, asked: _OneDay) -> Json:
    """Return a day's facts."""
    facts, total = await call.read(
        lambda memory, _: facts_of_day(
            memory.space, call.user, asked.date, limit=asked.limit, offset=asked.offset
        )
    )
    return {
        "memories": [fact_row(fact) for fact in facts],
        "count": len(facts),
        "total": total,
        "limit": asked.limit,
        "offset": asked.offset,
    }


async def get_map(call: Call, _: Nothing) -> Json:
    """Return facts as points of a plane."""

    def points(memory: Memory, _: FactStore) -> list[dict[str, Any]]:  # Any: JSON
        return [
            {
                "id": one.dot.id,
                "x": one.x,
                "y": one.y,
                "category": one.dot.category,
                "importance": one.dot.importance,
                "created_at": moment(one.dot.at),
                "text": one.dot.text,
            }
            for one in call.maps.points(memory.space, call.user)
        ]

    found = await call.read(points)
    return {"points": found, "count": len(found), "most": MOST_DOTS}


_COORDINATE: Final = {"type": "number", "minimum": -1, "maximum": 1}
_TURN: Final = made(session_id=TEXT, line=NUMBER, entry=ANY)
_POINT: Final = made(
    id=TEXT,
    x=_COORDINATE,
    y=_COORDINATE,
    category=TEXT,
    importance=share(),
    created_at=or_null(MOMENT),
    text=TEXT,
)
ENDPOINTS: Final = (
    Endpoint(
        method="GET",
        path="/memory/days",
        does=list_days,
        asked=Nothing,
        answers=made(days=rows(made(date=DATE, count=NUMBER)), count=NUMBER, total=NUMBER),
        says="How many current facts each day has, in the home's time zone, newest first.",
        tag="memories",
    ),
    Endpoint(
        method="GET",
        path="/memory/day/{date}",
        does=list_memories_of_day,
        asked=_OneDay,
        answers=page(FACT, "memories"),
        says="A day's current facts, newest first.",
        tag="memories",
    ),
    Endpoint(
        method="GET",
        path="/memory/map",
        does=get_map,
        asked=Nothing,
        answers=made(points=rows(_POINT), count=NUMBER, most=NUMBER),
        says=(
            "The newest facts that have a vector, as points of the plane in which their meanings "
            f"differ most; at most {MOST_DOTS}."
        ),
        tag="memories",
    ),
    Endpoint(
        method="GET",
        path="/memory/{id}",
        does=get_memory,
        asked=OneFact,
        answers=made(
            memory=FACT,
            source=PLACE,
            history=rows(FACT),
            turn={"anyOf": [_TURN, {"type": "null"}]},
            similar=rows(made(memory=FACT, similarity=REAL)),
            confirmed=NUMBER,
            access_count=NUMBER,
            last_access=or_null(MOMENT),
        ),
        says=(
            "The newest fact of the chain that an id belongs to, its versions (oldest first), the "
            "turn in which it was said, and the facts nearest to it in meaning."
        ),
        tag="memories",
        fails=(404,),
    ),
)
