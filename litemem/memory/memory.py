"""The synchronous face: one user's memory in one home folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Self

from litemem.memory.block_view import Blocks
from litemem.memory.sync import SyncReport, sync
from litemem.memory.vectors import Filler, fill, make_ready
from litemem.memory.workspace import Progress, Workspace
from litemem.types import DEFAULT_USER, Scope

if TYPE_CHECKING:
    from litemem.memory.consolidate import Consolidation
    from litemem.memory.export import Exported
    from litemem.memory.forget import Forgotten
    from litemem.memory.health import Health, Stats
    from litemem.memory.importing import Imported
    from litemem.memory.listing import Chain, Sort
    from litemem.memory.new import NewFact
    from litemem.memory.rebuild import RebuildReport
    from litemem.memory.remember import Remembered
    from litemem.memory.search import Mode, Results
    from litemem.memory.undo import Step, Undone
    from litemem.types import Embedder, Fact, JsonObject, Kind, Origin

    Facts = list[Fact]  # the class below has a method named list
    Many = list[Remembered]

# What a method does is imported when it's called: a command pays for its own part alone.


class Memory:
    """
    Facts and blocks of one user; made by `litemem.open`.

    May be used from several threads. Files are written before the index, and are on disk when a
    call returns. Use it as a context manager, or call `close`.
    """

    def __init__(
        self,
        space: Workspace,
        user_id: str = DEFAULT_USER,
        *,
        filler: Filler | None = None,
        opened: SyncReport | None = None,
    ) -> None:
        self._space, self._user = space, user_id
        self._filler = filler or Filler(space)
        self.blocks = Blocks(space, user_id)
        self.opened = self.sync() if opened is None else opened  # what opening found changed

    @property
    def home(self) -> Path:
        """The home folder."""
        return self._space.home.root

    @property
    def user_id(self) -> str:
        """Whose memory this is."""
        return self._user

    @property
    def model(self) -> str:
        """The home's embedding model, by name or folder."""
        return self._space.settings.model

    @property
    def zone(self) -> tzinfo:
        """The time zone that the home's days are local to."""
        return self._space.zone

    def moment(self, text: str) -> datetime:
        """Read an ISO 8601 date or time in the home's time zone. Raises InvalidFact."""
        from litemem.memory.new import parse_instant

        return parse_instant(text, self._space.zone)

    def today(self) -> date:
        """Return the day in the home's time zone."""
        return self._space.clock().astimezone(self._space.zone).date()

    def for_user(self, user_id: str, *, opened: SyncReport | None = None) -> Memory:
        """
        Return another user's memory in the same open home; closing either closes both.

        Their files are looked at, but for a caller who has what that found, as `opened`.
        """
        self._space.home.user_dir(user_id)  # raises InvalidName: '' would be everybody
        return Memory(self._space, user_id, filler=self._filler, opened=opened)

    @property
    def space(self) -> Workspace:
        """The open home, for functions that work on one."""
        return self._space

    def remember(
        self,
        content: str,
        *,
        category: str | None = None,
        importance: float | None = None,
        tags: Sequence[str] | None = None,
        chat_id: str | None = None,
        speaker: str | None = None,
        created_at: datetime | None = None,
        metadata: JsonObject | None = None,
        replaces: str | None = None,
        source: Origin | None = None,
    ) -> Remembered:
        """
        Write one fact down; it's on disk when this returns.

        A fact that is known already (same chat, speaker and normalised text) is confirmed instead
        of written twice. `replaces` names any id of the chain that it continues. A naive
        `created_at` is in the home's time zone. Raises InvalidFact and UnknownFact.
        """
        from litemem.memory.new import NewFact, tidy_tags
        from litemem.memory.remember import remember

        new = NewFact(
            content=content,
            category=category,
            importance=importance,
            tags=None if tags is None else tidy_tags(tags),
            chat_id=chat_id,
            speaker=speaker,
            created_at=created_at,
            metadata={} if metadata is None else metadata,
            replaces=replaces,
            source=source,
        )
        return remember(self._space, self._user, [new], similar=True)[0]

    def remember_many(self, facts: Iterable[NewFact], *, progress: Progress | None = None) -> Many:
        """
        Write facts down in order, a few hundred at a time, without a look for near-duplicates.

        Raises InvalidFact or UnknownFact for a batch with a wrong one; earlier batches stay.
        """
        from litemem.memory.remember import remember_many

        return remember_many(self._space, self._user, [*facts], progress)

    def search(
        self,
        query: str,
        limit: int = 10,
        *,
        offset: int = 0,
        chat_id: str | None = None,
        chat_only: bool = False,
        exclude_chat: str | Sequence[str] = (),
        kinds: Sequence[Kind] = ("fact",),
        mode: Mode = "hybrid",
        since: datetime | None = None,
        until: datetime | None = None,
        floor: float | None = None,
        wait: bool = True,
        progress: Progress | None = None,
    ) -> Results:
        """
        Return the best matches, best first.

        `chat_id` means rows of that chat and rows of no chat; `chat_only` is strict. No row of a
        chat or session in `exclude_chat` is found, such as the one that is going on; the page is
        as full without it. Rows without a vector get it first; with `wait` False they are left to
        a background thread and the results say how far it is. Any text is a valid query. Raises
        InvalidQuery.
        """
        from litemem.memory.search import search

        left_out = (exclude_chat,) if isinstance(exclude_chat, str) else tuple(exclude_chat)
        scope = Scope(
            user=self._user,
            kinds=tuple(kinds),
            chat_id=chat_id,
            chat_only=chat_only,
            exclude_chats=left_out,
            since=since,
            until=until,
        )
        if mode != "keyword":
            make_ready(self._space, self._filler, wait=wait, progress=progress)
        return search(
            self._space.index,
            None if mode == "keyword" else self._space.embedders,
            query,
            scope,
            limit=limit,
            offset=offset,
            mode=mode,
            floor=floor,
            now=self._space.clock(),
        )

    def recall(
        self,
        query: str,
        limit: int = 5,
        *,
        chat_id: str | None = None,
        progress: Progress | None = None,
    ) -> str:
        """Return the best matches as one block to paste into a prompt, '' where there are none."""
        from litemem.memory.recall import recall_text

        results = self.search(query, limit, chat_id=chat_id, progress=progress)
        return recall_text(results.hits, self._space.zone)

    def get(self, id: str) -> Chain:
        """Return the newest fact of the chain that an id belongs to. Raises UnknownFact."""
        from litemem.memory.listing import chain_of

        return chain_of(self._space, self._user, id)

    def list(
        self,
        *,
        sort: Sort = "created",
        limit: int | None = None,
        offset: int = 0,
        chat_id: str | None = None,
        category: str | None = None,
    ) -> Facts:
        """Return current facts: newest first, or most important first and newest among equals."""
        from litemem.memory.listing import list_facts

        return list_facts(
            self._space,
            self._user,
            sort=sort,
            limit=limit,
            offset=offset,
            chat_id=chat_id,
            category=category,
        )

    def update(
        self, id: str, *, importance: float | None = None, tags: Sequence[str] | None = None
    ) -> Fact:
        """Change a fact's importance or tags in place; for new text, remember with `replaces`."""
        from litemem.memory.change import update_fact

        return update_fact(self._space, self._user, id, importance=importance, tags=tags)

    def forget(self, *ids: str, only: bool = False, transcripts: bool = False) -> Forgotten:
        """
        Remove facts for good, each with its whole chain; `only` takes out one link.

        With `transcripts` the same words are blanked in the user's transcripts and sessions too.
        Raises UnknownFact before anything is removed.
        """
        from litemem.memory.forget import forget

        return forget(self._space, self._user, ids, only=only, transcripts=transcripts)

    def forget_user(self) -> int:
        """Remove all that this user has, files and rows; return how many facts that were."""
        from litemem.memory.forget import forget_user

        return forget_user(self._space, self._user)

    def consolidate(
        self, *, apply: bool = False, everything: bool = False, progress: Progress | None = None
    ) -> Consolidation:
        """
        Find facts that say the same or that newer ones replaced; with `apply` put them together.

        Facts in logs that changed since the last applied one are compared with all; with
        `everything` all are. Without `apply` nothing changes. `undo` takes a step back.
        """
        from litemem.memory.consolidate import consolidate

        make_ready(self._space, self._filler, wait=True, progress=progress)
        return consolidate(self._space, self._user, write=apply, everything=everything)

    def undo(self, step: str | None = None) -> Undone:
        """
        Take a step of `consolidate` back, the latest one by default: its originals are current.

        Raises UnknownFact where there is none, UndoRefused where it was built upon.
        """
        from litemem.memory.undo import undo

        return undo(self._space, self._user, step)

    def steps(self) -> tuple[Step, ...]:
        """Return the steps of `consolidate` that can be undone, the latest first."""
        from litemem.memory.undo import steps

        return steps(self._space, self._user)

    def context(self, *, chat_id: str | None = None) -> str:
        """Return the core blocks as text for a system prompt."""
        return self.blocks.context(chat_id=chat_id)

    def log(self, day: date | None = None) -> str:
        """Return a day's log as it stands in its file, '' where there is none; default today."""
        from litemem.memory.listing import log_text

        return log_text(self._space, self._user, day)

    def log_days(self) -> tuple[date, ...]:
        """Return the days that have a log, newest first."""
        from litemem.memory.listing import log_days

        return log_days(self._space, self._user)

    def sync(self) -> SyncReport:
        """Read again what changed in the files; `open` has done it once."""
        return sync(self._space, (self._user,))

    def rebuild(
        self,
        model: str | None = None,
        *,
        embedder: Embedder | None = None,
        progress: Progress | None = None,
    ) -> RebuildReport:
        """
        Build the index anew from the files, for all users, and swap it in whole.

        `model`, or an `embedder` of your own, becomes the home's. Raises EmbedError, and the old
        index stays.
        """
        from litemem.memory.opening import rebuild_home

        return rebuild_home(self._space, model, progress, embedder=embedder)

    def embed_pending(self, *, progress: Progress | None = None) -> int:
        """Give every row its vector now; return how many got one. Raises EmbedError."""
        return fill(self._space.index, self._space.embedders.required(), progress=progress)

    def embed_soon(self) -> None:
        """Give rows that have no vector theirs, on a thread of its own; nobody waits for it."""
        make_ready(self._space, self._filler, wait=False)

    def export(self, dest: str | Path, *, everyone: bool = False, force: bool = False) -> Exported:
        """
        Write this user's files, or with `everyone` the whole home, to a new folder or archive.

        `dest` becomes an archive where it ends with .zip or .tar.gz. It holds markdown and JSON
        alone, of one moment; `force` replaces an older export. Raises InvalidValue, FileTrouble.
        """
        from litemem.memory.export import export

        user = None if everyone else self._user
        return export(self._space, Path(dest), user=user, force=force)

    def import_from(
        self,
        source: str | Path,
        *,
        everyone: bool = False,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Imported:
        """
        Merge an export into this user's memory, or with `everyone` into the whole home.

        Nothing that is here is changed or removed; see `litemem.memory.importing.import_from`.
        Raises InvalidValue for an export that may harm, before anything is written.
        """
        from litemem.memory.importing import import_from

        user = None if everyone else self._user
        return import_from(self._space, Path(source), user=user, dry_run=dry_run, progress=progress)

    def stats(self) -> Stats:
        """Return counts of this user's rows, and the index's size and state."""
        from litemem.memory.health import statistics

        return statistics(self._space, self._user)

    def doctor(self) -> Health:
        """Return what is wrong or was left out: unreadable lines, double ids, cycles, leftovers."""
        from litemem.memory.health import examine

        return examine(self._space, self._user)

    def close(self) -> None:
        """Close the index; a second call does nothing."""
        self._filler.close()
        self._space.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
