"""Vectors in memory, whole or in a few bits: the one module of the index that needs numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from litemem.index.filters import Filter
from litemem.index.vectors import SCALE
from litemem.types import Vector

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Two bits a number: below, between and above these, in standard deviations from the mean; and how
# much larger a number is on average beyond each. Of the true ten, thirty and hundred nearest, 250
# rescored rows hold 100, 99.6 and 96.0 % at 100,000 rows (the best of 600 by differing bits),
# 100, 99.3 and 90.2 % at a million (of 1,600). By signs alone 1,600 rows hold 96.5 % of the ten.
LEVELS: Final = (-0.7, 0.0, 0.7)
STEPS: Final = (0.9, 0.7, 0.9)
ROUNDING: Final = 1e-5  # sums of float32
BLOCK: Final = 16_384  # rows of whole vectors scanned at once
# Of rows in bits: the longer each operation takes, the less often threads wait for each other
# (with an eighth of it a search of 100,000 rows takes 16.4 ms instead of 15.0).
WIDE_BLOCK: Final = 131_072
GONE: Final = -1
USABLE: Final = hasattr(np, "bitwise_count")  # numpy 2

Make: TypeAlias = "Callable[[], NDArray[Any]]"
Measure: TypeAlias = "Callable[[NDArray[Any]], NDArray[Any]]"
Code: TypeAlias = "Callable[[NDArray[np.float32]], NDArray[Any]]"
Entry: TypeAlias = tuple[int, int, int, bytes]
"""A stored vector: rowid, scope, time (schema.NO_TIME for none), float32 values."""


@dataclass(slots=True)
class Block:
    """Some rows, filled from the front."""

    coded: NDArray[Any]  # the vectors, as `Blocks` was told to code them
    rowids: NDArray[np.int64]  # GONE for a row that has left
    scopes: NDArray[np.int64]
    at: NDArray[np.int64]
    n: int = 0


class Scanned(NamedTuple):
    """What came out for some rows of a block."""

    block: Block
    places: NDArray[np.int64]
    measured: NDArray[Any]


class Blocks:
    """
    Rows with vectors in some code.

    One thread at a time may change them while others scan: a scan sees the rows that were there
    when it began.
    """

    def __init__(self, most: int, make: Make, code: Code) -> None:
        self.blocks: list[Block] = []
        self.gone = 0
        self._most, self._make, self._code = most, make, code  # `most` rows a block

    @property
    def size(self) -> int:
        """How many rows there are, with those that have left."""
        return sum(block.n for block in self.blocks)

    def add(self, entries: Sequence[Entry]) -> None:
        """Take in rows that aren't there."""
        start = 0
        while start < len(entries):
            if not self.blocks or self.blocks[-1].n == self._most:
                self.blocks.append(self._block())
            last = self.blocks[-1]
            some = entries[start : start + self._most - last.n]
            self._fill(last, some)
            start += len(some)

    def change(self, entries: Sequence[Entry], changed: Sequence[int]) -> None:
        """Follow a change of the rows `changed`, of which `entries` are still stored here."""
        stored = {entry[0]: entry for entry in entries}
        for block in self.blocks:
            rowids = block.rowids[: block.n]
            for place in np.flatnonzero(np.isin(rowids, changed)):
                entry = stored.pop(int(rowids[place]), None)
                if entry is None:
                    rowids[place] = GONE
                    self.gone += 1
                else:
                    _, block.scopes[place], block.at[place], _ = entry
        self.add([stored[rowid] for rowid in sorted(stored)])

    def scan(self, rows: Filter, measure: Measure) -> list[Scanned]:
        """Measure the rows that may answer."""
        return [_scanned(block, block.n, rows, measure) for block in self.blocks]

    def _block(self) -> Block:
        return Block(
            coded=self._make(),
            rowids=np.zeros(self._most, np.int64),
            scopes=np.zeros(self._most, np.int64),
            at=np.zeros(self._most, np.int64),
        )

    def _fill(self, block: Block, entries: Sequence[Entry]) -> None:
        start, end = block.n, block.n + len(entries)
        rowids, scopes, at, vectors = zip(*entries, strict=True)
        values = np.frombuffer(b"".join(vectors), "<f4").reshape(len(entries), -1)
        block.coded[start:end] = self._code(values)
        block.rowids[start:end], block.scopes[start:end], block.at[start:end] = rowids, scopes, at
        block.n = end  # last: a scan doesn't look beyond it


class Exact:
    """The vectors of one partition, as they are: 1,536 bytes a row at 384 dimensions."""

    def __init__(self, dimension: int) -> None:
        self.rows = Blocks(BLOCK, lambda: np.zeros((BLOCK, dimension), np.float32), np.asarray)
        self._sorted: tuple[tuple[int, int], NDArray[np.int64], NDArray[np.int64]] | None = None

    def vectors(self, rowids: Sequence[int]) -> dict[int, Vector]:
        """Return the vectors of those of these rows that are here."""
        every, places = self._in_order()
        wanted = np.asarray(rowids, np.int64)
        at = np.searchsorted(every, wanted).clip(max=len(every) - 1)
        here = np.flatnonzero(every[at] == wanted)
        blocks = self.rows.blocks
        return {
            rowids[i]: Vector(blocks[place // BLOCK].coded[place % BLOCK].tobytes())
            for i, place in zip(here.tolist(), places[at[here]].tolist(), strict=True)
        }

    def _in_order(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return all rowids, sorted, and where each stands."""
        state = self.rows.size, self.rows.gone
        known = self._sorted
        if known is None or known[0] != state:
            every = np.concatenate([block.rowids for block in self.rows.blocks])[: state[0]]
            places = np.argsort(every)
            known = self._sorted = state, every[places], places
        return known[1], known[2]

    def nearest(self, query: Vector, rows: Filter, k: int) -> list[tuple[int, float]]:
        """Return (rowid, cosine) of the k nearest rows and of all as near as the last."""
        values = np.frombuffer(query, "<f4")
        # Not `@`: its threads wait for each other, 4 ms instead of 0.5 on a busy machine.
        scanned = self.rows.scan(rows, lambda coded: np.vecdot(coded, values))
        near = np.concatenate([one.measured for one in scanned])
        rowids = np.concatenate([one.block.rowids[one.places] for one in scanned])
        near[rowids == GONE] = -np.inf
        last = np.partition(near, -k)[-k] if k < len(near) else -np.inf
        places = np.flatnonzero((near >= last) & (rowids != GONE))
        return list(zip(rowids[places].tolist(), near[places].tolist(), strict=True))


class Planes:
    """
    The vectors of one partition in a few bits a number; `mean` is that of all of them.

    Hamming distances of the bits, set where a number lies above a level, are the distances of the
    vectors in coarse steps.
    """

    def __init__(self, mean: Sequence[float]) -> None:
        centre = np.asarray(mean, np.float64)
        square = float(centre @ centre)
        deviation = sqrt(max(0.0, 1 - square) / len(centre))  # of a number of a unit vector
        self._mean = centre.astype(np.float32)
        self._direction = self._mean / (sqrt(square) or 1.0)
        self._length = deviation * sqrt(len(centre))  # of what a vector has beside the mean
        levels = np.stack([self._mean + level * deviation for level in LEVELS])
        self._spare = spare = -len(centre) % 64  # bits of a word that no number fills
        self._bits = bits = partial(_bits, levels, spare)
        words = (levels.size + len(LEVELS) * spare) // 64
        # Neither function knows `self`: a circle would keep replaced planes until some collection.
        self.rows = Blocks(WIDE_BLOCK, lambda: np.zeros((words, WIDE_BLOCK), np.uint64).T, bits)

    def near(self, query: Vector, rows: Filter, first: int, best: int) -> list[int]:
        """
        Return about the `best` rows nearest to the query, estimated from their bits.

        The `first` rows by the bits that differ from the query's are weighed by the query's own
        numbers. Rows as near as the last one are among both, so that the answer doesn't depend on
        the order of rows.
        """
        beside = self._beside(query)
        bits = self._bits((beside + self._mean)[None])[0]
        rowids, found = self._closest(bits, rows, first)
        if len(rowids) > best:
            unpacked = np.unpackbits(found.view(np.uint8), axis=1).astype(np.float32)
            # Not `@`: its threads wait for each other, 4 ms instead of 0.1 on a busy machine.
            estimates = np.vecdot(unpacked, self._weights(beside))
            last = np.partition(estimates, -best)[-best]
            rowids = rowids[estimates >= last - ROUNDING * np.abs(estimates).max()]
        return [rowid for rowid in rowids.tolist() if rowid != GONE]

    def _closest(
        self, bits: NDArray[np.uint64], rows: Filter, least: int
    ) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """Return rowids and bits of the rows from which the fewest bits differ."""
        scanned = self.rows.scan(rows, lambda coded: _distances(coded, bits))
        counts = np.zeros(64 * len(bits) + 1, np.int64)
        for one in scanned:
            counts += np.bincount(one.measured, minlength=len(counts))
        limit = np.searchsorted(np.cumsum(counts), least)
        rowids, found = [], []
        for one in scanned:
            places = one.places[one.measured <= limit]
            rowids.append(one.block.rowids[places])
            found.append(one.block.coded[places])
        return np.concatenate(rowids), np.ascontiguousarray(np.concatenate(found))

    def _beside(self, query: Vector) -> NDArray[np.float32]:
        """Return the query's part beside the mean, at the length that stored vectors have."""
        values = np.frombuffer(query, "<f4")
        beside = values - (values @ self._direction) * self._direction
        scaled: NDArray[np.float32] = beside * np.float32(
            self._length / (sqrt(float(beside @ beside)) or 1.0)
        )
        return scaled

    def _weights(self, beside: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return what a set bit adds to the estimate: the step between two levels' middles."""
        steps = np.outer(STEPS, beside).astype(np.float32)
        return (np.pad(steps, ((0, 0), (0, self._spare))) if self._spare else steps).ravel()


def dots(vectors: Sequence[Vector], query: Vector) -> list[float]:
    """Return the dot product of each of these vectors and the query."""
    if not vectors:
        return []
    matrix = np.frombuffer(b"".join(vectors), "<f4").reshape(len(vectors), -1)
    # Not `@`: a row's result would depend on its place.
    found: list[float] = np.einsum("ij,j->i", matrix, np.frombuffer(query, "<f4")).tolist()
    return found


def mean(vectors: Sequence[Vector]) -> list[float]:
    """Return the mean of these vectors, at least one; their order doesn't change a bit of it."""
    matrix = np.frombuffer(b"".join(vectors), "<f4").reshape(len(vectors), -1)
    total = np.rint(matrix * np.float32(SCALE)).sum(axis=0, dtype=np.int64)
    found: list[float] = (total / (SCALE * len(vectors))).tolist()
    return found


def _bits(
    levels: NDArray[np.float64], spare: int, vectors: NDArray[np.float32]
) -> NDArray[np.uint64]:
    """Return a row of words a vector: its bits above the first level, the second, the third."""
    bits = vectors[:, None] > levels
    if spare:
        bits = np.pad(bits, ((0, 0), (0, 0), (0, spare)))
    return np.packbits(bits, axis=2).view(np.uint64).reshape(len(vectors), -1)


def _distances(coded: NDArray[np.uint64], bits: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """Return how many bits of each row differ; fast where a column lies together in memory."""
    n = len(coded)
    total = np.zeros(n, np.uint16)
    differing, counts = np.empty((3, n), np.uint64), np.empty((3, n), np.uint8)
    for first in range(0, len(bits), 3):  # three counts of at most 64 fit a byte
        three = slice(first, first + 3)
        np.bitwise_xor(coded.T[three], bits[three, None], out=differing)
        np.bitwise_count(differing, out=counts)
        np.add(counts[0], counts[1], out=counts[0])
        np.add(counts[0], counts[2], out=counts[0])
        np.add(total, counts[0], out=total)
    return total


def _scanned(block: Block, n: int, rows: Filter, measure: Measure) -> Scanned:
    """Measure those of a block's first n rows that may answer."""
    tests = [] if rows.is_whole else _tests(block, n, rows)
    if not tests:
        return Scanned(block, np.arange(n), measure(block.coded[:n]))
    places = np.flatnonzero(np.logical_and.reduce(tests))
    if len(places) > n // 4:  # measuring all is cheaper than copying these
        return Scanned(block, places, measure(block.coded[:n])[places])
    return Scanned(block, places, measure(block.coded[places]))


def _tests(block: Block, n: int, rows: Filter) -> list[NDArray[np.bool_]]:
    tests = []
    scopes = block.scopes[:n].copy()  # np.isin fails where another thread changes what it reads
    if rows.chats is not None:
        tests.append(np.isin(scopes, rows.chats))
    if rows.without:
        tests.append(np.isin(scopes, rows.without, invert=True))
    if rows.since is not None or rows.until is not None:
        tests.append(block.at[:n] >= rows.earliest)
    if rows.until is not None:
        tests.append(block.at[:n] < rows.until)
    return tests


def flattened(vectors: Sequence[Vector]) -> list[tuple[float, float]]:
    """
    Return vectors as points of the plane in which they differ most (PCA), within -1..1.

    The same vectors give the same points, in whatever order: each axis points to where its largest
    weight is positive. Fewer than two vectors, or equal ones, are all at (0, 0).
    """
    if len(vectors) < 2:
        return [(0.0, 0.0)] * len(vectors)
    values = np.frombuffer(b"".join(vectors), "<f4").reshape(len(vectors), -1)
    apart = values - values.mean(axis=0, dtype=np.float64)
    _, axes = np.linalg.eigh(apart.T @ apart)
    axes = axes[:, [-1, -2]]
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])
    points = apart @ axes
    widest = np.abs(points).max()
    if widest > ROUNDING:
        points = points / widest
    return [(round(float(x), 4), round(float(y), 4)) for x, y in points]
