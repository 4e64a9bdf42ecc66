"""Vectors in a few bits each, to scan in memory: the one module of the index that needs numpy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from litemem.index.filters import Filter
from litemem.types import Vector

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Two bits a number: below, between and above these, in standard deviations from the mean. Rows that
# must be rescored to hold 9.95 of the true ten: 400 at 100,000 rows and 600 at a million; with the
# sign alone 1,600 and more than 2,400.
LEVELS: Final = (-0.7, 0.0, 0.7)
BLOCK: Final = 16_384  # rows scanned at once: what they need fits a core's cache
GONE: Final = -1
TINY: Final = 1e-12  # instead of a zero length
USABLE: Final = hasattr(np, "bitwise_count")  # numpy 2

Entry: TypeAlias = tuple[int, int, int, bytes]
"""A stored vector: rowid, scope, time (schema.NO_TIME for none), float32 values."""


@dataclass(slots=True)
class Block:
    """Up to BLOCK rows, filled from the front."""

    planes: NDArray[np.uint64]  # (words, BLOCK)
    rowids: NDArray[np.int64]  # GONE for a row that has left
    scopes: NDArray[np.int64]
    at: NDArray[np.int64]
    n: int = 0


@dataclass(slots=True)
class Planes:
    """
    The vectors of one partition.

    Hamming distances of the bits, set where a number lies above a level, are the distances of the
    vectors in coarse steps. One thread at a time may change it while others scan: a scan sees the
    rows that were there when it began.
    """

    mean: Sequence[float]  # of all vectors, when this was made
    blocks: list[Block] = field(default_factory=list)
    gone: int = 0

    @property
    def size(self) -> int:
        """How many rows it holds, with those that have left."""
        return sum(block.n for block in self.blocks)

    def add(self, entries: Sequence[Entry]) -> None:
        """Take in rows that it doesn't hold."""
        start = 0
        while start < len(entries):
            if not self.blocks or self.blocks[-1].n == BLOCK:
                self.blocks.append(self._block())
            last = self.blocks[-1]
            some = entries[start : start + BLOCK - last.n]
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

    def near(self, query: Vector, rows: Filter, least: int) -> list[int]:
        """
        Return the rows whose bits are nearest to the query's, at least `least` of those there are.

        All rows at the last distance are among them, so that the answer doesn't depend on the
        order of rows.
        """
        bits = self._query_bits(query)
        blocks = [(block, block.n) for block in self.blocks]
        scanned = [_distances(block, n, bits) for block, n in blocks]
        allowed = [_allowed(block, n, rows) for block, n in blocks]
        counts = np.zeros(64 * len(bits) + 1, np.int64)
        for far, mask in zip(scanned, allowed, strict=True):
            counts += np.bincount(far if mask is None else far[mask], minlength=len(counts))
        limit = np.searchsorted(np.cumsum(counts), least)
        found: list[int] = []
        for (block, n), far, mask in zip(blocks, scanned, allowed, strict=True):
            close = far <= limit
            if mask is not None:
                close &= mask
            found += block.rowids[:n][close].tolist()
        return [rowid for rowid in found if rowid != GONE]

    def _block(self) -> Block:
        words = -(-len(self.mean) // 64) * len(LEVELS)
        return Block(
            planes=np.zeros((words, BLOCK), np.uint64),
            rowids=np.zeros(BLOCK, np.int64),
            scopes=np.zeros(BLOCK, np.int64),
            at=np.zeros(BLOCK, np.int64),
        )

    def _fill(self, block: Block, entries: Sequence[Entry]) -> None:
        start, end = block.n, block.n + len(entries)
        rowids, scopes, at, vectors = zip(*entries, strict=True)
        values = np.frombuffer(b"".join(vectors), "<f4").reshape(len(entries), -1)
        block.planes[:, start:end] = self._bits(values).T
        block.rowids[start:end], block.scopes[start:end], block.at[start:end] = rowids, scopes, at
        block.n = end  # last: a scan doesn't look beyond it

    def _bits(self, vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
        mean, deviation = np.asarray(self.mean), _deviation(self.mean)
        levels = ((mean + level * deviation).astype(np.float32) for level in LEVELS)
        return np.concatenate([_packed(vectors > level) for level in levels], axis=1)

    def _query_bits(self, query: Vector) -> NDArray[np.uint64]:
        """Return the bits of the query's part beside the mean, at the length stored ones have."""
        values, mean = np.frombuffer(query, "<f4").astype(np.float64), np.asarray(self.mean)
        beside = values - values @ mean / max(mean @ mean, TINY) * mean
        length = max(float(np.linalg.norm(beside)), TINY)
        beside *= _deviation(self.mean) * len(mean) ** 0.5 / length
        bits: NDArray[np.uint64] = self._bits((mean + beside)[None].astype(np.float32))[0]
        return bits


def _deviation(mean: Sequence[float]) -> float:
    """Return the standard deviation of the numbers of vectors of unit length, from their mean."""
    return sqrt(max(0.0, 1 - sum(x * x for x in mean)) / len(mean))


def _packed(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    packed = np.packbits(bits, axis=1)
    spare = -packed.shape[1] % 8
    padded: NDArray[np.uint64] = np.pad(packed, ((0, 0), (0, spare))).view(np.uint64)
    return padded


def _distances(block: Block, n: int, bits: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """Return how many bits of each row differ."""
    total = np.zeros(n, np.uint16)
    differing, count, three = np.empty(n, np.uint64), np.empty(n, np.uint8), np.empty(n, np.uint8)
    for first in range(0, len(bits), 3):  # three counts of at most 64 fit a byte
        three[:] = 0
        for word in range(first, first + 3):
            np.bitwise_xor(block.planes[word, :n], bits[word], out=differing)
            np.bitwise_count(differing, out=count)
            np.add(three, count, out=three)
        np.add(total, three, out=total)
    return total


def _allowed(block: Block, n: int, rows: Filter) -> NDArray[np.bool_] | None:
    """Return which rows may answer; None for all."""
    tests = []
    if rows.chats is not None:
        tests.append(np.isin(block.scopes[:n], rows.chats))
    if rows.since is not None or rows.until is not None:
        tests.append(block.at[:n] >= rows.earliest)
    if rows.until is not None:
        tests.append(block.at[:n] < rows.until)
    return np.logical_and.reduce(tests) if tests else None
