"""Made-up memories at any size: Zipf words in topics, vectors shaped like the default model's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIMENSION = 384
VOCABULARY = 60_000
TOPIC_WORDS = 40
ROWS_PER_TOPIC = 50
ROWS_PER_THREAD = 30
CHATS = 50
BATCH = 10_000

# Of real conversations under me5-small-q4: the mean vector has 0.85 of the squared length, and the
# eigenvalues of the rest fall about like this (8 of 384 hold 0.31 of it, 32 hold 0.55, 128 0.82).
MEAN_SHARE = 0.85
EIGENVALUES = (np.arange(DIMENSION) + 2.0) ** -0.95

USUAL = """
the to and a of is in that it was for on my with we you this at have but about so me he she are they
be what had when from there our not if all out up went get just like know going really one think
time good would day some want now after will then more who how did were been can do as
"""
COMMON = USUAL.split()
VOWELS = ("a", "e", "i", "o", "u", "an", "or", "el")
SYLLABLES = [consonant + vowel for consonant in "bcdfghklmnprstvz" for vowel in VOWELS]


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Some rows, in order."""

    first: int
    texts: list[str]
    vectors: NDArray[np.float32]
    chats: list[str]  # "" for no chat
    threads: list[str]
    at: list[int]  # microseconds since 1970


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What somebody asks about one row."""

    text: str
    vector: bytes


class Corpus:
    """`size` rows, the same ones each time."""

    def __init__(self, size: int) -> None:
        self.size = size
        rng = np.random.default_rng(7)
        self._words = COMMON + [_word(i) for i in range(VOCABULARY)]
        weights = 1 / (np.arange(len(self._words)) + 2.7) ** 1.05
        self._cdf = np.cumsum(weights / weights.sum())
        self._topics = max(20, size // ROWS_PER_TOPIC)
        self._topic_words = rng.integers(
            len(COMMON) + 100, len(self._words), (self._topics, TOPIC_WORDS)
        )
        self._mean = _unit(rng.standard_normal(DIMENSION))
        self._basis = np.linalg.qr(rng.standard_normal((DIMENSION, DIMENSION)))[0] * np.sqrt(
            EIGENVALUES / EIGENVALUES.sum()
        )

    def batches(self) -> Iterator[Batch]:
        """Yield all rows."""
        for first in range(0, self.size, BATCH):
            yield self._batch(first, min(BATCH, self.size - first))

    def queries(self, count: int) -> list[Query]:
        """Return questions about rows of the corpus: a few of their words and two usual."""
        rng = np.random.default_rng(11)
        blocks = rng.integers(0, -(-self.size // BATCH), 8) * BATCH  # a few: making one is slow
        batches = [self._batch(int(first), min(BATCH, self.size - int(first))) for first in blocks]
        return [self._query(rng, batches[i % len(batches)]) for i in range(count)]

    def _query(self, rng: np.random.Generator, batch: Batch) -> Query:
        row = int(rng.integers(0, len(batch.texts)))
        said = batch.texts[row].split()
        kept = sorted(rng.permutation(len(said))[: int(rng.integers(2, 6))])
        usual = rng.integers(len(COMMON), len(COMMON) + 150, 2)
        asked = ["what", "did", self._words[usual[0]], *(said[i] for i in kept)]
        near = _unit(batch.vectors[row] - np.sqrt(MEAN_SHARE) * self._mean)
        residual = _unit(0.75 * near + 0.66 * self._residuals(rng, 1)[0])
        text = " ".join([*asked, "about", "the", self._words[usual[1]]])
        return Query(text=text, vector=self._placed(residual[None])[0].tobytes())

    def _batch(self, first: int, count: int) -> Batch:
        rng = np.random.default_rng((13, first))
        rows = np.arange(first, first + count)
        topics = (rows // ROWS_PER_THREAD * 7 + rng.integers(0, 3, count)) % self._topics
        own = self._residuals(rng, count)
        present, places = np.unique(topics, return_inverse=True)
        shared = np.stack([self._topic_vector(topic) for topic in present])
        vectors = self._placed(_unit(0.7 * shared[places] + 0.71 * own))
        return Batch(
            first=first,
            texts=self._texts(rng, topics),
            vectors=vectors,
            chats=["" if t % 4 else f"chat{t // 4 % CHATS}" for t in rows // ROWS_PER_THREAD],
            threads=[f"thread{t}" for t in rows // ROWS_PER_THREAD],
            at=(1_600_000_000_000_000 + rows * 60_000_000).tolist(),
        )

    def _texts(self, rng: np.random.Generator, topics: NDArray[np.int64]) -> list[str]:
        lengths = rng.integers(6, 32, len(topics))
        words = np.searchsorted(self._cdf, rng.random(int(lengths.sum()))).clip(
            max=len(self._words) - 1
        )
        of_topic = rng.random(len(words)) < 0.15
        topic = np.repeat(topics, lengths)
        pick = (rng.random(len(words)) ** 2 * TOPIC_WORDS).astype(np.int64)
        words = np.where(of_topic, self._topic_words[topic, pick], words)
        ends = np.cumsum(lengths)
        spelled = [self._words[word] for word in words]
        return [" ".join(spelled[e - n : e]) for e, n in zip(ends, lengths, strict=True)]

    def _topic_vector(self, topic: int) -> NDArray[np.float64]:
        return _unit(self._residuals(np.random.default_rng((17, topic)), 1)[0])

    def _residuals(self, rng: np.random.Generator, count: int) -> NDArray[np.float64]:
        return _unit(rng.standard_normal((count, DIMENSION)) @ self._basis.T)

    def _placed(self, residuals: NDArray[np.float64]) -> NDArray[np.float32]:
        placed = np.sqrt(MEAN_SHARE) * self._mean + np.sqrt(1 - MEAN_SHARE) * residuals
        return _unit(placed).astype(np.float32)


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


def _word(i: int) -> str:
    first, rest = i % 128, i // 128
    return (
        SYLLABLES[(first * 37 + 11) % 128]
        + SYLLABLES[rest % 128]
        + SYLLABLES[(rest // 128 + i * 5) % 128] * (rest >= 128 or i % 3 == 0)
        + ("s" if i % 11 == 0 else "")
    )
