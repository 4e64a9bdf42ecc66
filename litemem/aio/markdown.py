"""MarkdownMemoryStore and MarkdownIndexer: one user's markdown, and the index made of it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, TypedDict

from litemem.aio.home import Core
from litemem.aio.store import SQLiteMemoryStore
from litemem.aio.worker import Worker
from litemem.edge import machine_zone, now
from litemem.errors import InvalidFact, InvalidValue
from litemem.memory.markdown import MarkdownFolder
from litemem.memory.new import as_new_fact
from litemem.memory.reindex import Reindexed, reindex
from litemem.memory.workspace import Clock, RandomBytes
from litemem.settings import Home, real
from litemem.types import DEFAULT_USER, Embedder


class ReindexStats(TypedDict):
    """What a reindex came to."""

    total_files: int
    total_facts: int
    indexed: int
    skipped: int
    errors: int


class MarkdownMemoryStore:
    """
    One user's daily logs and MEMORY.md in a folder, such as `HOME/memory`.

    What is written here is in the index of its home at that home's next sync.

    Args:
        base_dir: the folder; the first write makes it.
        clock: gives the present moment, aware.
        rng: gives random bytes, for new ids.
    """

    def __init__(
        self, base_dir: str | Path, *, clock: Clock = now, rng: RandomBytes = os.urandom
    ) -> None:
        self.folder = MarkdownFolder(base_dir, clock=clock, rng=rng, zone=machine_zone())
        self._worker = Worker()

    async def append_daily_log(
        self,
        chat_id: str | None,
        facts: Sequence[Mapping[str, Any]],  # Any: a caller's JSON
        date: str | None = None,
    ) -> None:
        """
        Add facts to a day's log (YYYY-MM-DD, default today), all or none.

        A fact is a dict with `content`, and `category`, `importance`, `tags`, `speaker`,
        `created_at`, `metadata`, `source_session_id`, `source_transcript_line`,
        `source_timestamp` as known; other keys are kept in its metadata. Raises InvalidFact.
        """
        given: Any = facts  # Any: what was given, whatever the annotation says
        if not isinstance(given, list | tuple):
            raise InvalidFact(f"facts are a list of dicts, not {type(given).__name__}")
        day = None if date is None else as_day(date)
        zone = self.folder.zone
        await self._worker.run(
            lambda: self.folder.append(chat_id, [as_new_fact(fact, zone) for fact in facts], day)
        )

    async def get_recent_logs(self, days: int = 2) -> str:
        """Return the logs of the last days, newest first, with a rule between them."""
        return await self._worker.run(self.folder.recent, days)

    async def get_daily_log(self, date: str) -> str | None:
        """Return a day's log as it stands, None where there is none."""
        return await self._worker.run(self.folder.log, as_day(date))

    async def list_daily_logs(self) -> list[str]:
        """Return the days that have a log, such as "2026-02-08", newest first."""
        return [day.isoformat() for day in await self._worker.run(self.folder.days)]

    async def write_memory_file(self, content: str) -> None:
        """Replace MEMORY.md by a heading, the present moment and this text."""
        await self._worker.run(self.folder.write_memory, content)

    async def read_memory_file(self) -> str | None:
        """Return MEMORY.md as it stands, None where there is none."""
        return await self._worker.run(self.folder.read_memory)

    async def close(self) -> None:
        """Finish what was asked; a second call does nothing."""
        await self._worker.aclose()


class MarkdownIndexer:
    """Makes the index say what the markdown says."""

    async def reindex_from_markdown(
        self,
        markdown_store: MarkdownMemoryStore,
        lancedb_store: SQLiteMemoryStore,
        embedding_gen: Embedder | None,
        user_id: str,
        clear_existing: bool = False,  # noqa: FBT001, FBT002  # the reference's signature
    ) -> ReindexStats:
        """
        Index one user's files with their vectors; doing it again changes nothing.

        New texts are embedded first: when that fails, `errors` says how many facts wait, the
        index stays as it was, and the files stay pending.

        Args:
            markdown_store: the user's folder in the store's home, else InvalidValue.
            lancedb_store: the store.
            embedding_gen: the home's own model where it is None, and no other.
            user_id: whose files.
            clear_existing: build the whole index anew beside the old one, then swap.
        """

        def work(core: Core) -> Reindexed:
            check_folder(markdown_store, core, user_id)
            core.facts.user(user_id, look=False)  # nothing may change where embedding fails
            return reindex(core.space, user_id, embedding_gen, clear=clear_existing)

        done = await lancedb_store.home.write(work)
        return {
            "total_files": done.total_files,
            "total_facts": done.total_facts,
            "indexed": done.indexed,
            "skipped": done.skipped,
            "errors": done.errors,
        }


def check_folder(markdown: MarkdownMemoryStore, core: Core, user_id: str) -> None:
    """Raise InvalidValue unless a markdown folder is the user's own in an open home."""
    wanted = core.space.home.memory_dir(user_id)
    if real(markdown.folder.base_dir) != real(wanted):
        raise InvalidValue(
            f"the markdown of {user_id!r} in this home is {wanted}, not "
            f"{markdown.folder.base_dir}: use MarkdownMemoryStore({str(wanted)!r}), or copy the "
            "files there"
        )


def check_home(markdown: MarkdownMemoryStore, home: Home) -> None:
    """Raise InvalidValue unless a markdown folder is a user's in this home."""
    folder, users = real(markdown.folder.base_dir), real(home.root / "users")
    of_user = folder.name == "memory" and folder.parent.parent == users
    if not of_user and folder != real(home.memory_dir(DEFAULT_USER)):
        raise InvalidValue(
            f"{markdown.folder.base_dir} isn't in the home {home.root}: use "
            f"MarkdownMemoryStore({str(home.memory_dir(DEFAULT_USER))!r}), or copy the files there"
        )


def as_day(text: str) -> date:
    """Read YYYY-MM-DD. Raises InvalidValue."""
    try:
        if (day := date.fromisoformat(text)).isoformat() == text:  # not 2026-W06-7, 20260208
            return day
    except (TypeError, ValueError) as error:
        raise InvalidValue(f"{text!r} is no date; write it as 2026-02-08") from error
    raise InvalidValue(f"{text!r} is no date; write it as 2026-02-08")
