"""The embedder that runs a model folder."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from litemem.embed.model import ModelSpec, read_model
from litemem.embed.runtime import Runtime, load
from litemem.errors import InvalidValue
from litemem.types import Profile, Vector

_TOKENS_PER_RUN: Final = 256
"""
Padding included; a longer text runs alone. Facts a second with the default model, one thread:
87 one by one, 97 at 256, 95 at 512, 88 at 1,024, 68 at 4,096, which also takes 140 MB more: the
activations of a small run stay in the processor's cache. For the static model it makes no odds.
"""


class OnnxEmbedder:
    """
    Vectors from a model folder, by onnxruntime and tokenizers alone.

    A text has bitwise the same vector alone, in any batch, and with any number of threads. Safe
    to share between threads; the model is loaded once, when the first text comes.
    """

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        """
        Read what the folder says about itself; the model itself waits for the first text.

        Args:
            folder: as `find_model` returns it.
            threads: how many runs at once `embed_passages` may have; 0 for one a processor.

        Raises:
            ModelError: model.json or SHA256SUMS is missing or damaged; names the file.
            InvalidValue: threads is negative.
        """
        if threads < 0:
            raise InvalidValue(f"threads is {threads}; it must be 0 (all processors) or more")
        self._spec: ModelSpec = read_model(folder)
        self._threads = threads or _processors()
        self._lock = threading.Lock()
        self._loaded: Runtime | None = None

    @property
    def name(self) -> str:
        """The model's name, e.g. `me5-small-q4`."""
        return self._spec.name

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self._spec.dimension

    @property
    def sha256(self) -> str:
        """All that decides on a vector: weights, tokenizer, limit and prefixes, as hex."""
        return self._spec.sha256

    @property
    def profile(self) -> Profile:
        """What search must know; `max_tokens` counts prefix and special tokens too."""
        return self._spec.profile

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text has, prefix and special tokens apart. Raises ModelError."""
        return self._runtime().count_tokens(text)

    def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """
        Embed stored texts, in their order; what is beyond `max_tokens` of a text is ignored.

        Callers may hand over slices, to show progress or to store them: 256 texts a call are as
        fast as all at once, 64 cost 6 % more.

        Returns:
            A vector each; None for a text without any token, or only ones the model doesn't know.

        Raises:
            ModelError: the model can't be loaded or run; names the file.
        """
        runtime, prefix = self._runtime(), self._spec.passage_prefix
        ids = [runtime.token_ids(prefix, text) for text in texts]
        vectors: list[Vector | None] = [None] * len(texts)
        batches = list(_batches([len(tokens) for tokens in ids]))
        runs = ([ids[place] for place in batch] for batch in batches)
        for batch, made in zip(batches, self._run(runtime, runs, len(batches)), strict=True):
            for place, vector in zip(batch, made, strict=True):
                vectors[place] = vector
        return vectors

    def embed_query(self, text: str) -> Vector | None:
        """Embed a question; None as in `embed_passages`. Raises ModelError."""
        runtime = self._runtime()
        ids = runtime.token_ids(self._spec.query_prefix, text)
        return runtime.vectors([ids])[0] if ids else None

    def _run(
        self, runtime: Runtime, runs: Iterable[list[list[int]]], count: int
    ) -> Iterator[list[Vector | None]]:
        workers = min(self._threads, count)
        # A static model's run takes 0.1 ms, less than a thread takes to start.
        if workers < 2 or self._spec.is_static:
            yield from map(runtime.vectors, runs)
            return
        from concurrent.futures import ThreadPoolExecutor  # 8 ms: it imports logging

        with ThreadPoolExecutor(workers, "litemem-embed") as pool:
            yield from pool.map(runtime.vectors, runs)

    def _runtime(self) -> Runtime:
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    self._loaded = load(self._spec)
        return self._loaded


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the places of texts that run together, longest first; a text of no token in none."""
    order = sorted((p for p, n in enumerate(lengths) if n), key=lambda p: -lengths[p])
    start = 0
    while start < len(order):
        size = max(1, _TOKENS_PER_RUN // lengths[order[start]])
        yield order[start : start + size]
        start += size


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # pragma: no cover  # macOS, Windows
