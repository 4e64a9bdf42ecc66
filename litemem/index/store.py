"""The index of one home: rows in, rows out, safe from several threads and processes."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final, Self

import apsw

from litemem.errors import FileTrouble, IndexBusy, IndexDamaged, IndexTrouble
from litemem.index import read, sources, usage, vectors
from litemem.index.connection import MMAP_BYTES, connect, translated
from litemem.index.docs import Changes, Doc, Source, StoredDoc, Use
from litemem.index.opening import look, make
from litemem.index.pool import Pool
from litemem.index.read import Counts, Sort
from litemem.index.scanner import Scanner
from litemem.index.schema import Fingerprint
from litemem.types import Kind, Problem, Vector

# What only writers need is imported when they write: a keyword search starts 6 ms sooner.

logger = logging.getLogger(__name__)

NO_MODEL: Final = Fingerprint(model="none", dimension=8, model_sha256="")
"""What an index made without a model carries; its rows never get vectors."""

_USE_PATIENCE_MS: Final = 100  # a search doesn't wait for an import to count itself
_SCRUB_PATIENCE_MS: Final = 5_000
_COPIED_AT_ONCE: Final = 1_000  # vectors


class Index:
    """
    One open index file.

    Reads see one consistent state and never wait for a writer; a thread inside `transaction` reads
    what it has written. Every method raises IndexDamaged (build it anew), IndexBusy, IndexReadOnly
    or FileTrouble (disk full) where SQLite says so.
    """

    def __init__(self, pool: Pool, fingerprint: Fingerprint) -> None:
        self._pool, self.fingerprint = pool, fingerprint
        self.scanner = Scanner(pool.reading)

    @classmethod
    def open(
        cls,
        path: Path,
        fingerprint: Fingerprint | None,
        *,
        create: bool = True,
        read_only: bool = False,
        first_rowid: int = 1,
    ) -> Self:
        """
        Open an index, or make an empty one where there is none.

        A file that can't be written is opened for reading.

        Args:
            path: the SQLite file.
            fingerprint: what it must have been made with; None takes any, and makes one without
                vectors.
            create: False: a missing file is an error.
            read_only: don't write even where it's possible.
            first_rowid: of an index that is made.

        Raises:
            IndexDamaged: missing (and `create` False), not an index, or made with other things.
        """
        with translated(path):
            opened = look(path, fingerprint, read_only=read_only)
            if opened is None and create and not read_only:
                make(path, fingerprint or NO_MODEL, first_rowid)
                opened = look(path, fingerprint, read_only=read_only)
        if opened is None:
            msg = f"{path} is missing or empty; run 'litemem index rebuild'"
            raise IndexDamaged(msg)
        mode, found = opened
        return cls(Pool(path, mode, found.as_text()), found)

    def close(self) -> None:
        """Close it; a second call does nothing."""
        self.scanner.close()
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """The SQLite file."""
        return self._pool.path

    @property
    def read_only(self) -> bool:
        """Whether every write raises IndexReadOnly."""
        return self._pool.mode != "write"

    def reading(self, *, vectors: bool = True) -> AbstractContextManager[apsw.Connection]:
        """Lend a connection that sees one state; without `vectors` it can't touch `vec`."""
        return self._pool.reading(vectors=vectors)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make the writes of the body one: all of them or, after an error, none."""
        with self._pool.writing():
            yield

    def source(self, path: str) -> Source | None:
        """Return what is known of a file; None for an unknown one."""
        with self.reading(vectors=False) as db:
            return sources.source(db, path)

    def sources(self, user: str | None = None) -> dict[str, Source]:
        """Return the known files of a user, or of all users, by path and in its order."""
        with self.reading(vectors=False) as db:
            return sources.sources(db, user)

    def put_source(self, source: Source, docs: Sequence[Doc]) -> Changes:
        """
        Make the rows of a file what `docs` says, in the order of their lines.

        Costs what changed: rows that say the same keep number and vector. A new row takes the
        vector of any row with the same head and text. The file's user never changes.
        """
        from litemem.index import write

        with self._pool.writing() as db:
            return write.put_source(db, self.fingerprint.dimension, source, docs)

    def extend_source(
        self,
        source: Source,
        docs: Sequence[Doc],
        vectors: Mapping[int, Vector] | None = None,
        *,
        own: Collection[int] = (),
    ) -> tuple[int, ...]:
        """
        Add rows to a file that is otherwise as it was indexed; return their numbers.

        The cost doesn't grow with the file or the index.

        Args:
            source: the file as it is now.
            docs: the new rows.
            vectors: by position in `docs`; a row without one takes it from a row with the same
                head and text, or is pending.
            own: positions whose vector the caller made otherwise: no other row may copy it.

        Raises:
            InvalidVector: nothing was stored.
        """
        from litemem.index import write

        with self._pool.writing() as db:
            dimension = self.fingerprint.dimension
            return write.extend_source(db, dimension, source, docs, vectors or {}, own)

    def revise_source(
        self, source: Source, docs: Mapping[int, Doc | None], *, gone: Sequence[int] = ()
    ) -> None:
        """
        Change or remove a few rows of a file that is otherwise as it was indexed.

        The cost doesn't grow with the file, but for the rows that move up.

        Args:
            source: the file as it is now.
            docs: by number, what a row says now (same head and text), or None where it's gone.
            gone: the numbers of the lines that were taken out; what stood below them moves up.
        """
        from litemem.index import write

        with self._pool.writing() as db:
            write.revise_source(db, self.fingerprint.dimension, source, docs, gone)

    def drop_source(self, path: str) -> Changes:
        """
        Remove a file's rows; an unknown path is no error.

        After a rename, put the new file first: its rows copy the vectors of the old ones.
        """
        from litemem.index import write

        with self._pool.writing() as db:
            return write.drop_source(db, self.fingerprint.dimension, path)

    def confirm_sources(self, found: Collection[Source]) -> None:
        """
        Take over the times at which files had the bytes that were indexed.

        Their bytes needn't be compared again then. Left out where the index is busy or can't be
        written.
        """
        if self.read_only or not found:
            return
        try:
            with self._pool.writing(patience_ms=_USE_PATIENCE_MS) as db:
                for source in found:
                    sources.confirm(db, source)
        except (IndexBusy, FileTrouble) as error:
            logger.debug("times of files weren't noted: %s", error)

    def find(self, user: str, id: str) -> StoredDoc | None:
        """Return the fact with an id, also a superseded one; None for an unknown one."""
        with self.reading(vectors=False) as db:
            return read.find(db, user, id)

    def facts_in(self, path: str) -> int:
        """Return how many facts a file has, current or not; 0 for an unknown file."""
        with self.reading(vectors=False) as db:
            return read.facts_in(db, path)

    def owners(self, id: str) -> tuple[str, ...]:
        """Return the users who have a fact of this id, sorted; most often one."""
        with self.reading(vectors=False) as db:
            return read.owners(db, id)

    def chain(self, user: str, id: str) -> tuple[StoredDoc, ...]:
        """
        Return the chain that an id belongs to, oldest first, the current fact last; () for none.

        Lines that repeat an id of the chain are in it as duplicates, before the line that counts.
        """
        with self.reading(vectors=False) as db:
            return read.chain(db, user, id)

    def facts(
        self,
        user: str,
        *,
        sort: Sort = "created",
        limit: int | None = None,
        offset: int = 0,
        chat_id: str | None = None,
        chat_only: bool = False,
        category: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[StoredDoc]:
        """
        Return current facts, newest first (or most important, then newest), then by id.

        Args:
            user: whose.
            sort: by time, or by importance.
            limit: at most that many; None for all.
            offset: leave out that many first.
            chat_id: rows of that chat and of no chat.
            chat_only: of that chat alone.
            category: of that category alone.
            since: inclusive.
            until: exclusive.
        """
        with self.reading(vectors=False) as db:
            return read.facts(
                db,
                user,
                sort=sort,
                limit=limit,
                offset=offset,
                chat_id=chat_id,
                chat_only=chat_only,
                category=category,
                since=since,
                until=until,
            )

    def find_same(
        self, user: str, chat_id: str | None, speaker: str | None, content: str
    ) -> list[StoredDoc]:
        """Return a chat's current facts with equal speaker and normalised text, oldest first."""
        with self.reading(vectors=False) as db:
            return read.find_same(db, user, chat_id, speaker, content)

    def by_rowids(self, rowids: Collection[int]) -> dict[int, StoredDoc]:
        """Return rows by number; unknown ones are left out."""
        with self.reading(vectors=False) as db:
            return read.by_rowids(db, rowids)

    def counts(self, user: str | None = None) -> dict[Kind, Counts]:
        """Count the rows of a user, or of all users, by kind."""
        with self.reading(vectors=False) as db:
            return read.counts(db, user)

    def progress(self, user: str | None = None) -> tuple[int, int]:
        """Return how many current rows have what vector they can have, and how many there are."""
        with self.reading(vectors=False) as db:
            return read.progress(db, user)

    def users(self) -> list[str]:
        """Return the users that have files in the index, sorted."""
        with self.reading(vectors=False) as db:
            return sources.users(db)

    def problems(self) -> list[Problem]:
        """Return what couldn't be read as meant in any file, by path and line."""
        with self.reading(vectors=False) as db:
            return sources.problems(db)

    def pending(self, limit: int) -> list[tuple[int, str]]:
        """Return (number, text to embed) of current rows without a vector, newest first."""
        with self.reading(vectors=False) as db:
            return vectors.pending(db, limit)

    def put_vectors(self, found: Iterable[tuple[int, Vector | None]]) -> int:
        """
        Store the vectors of pending rows; return how many rows were settled by it.

        None means that the text can't be embedded. All pending rows with the same text get it;
        rows that are gone or have one are skipped. Raises InvalidVector: nothing was stored.
        """
        with self._pool.writing() as db:
            return vectors.put(db, self.fingerprint.dimension, found)

    def cached_vectors(self, texts: Iterable[str]) -> dict[str, Vector]:
        """Return the vectors of those texts to embed (head and text joined) that rows have."""
        with self.reading() as db:
            return vectors.cached(db, texts)

    def copy_vectors(self, old: Index) -> int:
        """Give pending rows the vectors that another index has of the same texts; count them."""
        if not self.fingerprint.same_model(old.fingerprint):
            return 0
        waiting, done = self.pending(-1), 0
        for start in range(0, len(waiting), _COPIED_AT_ONCE):
            batch = waiting[start : start + _COPIED_AT_ONCE]
            try:
                known = old.cached_vectors([text for _, text in batch])
            except IndexTrouble as error:
                logger.warning("vectors of %s can't be reused: %s", old.path, error)
                break
            sound = {text: one for text, one in known.items() if vectors.is_sound(one)}
            done += self.put_vectors((n, sound[text]) for n, text in batch if text in sound)
        return done

    def record_use(self, user: str, ids: Iterable[str], at: datetime) -> None:
        """Count that facts were recalled; left out where the index is busy or can't be written."""
        if self.read_only:
            return
        try:
            with self._pool.writing(patience_ms=_USE_PATIENCE_MS) as db:
                usage.record(db, user, ids, at)
        except (IndexBusy, FileTrouble) as error:
            logger.debug("uses weren't counted: %s", error)

    def use(self, user: str, ids: Collection[str]) -> dict[str, Use]:
        """Return how often facts were recalled; those that never were are left out."""
        with self.reading(vectors=False) as db:
            return usage.use(db, user, ids)

    def copy_use(self, old: Path) -> None:
        """Take over how often facts were recalled from another index, where it can say it."""
        try:
            source = connect(old, "read")
            try:
                rows = usage.everything(source)
            finally:
                source.close()
        except apsw.Error as error:
            logger.info("uses can't be taken over from %s: %s", old, error)
            return
        with self._pool.writing() as db:
            usage.add(db, rows)

    def scrub(self, *, patience_ms: int = _SCRUB_PATIENCE_MS) -> bool:
        """
        Remove the last traces of deleted rows, by writing the whole file anew.

        Costs 0.3 s for 13,000 facts. Returns False where another connection kept it from that for
        `patience_ms`: call it again. It can't be done inside `transaction`.
        """
        from litemem.index import names, write

        try:
            with self._pool.writing(patience_ms=patience_ms) as db:
                names.drop_unused(db)
                write.merge_words(db)
        except IndexBusy:
            return False
        return self._pool.compact(patience_ms)

    def compact_if_grown(self, *, least_bytes: int = MMAP_BYTES) -> bool:
        """Write the whole file anew where that makes searches faster; say whether it was done."""
        return not self.read_only and self._pool.compact_if_grown(_SCRUB_PATIENCE_MS, least_bytes)
