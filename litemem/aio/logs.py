"""TranscriptManager, TranscriptIndexer, SessionStore and StateMirror: logs of conversations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypedDict

from litemem.aio.home import Core
from litemem.aio.store import SQLiteMemoryStore
from litemem.aio.worker import Worker
from litemem.edge import home_folder
from litemem.errors import InvalidValue
from litemem.session import indexer, rewinding, state, store, transcript
from litemem.session.graph import SessionGraph
from litemem.session.nodes import Migrator, Revision, SessionNode, Turn
from litemem.session.transcript import Transcript, utc_now
from litemem.settings import Home, real
from litemem.types import DEFAULT_USER, Embedder, JsonObject

Json = Mapping[str, Any]  # Any: a caller's JSON


class TranscriptStats(TypedDict):
    """What indexing a transcript came to."""

    total_turns: int
    total_chunks: int
    indexed: int  # chunks that are searchable by their vector
    errors: int  # lines that couldn't be read, and chunks that couldn't be embedded


class TranscriptManager:
    """
    A folder of transcripts, `<base_dir>/<session id>.jsonl`.

    `sync` is the same without an event loop. Errors are those of `sync`.

    Args:
        base_dir: default the home's own.
        clock: gives turns their time; aware.
        fsync: make each turn durable before `append_turn` returns.
    """

    def __init__(
        self,
        base_dir: str | Path | None = None,
        *,
        clock: Callable[[], datetime] = utc_now,
        fsync: bool = True,
    ) -> None:
        folder = home_folder().transcripts_dir(DEFAULT_USER) if base_dir is None else base_dir
        self.sync = transcript.TranscriptManager(folder, clock=clock, fsync=fsync)
        self._worker = Worker()

    async def append_turn(
        self,
        session_id: str,
        role: str,
        content: str,
        actions: Sequence[Json] | None = None,
        metadata: Json | None = None,
        *,
        at: datetime | None = None,
        once: bool = False,
    ) -> int:
        """Add a turn to a session's transcript, and return its line, from 1."""
        return await self._worker.run(
            self.sync.append_turn, session_id, role, content, actions, metadata, at=at, once=once
        )

    async def read_transcript(self, session_id: str, last_n: int | None = None) -> list[JsonObject]:
        """Return the turns of a session, or the newest `last_n`, oldest first."""
        return await self._worker.run(self.sync.read_transcript, session_id, last_n)

    async def load_transcript(self, session_id: str, last_n: int | None = None) -> Transcript:
        """Do `read_transcript`, with each turn's line and what couldn't be read of these lines."""
        return await self._worker.run(self.sync.load_transcript, session_id, last_n)

    async def list_transcripts(self) -> list[str]:
        """Return the ids of all sessions that have a transcript, sorted."""
        return await self._worker.run(self.sync.list_transcripts)

    def transcript_exists(self, session_id: str) -> bool:
        """Say whether a session has a transcript."""
        return self.sync.transcript_exists(session_id)

    async def close(self) -> None:
        """Finish what was asked; a second call does nothing."""
        await self._worker.aclose()


class TranscriptIndexer:
    """
    Makes transcripts searchable, in chunks of as many of the embedder's tokens as wanted.

    Args:
        chunk_size: tokens at most.
        chunk_overlap: tokens that a chunk repeats of the one before, about.
    """

    def __init__(self, chunk_size: int = 400, chunk_overlap: int = 80) -> None:
        self.sync = indexer.TranscriptIndexer(chunk_size, chunk_overlap)

    async def index_transcript(
        self,
        transcript_path: Path,
        session_id: str,
        lancedb_store: SQLiteMemoryStore,
        embedding_gen: Embedder | None,
        user_id: str,
    ) -> TranscriptStats:
        """
        Index one transcript; doing it again changes and embeds nothing.

        Searches find its turns where their `kinds` name "turn".

        Args:
            transcript_path: below the store's home.
            session_id: whose it is.
            lancedb_store: the store.
            embedding_gen: the home's own model where it is None.
            user_id: whose.
        """

        def work(core: Core) -> indexer.IndexedTranscript:
            space = core.of(user_id).space
            _check_place(space.home, Path(transcript_path), user_id, session_id)
            embedder = space.embedders.required() if embedding_gen is None else embedding_gen
            with space.writing():
                return self.sync.index_transcript(
                    Path(transcript_path),
                    session_id,
                    space.index,
                    embedder,
                    user_id,
                    zone=space.zone,
                )

        done = await lancedb_store.home.write(work)
        return {
            "total_turns": done.total_turns,
            "total_chunks": done.total_chunks,
            "indexed": done.indexed,
            "errors": done.errors,
        }


def _check_place(home: Home, path: Path, user_id: str, session_id: str) -> None:
    """Raise InvalidValue where a transcript below the home isn't this user's and session's."""
    folder = home.transcripts_dir(user_id)
    if real(path.parent) == real(folder) and path.name != f"{session_id}.jsonl":
        raise InvalidValue(f"{path} isn't the transcript of {session_id!r}; that is its file name")
    if real(path.parent) != real(folder) and real(path).is_relative_to(real(home.root)):
        raise InvalidValue(f"{path} isn't {user_id!r}'s; the user's transcripts are in {folder}")


class StateMirror(state.StateMirror):
    """The last agent states of sessions, in the home's own folder unless another is given."""

    def __init__(self, base_dir: str | Path | None = None) -> None:
        super().__init__(home_folder().state_dir(DEFAULT_USER) if base_dir is None else base_dir)


class SessionStore:
    """
    A folder of session trees, `<root>/<session id>.jsonl`.

    `sync` is the same without an event loop, and has the rest: names, labels, forks, repairs.

    Args:
        root: default the home's own.
        migrators: bring each stored record up to date while it's read, in this order.
        fsync: make each write durable before it returns.
    """

    def __init__(
        self,
        root: str | Path | None = None,
        migrators: Sequence[Migrator] = (),
        *,
        fsync: bool = True,
    ) -> None:
        folder = home_folder().sessions_dir(DEFAULT_USER) if root is None else root
        self.sync = store.SessionStore(folder, migrators, fsync=fsync)
        self._worker = Worker()

    async def append_node(
        self,
        session_id: str,
        node: SessionNode,
        *,
        fork: bool = False,
        expected: Revision | None = None,
    ) -> None:
        """Add one node after the leaf on disk. Raises Conflict where its parent isn't the leaf."""
        await self._worker.run(
            self.sync.append_node, session_id, node, fork=fork, expected=expected
        )

    async def append_nodes(
        self,
        session_id: str,
        nodes: Sequence[SessionNode],
        *,
        fork: bool = False,
        expected: Revision | None = None,
    ) -> None:
        """Add nodes after the leaf on disk, in one write."""
        await self._worker.run(
            self.sync.append_nodes, session_id, nodes, fork=fork, expected=expected
        )

    async def append_turns(self, session_id: str, turns: Sequence[Turn]) -> tuple[SessionNode, ...]:
        """Add turns after the leaf, whichever it is by then, in one write; there is no Conflict."""
        return await self._worker.run(rewinding.append_turns, self.sync, session_id, turns)

    async def rewind(self, session_id: str, decide: rewinding.Decide) -> None:
        """
        Let the context end earlier, and go on from there; nothing is deleted.

        `decide` is given its turns, and returns how many stay and what then follows.
        """
        await self._worker.run(rewinding.rewind, self.sync, session_id, decide)

    async def load_session(self, session_id: str, *, strict: bool = False) -> SessionGraph:
        """Read a session as far as it can be read; a missing file is an empty session."""
        return await self._worker.run(self.sync.load_session, session_id, strict=strict)

    async def list_sessions(self) -> list[str]:
        """Return the ids of all sessions, sorted."""
        return await self._worker.run(self.sync.list_sessions)

    async def resume(
        self, session_id: str, *, leaf: str | None = None, last_n: int | None = None
    ) -> list[Turn]:
        """Return what a run goes on with: summary, pinned turns, kept tail; or the whole path."""
        return await self._worker.run(self.sync.resume, session_id, leaf=leaf, last_n=last_n)

    async def close(self) -> None:
        """Finish what was asked; a second call does nothing."""
        await self._worker.aclose()
