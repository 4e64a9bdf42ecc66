"""How much of a transcript's themes a set of passages stands for, by their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Final

from litemem.embed.vectors import unpack
from litemem.types import Embedder, Vector

_SCALE: Final = 100.0
"""
A passage that says what all others say counts as this many new words. Real ones reach 5 to 15,
about as many as they have words; with ten times more, LoCoMo answers fall from 48 to 46.7 %.
"""


class Themes:
    """
    Facility location: each passage is represented by the nearest one that was chosen.

    So the gain of a passage is its centrality among those that nothing chosen stands for yet, and
    a second passage on the same theme gains little. Over n passages it takes n² / 2 products of
    vectors when made, n additions a question.
    """

    def __init__(self, near: Sequence[Sequence[float]], weights: Sequence[float]) -> None:
        """
        Start with nothing chosen.

        Args:
            near: how like passage i is to passage j, 0..1.
            weights: how much each passage wants to be represented, >= 0.
        """
        total = sum(weights) or 1.0
        self._near = near
        self._weights = [_SCALE * weight / total for weight in weights]
        self._best = [0.0] * len(near)

    def gain(self, place: int) -> float:
        """Return how much better all passages would be represented with this one chosen."""
        rows = zip(self._near[place], self._best, self._weights, strict=True)
        return sum((near - best) * weight for near, best, weight in rows if near > best)

    def nearest(self, place: int) -> float:
        """Return how like a passage is to the chosen one most like it, 0..1."""
        return self._best[place]

    def choose(self, place: int) -> None:
        """Let a passage stand for those like it from now on."""
        self._best = list(map(max, self._best, self._near[place]))


def nearness(texts: Sequence[str], embedder: Embedder) -> list[list[float]]:
    """
    Return how alike texts are: 0 for what the model finds in unrelated ones, 1 for the same.

    A text without a vector is like none, not even itself.

    Raises:
        EmbedError: the embedder failed.
    """
    vectors = [_numbers(vector) for vector in embedder.embed_passages(texts)]
    floor = embedder.profile.typical_unrelated
    near = [[0.0] * len(texts) for _ in texts]
    for i, one in enumerate(vectors):
        for j in range(i + 1):
            cosine = sum(map(mul, one, vectors[j]))
            near[i][j] = near[j][i] = min(1.0, max(0.0, (cosine - floor) / (1.0 - floor)))
    return near


def _numbers(vector: Vector | None) -> list[float]:
    return [] if vector is None else list(unpack(vector))
