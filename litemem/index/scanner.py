"""The vectors that a process keeps in memory, and which way a search goes."""

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
from litemem.index.aside import Aside
from litemem.index.changes import changed, is_writing, mark
from litemem.index.filters import Filter, carray
from litemem.index.scan import embeddings, few_in_scope, knn, mean, near, ranked, stored
from litemem.index.threads import Threads
from litemem.types import Vector

if TYPE_CHECKING:
    from litemem.index.planes import Entry, Exact, Planes

logger = logging.getLogger(__name__)

Reading: TypeAlias = Callable[[], AbstractContextManager[apsw.Connection]]
Near: TypeAlias = tuple[list[tuple[int, float]], dict[int, Vector]]
"""(rowid, cosine) of rows that hold the nearest, and the vectors that were read for it."""

LEAST_ROWS: Final = 1_000  # reading all vectors of fewer takes 0.5 ms
MOST_EXACT: Final = 32_768  # rows kept as they are: 50 MB and 1.8 ms, where 20,000 in bits take 1.6
PATIENCE: Final = 3  # searches of one partition, after which its vectors are worth loading
WEIGHED: Final = ((150_000, 600), (300_000, 1_000))  # rows, of fewer than; see litemem.index.planes
WEIGHED_OF_MORE: Final = 1_600
RESCORED: Final = 2.5  # times as many as asked for
LEAST_RESCORED: Final = 100
READ_AT_ONCE: Final = 1_024  # rows: short reads keep the log of writers short, and memory small
STALE: Final = 0.25  # share of rows that came or left, after which the mean is another one

_ROWIDS: Final = "select rowid from doc where {where} order by rowid"
_VECTORS: Final = """
select vec.rowid, vec.scope, vec.at, embedding from carray(:rowids) as wanted
cross join vec on vec.rowid = wanted.value where part = :part
"""


@dataclass(slots=True)
class _Kept:
    vectors: Exact | Planes
    made: str  # which file they were read from
    seq: int  # the last change they have seen
    loaded: int  # how many rows there were when they were read

    def is_stale(self) -> bool:
        """Say whether so much came or left that another way or another mean may be better."""
        rows = self.vectors.rows
        changed = rows.size - self.loaded + rows.gone
        return rows.size >= LEAST_ROWS and changed > STALE * self.loaded


class Scanner:
    """
    Finds the nearest rows of one index; made once a process and used by all its threads.

    The first searches read all vectors in SQL. Then a thread of its own loads them: as they are, or
    of many rows two bits a number (168 bytes a row at 384 dimensions). Each search lets them follow
    the file.
    """

    def __init__(self, reading: Reading, *, most_exact: int = MOST_EXACT) -> None:
        """Keep up to `most_exact` vectors of a partition as they are."""
        self.threads = Threads()
        self._aside = Aside()
        self._reading, self._most_exact = reading, most_exact
        self._lock = threading.Lock()
        self._kept: dict[int, _Kept] = {}
        self._asked: Counter[int] = Counter()
        self._loading: set[int] = set()
        self._closed = False

    def nearest(
        self, db: apsw.Connection, query: Vector, rows: Filter, k: int
    ) -> list[tuple[int, float]]:
        """
        Return the k rows nearest to the query as (rowid, cosine), best first, equal ones by id.

        Exact up to 32,768 rows a partition; beyond, at least 99.5 % of the true ten best, measured
        at a million rows.
        """
        return self.begin(db, query, rows, k, {})()

    def begin(
        self,
        db: apsw.Connection,
        query: Vector,
        rows: Filter,
        k: int,
        held: dict[int, Vector],
    ) -> Callable[[], list[tuple[int, float]]]:
        """
        Begin to look for the `nearest` rows, beside other work; return what gives them.

        Vectors that had to be read are left in `held`, by rowid.
        """
        few = few_in_scope(db, rows)
        if few is not None:
            return lambda: ranked(db, near(db, query, few), k)
        begun = [self._begin(db, query, part, rows, k) for part in rows.parts]

        def finish() -> list[tuple[int, float]]:
            found: list[tuple[int, float]] = []
            for one in begun:
                near_rows, vectors = one()
                found += near_rows
                held.update(vectors)
            return ranked(db, found, k)

        return finish

    def vectors(
        self, db: apsw.Connection, rows: Filter, rowids: Sequence[int]
    ) -> dict[int, Vector]:
        """Return the vectors of those of these rows that the process keeps whole."""
        found: dict[int, Vector] = {}
        for kept in [self._kept[part] for part in rows.parts if part in self._kept]:
            from litemem.index.planes import Exact

            if isinstance(kept.vectors, Exact) and kept.made == mark(db)[0]:
                found |= kept.vectors.vectors(rowids)
        return found

    def load(self, parts: Sequence[int]) -> None:
        """Load partitions now, and return when they are ready to scan."""
        for part in parts:
            self._load(part)

    def close(self) -> None:
        """Let a load that runs stop soon."""
        self._closed = True
        self._aside.close()

    def _begin(
        self, db: apsw.Connection, query: Vector, part: int, rows: Filter, k: int
    ) -> Callable[[], Near]:
        kept = self._vectors(db, part)
        if kept is None:
            return lambda: (knn(db, query, part, rows, k), {})
        from litemem.index.planes import Exact

        if isinstance(kept, Exact):
            return lambda: (kept.nearest(query, rows, k), {})
        return self._estimating(db, query, kept, rows, k)

    def _estimating(
        self, db: apsw.Connection, query: Vector, kept: Planes, rows: Filter, k: int
    ) -> Callable[[], Near]:
        """Begin to look for rows that hold the k nearest, by their bits."""
        from litemem.index.planes import dots

        best = max(LEAST_RESCORED, int(k * RESCORED))
        first = next((count for most, count in WEIGHED if kept.rows.size < most), WEIGHED_OF_MORE)
        looking = self._aside.begin(lambda: kept.near(query, rows, max(first, best), best))

        def finish() -> Near:
            vectors = embeddings(db, looking())
            return list(zip(vectors, dots(list(vectors.values()), query), strict=True)), vectors

        return finish

    def _vectors(self, db: apsw.Connection, part: int) -> Exact | Planes | None:
        if is_writing(db):
            return None
        made, seq = mark(db)
        with self._lock:
            kept = self._kept.get(part)
            if kept is not None and kept.made == made and _follow(db, part, kept, seq):
                if kept.is_stale():
                    self._start(part)
                return kept.vectors
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
        from litemem.index.planes import USABLE, Exact, Planes  # numpy: 0.1 s

        with self._reading() as db:
            made, seq = mark(db)
            self.threads.load(db)
            n, centre = mean(db, [part])
            rowids = _rowids(db, part)
        if not (n and USABLE):
            return
        vectors = Exact(len(centre)) if n <= self._most_exact else Planes(centre)
        for start in range(0, len(rowids), READ_AT_ONCE):
            with self._reading() as db, _unmapped(db):
                if self._closed or mark(db)[0] != made:
                    return
                vectors.rows.add(_entries(db, part, rowids[start : start + READ_AT_ONCE]))
        loaded = vectors.rows.size
        with self._lock:
            self._kept[part] = _Kept(vectors=vectors, made=made, seq=seq, loaded=loaded)


@contextmanager
def _unmapped(db: apsw.Connection) -> Iterator[None]:
    """Read through SQLite's own cache in the body: each page is needed once."""
    mapped = db.execute("pragma mmap_size").get
    db.execute("pragma mmap_size = 0").fetchall()
    try:
        yield
    finally:
        db.execute(f"pragma mmap_size = {mapped:d}").fetchall()


def _follow(db: apsw.Connection, part: int, kept: _Kept, seq: int) -> bool:
    """Let what is kept see the changes up to `seq`; False where they aren't all known any more."""
    rowids = changed(db, kept.seq, seq)
    if rowids is None:
        return False
    if rowids:
        kept.vectors.rows.change(_entries(db, part, rowids), rowids)
        kept.seq = seq
    return True


def _rowids(db: apsw.Connection, part: int) -> list[int]:
    rows = Filter.of_part(part)
    return [row for (row,) in db.execute(_ROWIDS.format(where=rows.where), rows.bindings())]


def _entries(db: apsw.Connection, part: int, rowids: Sequence[int]) -> list[Entry]:
    return list(db.execute(_VECTORS, {"rowids": carray(rowids), "part": part}))
