"""A conversation turn into transcript, facts and index: the synchronous steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from litemem.aio.home import Core
from litemem.aio.result import MemoryExtractionResult
from litemem.aio.shapes import iso
from litemem.edge import READERS
from litemem.extract.fact import ExtractedFact
from litemem.extract.turn import ConversationTurn
from litemem.index.following import SourceFile
from litemem.memory.new import NewFact
from litemem.memory.opening import NO_MODEL
from litemem.memory.remember import Remembered, remember
from litemem.memory.sync import bring_file
from litemem.session.appended import index_appended
from litemem.session.transcript import Appended, NewTurn, TranscriptManager
from litemem.types import Origin

SHOWN_FACTS = 10  # the nearest ones that a model is shown, to decide what is new


def write_turn(core: Core, user: str, session: str, turn: ConversationTurn) -> Appended:
    """
    Append a turn to its session's transcript, in one write; once, by its time and text.

    Raises InvalidName for a session or user id that is no file name.
    """
    space = core.of(user).space
    folder = space.home.transcripts_dir(user)
    manager = TranscriptManager(folder, clock=space.clock)
    return manager.append_turns(session, [*_said(turn)], once=turn.timestamp is not None)


def times_said(core: Core, user: str, session: str, turn: ConversationTurn) -> int:
    """Return how often a transcript has a turn's texts and tool calls, one after the other."""
    folder = core.of(user).space.home.transcripts_dir(user)
    entries = TranscriptManager(folder).read_transcript(session)
    wanted = [(one.role, one.content, [*(one.actions or ())]) for one in _said(turn)]
    found = [(one["role"], one["content"], one.get("actions") or []) for one in entries]
    places = range(len(found) - len(wanted) + 1) if wanted else ()
    return sum(found[place : place + len(wanted)] == wanted for place in places)


def near_facts(
    core: Core, user: str, chat: str | None, turn: ConversationTurn
) -> list[tuple[str, str]]:
    """Return (id, text) of the known facts that are nearest to what the user said."""
    found = core.of(user).search(turn.user_message, SHOWN_FACTS, chat_id=chat, wait=False)
    return [(hit.id, hit.content) for hit in found]


def keep_facts(
    core: Core,
    user: str,
    chat: str | None,
    session: str,
    facts: Sequence[ExtractedFact],
    said_at: datetime,
    appended: Appended,
) -> MemoryExtractionResult:
    """
    Write a turn's facts to the log, and facts and turn to the index in one transaction.

    A fact that was to be replaced and was forgotten meanwhile is said, and the new one added.
    """
    gone = [one.replaces for one in facts if one.replaces and not core.facts.owner(one.replaces)]
    line = appended.lines[0] if appended.lines else None
    placed = [
        replace(
            fact,
            replaces=None if fact.replaces in gone else fact.replaces,
            source_session_id=session,
            source_transcript_line=line,
            source_timestamp=iso(said_at),
        )
        for fact in facts
    ]
    origin = Origin(session=session, line=line, at=said_at)
    done = remember(
        core.of(user).space,
        user,
        [_new(fact, chat, said_at, origin) for fact in placed],
        similar=True,
        beside=lambda: _index_turn(core, user, session, appended),
    )
    wants_vectors = core.space.settings.model != NO_MODEL
    result = _result(placed, done, appended, wants_vectors=wants_vectors)
    result.errors += [f"fact {id_} was forgotten meanwhile; nothing was replaced" for id_ in gone]
    return result


def _said(turn: ConversationTurn) -> Iterator[NewTurn]:
    if turn.user_message:
        yield NewTurn(role="user", content=turn.user_message, at=turn.timestamp)
    if turn.assistant_message or turn.agent_actions or turn.agent_reasoning:
        yield NewTurn(
            role="assistant",
            content=turn.assistant_message,
            actions=[
                {"tool": action.tool, "args": dict(action.args), "output": action.output}
                for action in turn.agent_actions
            ],
            metadata={"reasoning": [*turn.agent_reasoning]} if turn.agent_reasoning else None,
            at=turn.timestamp,
        )


def _new(fact: ExtractedFact, chat: str | None, said_at: datetime, origin: Origin) -> NewFact:
    return NewFact(
        content=fact.content,
        category=fact.category,
        importance=fact.importance,
        tags=fact.tags or None,
        chat_id=chat,
        said_at=said_at,
        source=origin,
        replaces=fact.replaces,
    )


def _index_turn(core: Core, user: str, session: str, appended: Appended) -> None:
    space = core.space
    key = space.home.relative(appended.path)
    file = SourceFile(path=appended.path, key=key, user=user, reader=READERS[0])
    if not index_appended(space.index, file, session, appended, space.zone):
        bring_file(space, file)


def _result(
    facts: Sequence[ExtractedFact],
    done: Sequence[Remembered],
    appended: Appended,
    *,
    wants_vectors: bool,
) -> MemoryExtractionResult:
    pairs = [*zip(facts, done, strict=True)]
    return MemoryExtractionResult(
        extracted_facts=[*facts],
        memories_created=[one.id for one in done if one.created],
        memories_updated=[
            *(one.id for one in done if one.updated),
            *(fact.replaces for fact, one in pairs if one.created and fact.replaces),
        ],
        memories_confirmed=[one.id for one in done if not one.created],
        replaced={one.id: fact.replaces for fact, one in pairs if one.created and fact.replaces},
        similar_to={one.id: [*one.similar_to] for one in done if one.similar_to},
        transcript_lines=[*appended.lines],
        errors=[*dict.fromkeys(one.warning for one in done if one.warning and wants_vectors)],
    )
