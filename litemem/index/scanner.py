"""The vectors that a process keeps in memory, a few bits each, and which way a search goes."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import apsw

from litemem.errors import LitememError
from litemem.index.filters import Filter, carray
from litemem.index.scan import embeddings, few_in_scope, knn, mean, near, ranked, stored
from litemem.types import Vector

if TYPE_CHECKING:
    from litemem.index.planes import Entry, Planes

logger = logging.getLogger(__name__)

Reading: TypeAlias = Callable[[], AbstractContextManager[apsw.Connection]]

LEAST_ROWS: Final = 4_000  # reading all vectors of fewer is as fast
PATIENCE: Final = 3  # searches of one partition, after which its vectors are worth loading
WEIGHED: Final = ((150_000, 600), (300_000, 1_000))  # rows, of fewer than; see litemem.index.planes
WEIGHED_OF_MORE: Final = 1_600
RESCORED: Final = 2.5  # times as many as asked for
LEAST_RESCORED: Final = 100
READ_AT_ONCE: Final = 1_024  # rows: short reads keep the log of writers short, and memory small
STALE: Final = 0.25  # share of rows that came or left, after which the mean is another one

_MARK: Final = """
select value, coalesce((select seq from sqlite_sequence where name = 'vector_change'), 0)
from meta where key = 'made'
"""
_CHANGED: Final = "select seq, row from vector_change where seq > ? order by seq"
_ROWIDS: Final = "select rowid from doc where {where} order by rowid"
_VECTORS: Final = """
select vec.rowid, vec.scope, vec.at, embedding from carray(:rowids) as wanted
cross join vec on vec.rowid = wanted.value where part = :part
"""


@dataclass(slots=True)
class _Kept:
    planes: Planes
    made: str  # which file they were read from
    seq: int  # the last change they have seen
    loaded: int  # how many rows there were when the mean was taken

    def is_stale(self) -> bool:
        """Say whether so much came or left that the mean may be another one."""
        changed = self.planes.size - self.loaded + self.planes.gone
        return self.planes.size >= LEAST_ROWS and changed > STALE * self.loaded


class Scanner:
    """
    Finds the nearest rows of one index; made once a process and used by all its threads.

    The first searches read all vectors in SQL. Then a thread of its own loads what the process
    keeps of them, 168 bytes a row at 384 dimensions, and each search lets it follow the file.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._lock = threading.Lock()
        self._kept: dict[int, _Kept] = {}
        self._asked: Counter[int] = Counter()
        self._loading: set[int] = set()
        self._closed = False

    def nearest(
        self,
        db: apsw.Connection,
        query: Vector,
        rows: Filter,
        k: int,
        held: dict[int, Vector] | None = None,
    ) -> list[tuple[int, float]]:
        """
        Return the k rows nearest to the query as (rowid, cosine), best first, equal ones by id.

        Exact where all vectors are read; else at least 99.5 % of the true ten best, measured at
        a million rows. Vectors that had to be read are left in `held`, by rowid.
        """
        few = few_in_scope(db, rows)
        if few is not None:
            return ranked(db, near(db, query, few), k)
        found: list[tuple[int, float]] = []
        for part in rows.parts:
            planes = self._planes(db, part)
            if planes is None:
                found += knn(db, query, part, rows, k)
                continue
            vectors = _candidates(db, query, planes, rows, k)
            found += _cosines(query, vectors)
            if held is not None:
                held |= vectors
        return ranked(db, found, k)

    def load(self, parts: Sequence[int]) -> None:
        """Load partitions now, and return when they are ready to scan."""
        for part in parts:
            self._load(part)

    def close(self) -> None:
        """Let a load that runs stop soon."""
        self._closed = True

    def _planes(self, db: apsw.Connection, part: int) -> Planes | None:
        if db.txn_state("main") == apsw.SQLITE_TXN_WRITE:
            return None  # sees rows that may never be committed
        made, seq = _mark(db)
        with self._lock:
            kept = self._kept.get(part)
            if kept is not None and kept.made == made and _follow(db, part, kept, seq):
                if kept.is_stale():
                    self._start(part)
                return kept.planes
            self._asked[part] += 1
            if self._asked[part] >= PATIENCE and stored(db, [part]) >= LEAST_ROWS:
                self._start(part)
        return None

    def _start(self, part: int) -> None:
        if part not in self._loading and not self._closed:
            self._loading.add(part)
            threading.Thread(target=self._run, args=(part,), name="litemem-vectors").start()

    def _run(self, part: int) -> None:
        try:
            self._load(part)
        except LitememError as error:
            if not self._closed:
                logger.warning("vectors aren't kept in memory: %s", error)
        finally:
            with self._lock:
                self._loading.discard(part)

    def _load(self, part: int) -> None:
        from litemem.index.planes import USABLE, Planes  # numpy: 0.1 s

        with self._reading() as db:
            made, seq = _mark(db)
            n, centre = mean(db, [part])
            rowids = _rowids(db, part)
        if not (n and USABLE):
            return
        planes = Planes(centre)
        for start in range(0, len(rowids), READ_AT_ONCE):
            with self._reading() as db, _unmapped(db):
                if self._closed or _mark(db)[0] != made:
                    return
                planes.add(_entries(db, part, rowids[start : start + READ_AT_ONCE]))
        with self._lock:
            self._kept[part] = _Kept(planes=planes, made=made, seq=seq, loaded=planes.size)


def _candidates(
    db: apsw.Connection, query: Vector, planes: Planes, rows: Filter, k: int
) -> dict[int, Vector]:
    """Return the vectors of the rows that may be among the k nearest."""
    best = max(LEAST_RESCORED, int(k * RESCORED))
    first = next((count for most, count in WEIGHED if planes.size < most), WEIGHED_OF_MORE)
    return embeddings(db, planes.near(query, rows, max(first, best), best))


def _cosines(query: Vector, vectors: dict[int, Vector]) -> Iterator[tuple[int, float]]:
    from litemem.index.planes import dots

    return zip(vectors, dots(list(vectors.values()), query), strict=True)


@contextmanager
def _unmapped(db: apsw.Connection) -> Iterator[None]:
    """Read through SQLite's own cache in the body: each page is needed once."""
    mapped = db.execute("pragma mmap_size").get
    db.execute("pragma mmap_size = 0").fetchall()
    try:
        yield
    finally:
        db.execute(f"pragma mmap_size = {mapped:d}").fetchall()


def _mark(db: apsw.Connection) -> tuple[str, int]:
    """Return which file this is, and the last change of its vectors."""
    made, seq = db.execute(_MARK).get
    return made, seq


def _follow(db: apsw.Connection, part: int, kept: _Kept, seq: int) -> bool:
    """Let what is kept see the changes up to `seq`; False where they aren't all known any more."""
    if seq <= kept.seq:
        return True
    changes = dict(db.execute(_CHANGED, (kept.seq,)))
    if kept.seq + 1 not in changes:
        return False
    rowids = sorted(set(changes.values()))
    kept.planes.change(_entries(db, part, rowids), rowids)
    kept.seq = seq
    return True


def _rowids(db: apsw.Connection, part: int) -> list[int]:
    rows = Filter.of_part(part)
    return [row for (row,) in db.execute(_ROWIDS.format(where=rows.where), rows.bindings())]


def _entries(db: apsw.Connection, part: int, rowids: Sequence[int]) -> list[Entry]:
    return list(db.execute(_VECTORS, {"rowids": carray(rowids), "part": part}))
