"""An embedder without a model: hashed words and letter groups, for tests and tiny machines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Final
from zlib import crc32

from litemem.embed.vectors import check_vector
from litemem.errors import InvalidValue
from litemem.types import Profile, Vector

_WORD: Final = re.compile(r"\w+")
_LETTERS: Final = 3
_LETTERS_WEIGHT: Final = 0.35  # of a word; a word of five letters has five such groups
_VERSION: Final = "litemem hash embedder 1"
_PROFILE: Final = Profile(typical_unrelated=0.05, typical_related=0.5)


class HashEmbedder:
    """
    Vectors in which texts that share words, or parts of words, are near.

    Deterministic on every machine; about 70 µs a text. It knows no meaning: for tests, and where
    no model can run. A text without a letter or digit has no vector.
    """

    def __init__(self, dimension: int = 64) -> None:
        """Raises InvalidValue: the dimension is below 1."""
        if dimension < 1:
            raise InvalidValue(f"dimension is {dimension}; it must be at least 1")
        self._dimension = dimension

    @property
    def name(self) -> str:
        """`hash-` and the dimension."""
        return f"hash-{self._dimension}"

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self._dimension

    @property
    def sha256(self) -> str:
        """Changes when the features do, as hex."""
        return hashlib.sha256(f"{_VERSION} {self._dimension}".encode()).hexdigest()

    @property
    def profile(self) -> Profile:
        """Wide typical similarities, and no centring."""
        return _PROFILE

    def count_tokens(self, text: str) -> int:
        """Return how many words a text has."""
        return len(_WORD.findall(text))

    def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Embed each text; None for one without a word."""
        return [self._embed(text) for text in texts]

    def embed_query(self, text: str) -> Vector | None:
        """Embed a question like a passage; None for one without a word."""
        return self._embed(text)

    def _embed(self, text: str) -> Vector | None:
        numbers = [0.0] * self._dimension
        words = _WORD.findall(text.casefold())
        if not words:
            return None
        for feature, weight in _features(words):
            hashed = crc32(feature.encode("utf-8", "replace"))
            # The top bit is the sign, so that unrelated texts are near 0 and not near 1.
            numbers[hashed % self._dimension] += weight if hashed >> 31 else -weight
        if not any(numbers):  # the features cancelled out
            numbers[0] = 1.0
        return check_vector(numbers, self._dimension)


def _features(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    for word in words:
        yield word, 1.0
        edged = f" {word} "
        for start in range(len(edged) - _LETTERS + 1):
            yield edged[start : start + _LETTERS], _LETTERS_WEIGHT
