"""Sessions: their list, branches, transcripts and states."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from litemem.errors import UnknownSession
from litemem.memory.memory import Memory
from litemem.memory.store import FactStore
from litemem.server.endpoint import Call, Endpoint, Json
from litemem.server.params import BOOLEAN, Limit, Offset, SessionId, in_query
from litemem.server.schema import or_null, whole
from litemem.server.shapes import (
    ANY,
    MOMENT,
    NUMBER,
    TEXT,
    TRUTH,
    made,
    moment,
    page,
    rows,
)
from litemem.session import SessionStore, StateMirror, TranscriptManager
from litemem.session.browse import Row, existing, tree_rows
from litemem.session.glance import Glance, glance_all
from litemem.session.pieces import preview, role_of
from litemem.session.records import Compaction

_MOST_TURNS: Final = 1_000
_MOST_NODES: Final = 2_000
_PREVIEW_CHARS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sessions:
    archived: Annotated[bool, in_query(BOOLEAN, "Those that were put away, too.")] = False
    limit: Limit = 50
    offset: Offset = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _OneSession:
    id: SessionId


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tree:
    id: SessionId
    limit: Annotated[int, in_query(whole(1, _MOST_NODES), "How many nodes at most.")] = _MOST_NODES
    offset: Offset = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Transcript:
    id: SessionId
    last_n: Annotated[int, in_query(whole(0, _MOST_TURNS), "Newest turns.")] = _MOST_TURNS


async def get_transcript(call: Call, asked: _Transcript) -> Json:
    """Return the newest turns of a transcript."""

    def load(memory: Memory, _: FactStore) -> tuple[list[Any], bool]:  # Any: JSON
        logs = TranscriptManager(memory.space.home.transcripts_dir(call.user))
        if not logs.transcript_exists(asked.id):
            raise UnknownSession("there is no such transcript")
        turns = logs.load_transcript(asked.id, asked.last_n + 1).turns
        shown = turns[len(turns) - min(len(turns), asked.last_n) :]
        return [dict(turn.entry) for turn in shown], len(shown) < len(turns)

    entries, earlier = await call.read(load)
    return {"session_id": asked.id, "entries": entries, "count": len(entries), "earlier": earlier}


async def get_state(call: Call, asked: _OneSession) -> Json:
    """Return an agent's state."""
    state = await call.read(
        lambda memory, _: StateMirror(memory.space.home.state_dir(call.user)).read_state(asked.id)
    )
    if state is None:
        raise UnknownSession("there is no such state")
    return {"session_id": asked.id, "state": state}


async def list_sessions(call: Call, asked: _Sessions) -> Json:
    """Return one page of sessions, and the names of transcripts."""

    def look(memory: Memory, _: FactStore) -> tuple[list[Glance], list[str]]:
        home = memory.space.home
        found = glance_all(SessionStore(home.sessions_dir(call.user)), archived=asked.archived)
        return found, TranscriptManager(home.transcripts_dir(call.user)).list_transcripts()

    found, transcripts = await call.read(look)
    shown = found[asked.offset : asked.offset + asked.limit]
    return {
        "sessions": [_glance(one) for one in shown],
        "count": len(shown),
        "total": len(found),
        "limit": asked.limit,
        "offset": asked.offset,
        "transcripts": transcripts[asked.offset : asked.offset + asked.limit],
        "total_transcripts": len(transcripts),
    }


async def get_session_tree(call: Call, asked: _Tree) -> Json:
    """Return a session's nodes in drawing order, and what was condensed."""

    def tree(memory: Memory, _: FactStore) -> Json:
        graph = existing(SessionStore(memory.space.home.sessions_dir(call.user)), asked.id)
        drawn = tree_rows(graph)
        shown = drawn[asked.offset : asked.offset + asked.limit]
        made_of = graph.marks.compactions.values()
        return {
            "id": graph.session_id,
            "name": graph.marks.name,
            "leaf": graph.leaf,
            "nodes": [_node(row) for row in shown],
            "count": len(shown),
            "total": len(drawn),
            "limit": asked.limit,
            "offset": asked.offset,
            "compactions": [_compaction(one) for one in made_of],
        }

    return await call.read(tree)


def _glance(one: Glance) -> Json:
    return {
        "id": one.id,
        "name": one.name,
        "archived": one.archived,
        "nodes": one.nodes,
        "first_words": one.first_words,
        "last_at": moment(one.last_at),
        "size_bytes": one.size,
    }


def _node(row: Row) -> Json:
    return {
        "id": row.node.id,
        "parent": row.node.parent,
        "role": role_of(row.node.turn),
        "text": preview(row.node.turn, max_chars=_PREVIEW_CHARS),
        "created_at": _when(row.node.created_at),
        "label": row.label,
        "column": row.column,
        "starts": row.starts,
        "is_head": row.is_head,
    }


def _compaction(one: Compaction) -> Json:
    return {
        "id": one.id,
        "leaf": one.leaf,
        "first_kept": one.first_kept,
        "pinned": [*one.pinned],
        "text": preview(one.summary, max_chars=_PREVIEW_CHARS),
        "tokens_before": one.tokens_before,
        "at": moment(one.at),
    }


def _when(at_ms: float) -> str | None:
    with suppress(OverflowError, OSError, ValueError):
        return moment(datetime.fromtimestamp(at_ms / 1000, UTC)) if at_ms > 0 else None
    return None


_GLANCE: Final = made(
    id=TEXT,
    name=or_null(TEXT),
    archived=TRUTH,
    nodes=NUMBER,
    first_words=TEXT,
    last_at=MOMENT,
    size_bytes=NUMBER,
)
_NODE: Final = made(
    id=TEXT,
    parent=or_null(TEXT),
    role=TEXT,
    text=TEXT,
    created_at=or_null(MOMENT),
    label=or_null(TEXT),
    column=NUMBER,
    starts=TRUTH,
    is_head=TRUTH,
)
_COMPACTION: Final = made(
    id=TEXT,
    leaf=TEXT,
    first_kept=or_null(TEXT),
    pinned=rows(TEXT),
    text=TEXT,
    tokens_before=or_null(NUMBER),
    at=MOMENT,
)
_PAGE: Final = page(_GLANCE, "sessions")["properties"]
_NODES: Final = page(_NODE, "nodes")["properties"]
ENDPOINTS: Final = (
    Endpoint(
        method="GET",
        path="/session/{id}/transcript",
        does=get_transcript,
        asked=_Transcript,
        answers=made(session_id=TEXT, entries=rows(ANY), count=NUMBER, earlier=TRUTH),
        says=(
            f"The newest turns of a session's transcript, oldest first, at most {_MOST_TURNS}; "
            "`earlier` says whether there are older ones."
        ),
        tag="sessions",
        fails=(404,),
    ),
    Endpoint(
        method="GET",
        path="/session/{id}/state",
        does=get_state,
        asked=_OneSession,
        answers=made(session_id=TEXT, state={}),
        says="The last state of a session's agent, any JSON.",
        tag="sessions",
        fails=(404,),
    ),
    Endpoint(
        method="GET",
        path="/sessions",
        does=list_sessions,
        asked=_Sessions,
        answers=made(**_PAGE, transcripts=rows(TEXT), total_transcripts=NUMBER),
        says="Branchable sessions, newest turn first; and which sessions have a transcript.",
        tag="sessions",
    ),
    Endpoint(
        method="GET",
        path="/sessions/{id}/tree",
        does=get_session_tree,
        asked=_Tree,
        answers=made(
            id=TEXT,
            name=or_null(TEXT),
            leaf=or_null(TEXT),
            **_NODES,
            compactions=rows(_COMPACTION),
        ),
        says=(
            "A session's nodes in the order in which a tree is drawn: parents before children, "
            "branches in columns, with labels; and its compactions."
        ),
        tag="sessions",
        fails=(404,),
    ),
)
