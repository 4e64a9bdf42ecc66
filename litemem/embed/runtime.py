"""A loaded model: onnxruntime runs the graph, tokenizers cuts the text, numpy pools."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from litemem.embed.model import TOKENIZER, WEIGHTS, ModelSpec, verify
from litemem.errors import ModelError
from litemem.files.read import visible
from litemem.types import Vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

_MAX_CHARS_PER_TOKEN: Final = 32
"""Ordinary text has 1 to 6; what lies behind is cut unread, or 10 MB would take 6 s."""

_QUIET: Final = 4  # fatal only: an error is raised, so it needn't be printed too


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """A model in memory. Every method may be called from several threads at once."""

    spec: ModelSpec
    session: Any  # onnxruntime has no types
    tokenizer: Tokenizer
    bare: Mapping[str, list[int]]  # prefix -> the ids of the prefix alone

    def token_ids(self, prefix: str, text: str) -> list[int]:
        """Return the ids of prefix and text, at most `max_tokens`; [] where text adds none."""
        shown = visible(text[: _MAX_CHARS_PER_TOKEN * self.spec.max_tokens])
        ids = self.tokenizer.encode(prefix + shown).ids
        return [] if ids == self.bare[prefix] else ids

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text has, prefix and special tokens apart; no limit."""
        encoding = self.tokenizer.encode(visible(text), add_special_tokens=False)
        return len(encoding) + sum(len(rest) for rest in encoding.overflowing)

    def vectors(self, batch: Sequence[Sequence[int]]) -> list[Vector | None]:
        """
        Run the graph once over token ids and return the unit mean of each row's tokens.

        None for a row of only unknown tokens, which a static model knows nothing of. Raises
        ModelError.
        """
        hidden = self._run(batch)
        # Row by row over its own tokens, in float64: nothing of the batch takes part in it.
        means = [
            row[: len(ids)].mean(axis=0, dtype="f8") for row, ids in zip(hidden, batch, strict=True)
        ]
        return [self._unit(mean) for mean in means]

    def _run(self, batch: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        import numpy as np

        shape = (len(batch), max(map(len, batch)))
        ids = np.full(shape, self.spec.pad_id, np.int64)
        mask = np.zeros(shape, np.int64)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(mask)}
        weights = self.spec.folder / WEIGHTS
        with translated(weights, "failed on a text"):
            (hidden,) = self.session.run(
                [self.spec.output], {name: feed[name] for name in self.spec.inputs}
            )
        if hidden.shape != (*shape, self.spec.dimension):
            msg = f"{weights} gave {hidden.shape}, not {(*shape, self.spec.dimension)}"
            raise ModelError(f"{msg} (batch, tokens, dim); correct model.json or use another model")
        return hidden  # type: ignore[no-any-return]  # onnxruntime has no types

    def _unit(self, mean: NDArray[np.float64]) -> Vector | None:
        # Not np.linalg.norm: that is BLAS, whose order of additions is its own affair.
        norm = math.sqrt((mean * mean).sum())
        if norm == 0.0:
            return None
        if not math.isfinite(norm):
            weights = self.spec.folder / WEIGHTS
            raise ModelError(f"{weights} gave numbers that aren't finite; use another model")
        return Vector((mean / norm).astype("<f4").tobytes())


def load(spec: ModelSpec) -> Runtime:
    """
    Verify and load a model: 0.35 CPU s for the default one, imports included.

    Raises:
        ModelError: a file is missing or damaged, or onnxruntime or tokenizers can't be loaded.
    """
    verify(spec)
    session = _session(spec)  # before the tokenizer: 10 MB less memory in the end
    tokenizer = _tokenizer(spec)
    bare = {
        prefix: tokenizer.encode(prefix).ids for prefix in (spec.query_prefix, spec.passage_prefix)
    }
    return Runtime(spec=spec, session=session, tokenizer=tokenizer, bare=bare)


def _session(spec: ModelSpec) -> Any:  # noqa: ANN401  # onnxruntime has no types
    try:
        with _undisturbed():
            import onnxruntime as ort
    except ImportError as error:
        raise ModelError(_cant_import("onnxruntime", error)) from error
    options = ort.SessionOptions()
    # One thread a run, and several runs at once: no thread waits for another, and their number
    # can't change a vector. Facts a second on two busy cores: 106; 93 with two threads inside the
    # run, 52 with those spinning (the default); a lone question would be 1.3 ms faster with them.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = _QUIET
    weights = spec.folder / WEIGHTS
    with translated(weights, "can't be loaded"):
        return ort.InferenceSession(weights, options, providers=["CPUExecutionProvider"])


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold Ctrl-C back: C code that it stops half-way can't be imported again in the process."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):  # pragma: no cover  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _tokenizer(spec: ModelSpec) -> Tokenizer:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ModelError(_cant_import("tokenizers", error)) from error
    path = spec.folder / TOKENIZER
    with translated(path, "can't be loaded"):
        tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(spec.max_tokens)
    return tokenizer


def _cant_import(library: str, error: ImportError) -> str:
    reason = str(error).split("\n", 1)[0]
    return f"{library} can't be loaded ({reason}); reinstall it, or search by keyword only"


@contextmanager
def translated(path: Path, trouble: str) -> Iterator[None]:
    """Turn whatever onnxruntime or tokenizers raise in the body into ModelError."""
    try:
        yield
    # Both raise Exception itself, or classes right below it: there is nothing narrower to name.
    except Exception as error:
        reason = str(error).split("\n", 1)[0][:300]
        raise ModelError(f"{path} {trouble}: {reason}; copy the model folder again") from error
