"""What a model folder says about itself: model.json and SHA256SUMS."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from litemem.errors import ModelError
from litemem.types import Profile

WEIGHTS: Final = "model.onnx"
TOKENIZER: Final = "tokenizer.json"
SPEC: Final = "model.json"
SUMS: Final = "SHA256SUMS"
INPUTS: Final = ("input_ids", "attention_mask", "token_type_ids")
"""The inputs a graph may ask for, each int64 of shape (batch, seq)."""

_SUM_LINE: Final = re.compile(r"([0-9a-fA-F]{64}) [ *](.+)")
_VECTOR_WEIGHT: Final = 0.6
_STATIC_VECTOR_WEIGHT: Final = 0.5  # a static model is the weaker half of a hybrid search: measured


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """A model folder, read and checked; the two large files are checked when they are loaded."""

    folder: Path
    name: str
    dimension: int
    max_tokens: int
    query_prefix: str
    passage_prefix: str
    pad_id: int
    inputs: tuple[str, ...]
    output: str
    sums: Mapping[str, str]  # file name -> sha256 as hex
    sha256: str  # of all that decides on a vector, as hex
    profile: Profile

    @property
    def is_static(self) -> bool:
        """Whether a token's vector doesn't depend on the others: the graph is a mere table."""
        return "attention_mask" not in self.inputs


def read_model(folder: Path) -> ModelSpec:
    """
    Read a model folder's `model.json` and `SHA256SUMS`. Costs about 0.1 ms.

    Raises:
        ModelError: a file is missing, damaged, or asks for what isn't supported; names the file.
    """
    if not folder.is_dir():
        raise ModelError(f"there is no model folder {folder}; give the path of one")
    sums = _sums(folder / SUMS)
    path = folder / SPEC
    data = read_bytes(path)
    if sums.get(SPEC, "") not in ("", hashlib.sha256(data).hexdigest()):
        raise mismatch(path)
    try:
        return _spec(folder, json.loads(data), sums)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path} is damaged: {error}; copy the model folder again") from error


def verify(spec: ModelSpec) -> None:
    """
    Compare the weights and the tokenizer with `SHA256SUMS`. Costs 20 ms for 38 MB.

    Raises:
        ModelError: a file is missing, unreadable or another one; names the file.
    """
    for name in (WEIGHTS, TOKENIZER):
        path = spec.folder / name
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise _unreadable(path, error) from error
        if digest != spec.sums[name]:
            raise mismatch(path)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a model's file. Raises ModelError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error


def mismatch(path: Path) -> ModelError:
    """Return the error for a file that isn't the one its SHA256SUMS names."""
    msg = (
        f"{path} isn't the file that {SUMS} names (damaged, or changed); copy the model folder "
        f"again, or write {SUMS} anew if you changed it on purpose"
    )
    return ModelError(msg)


def _unreadable(path: Path, error: OSError) -> ModelError:
    if isinstance(error, FileNotFoundError):
        return ModelError(f"{path} is missing; copy the model folder again")
    return ModelError(f"can't read {path}: {error.strerror or error}; check who may read it")


def _sums(path: Path) -> dict[str, str]:
    text = read_bytes(path).decode("utf-8", "replace")
    found = (_SUM_LINE.fullmatch(line.strip()) for line in text.split("\n"))
    sums = {match[2]: match[1].lower() for match in found if match}
    for name in (WEIGHTS, TOKENIZER):
        if name not in sums:
            raise ModelError(f"{path} has no line for {name}; copy the model folder again")
    return sums


def _spec(folder: Path, data: object, sums: dict[str, str]) -> ModelSpec:
    if not isinstance(data, dict):
        raise ValueError("it holds no JSON object")  # noqa: TRY004  # the file's trouble, no type's
    if (data.get("pooling", "mean"), data.get("normalize", True)) != ("mean", True):
        raise ValueError("only `pooling` mean with `normalize` true is supported")
    query_prefix, passage_prefix = _text(data, "query_prefix"), _text(data, "passage_prefix")
    dimension, max_tokens = _whole(data, "dim", 1), _whole(data, "max_tokens", 8)
    # Not the whole model.json: a new typical similarity makes no vector stale.
    decides = [sums[WEIGHTS], sums[TOKENIZER], dimension, max_tokens, query_prefix, passage_prefix]
    return ModelSpec(
        folder=folder,
        name=_text(data, "name") or folder.name,
        dimension=dimension,
        max_tokens=max_tokens,
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        pad_id=_whole(data, "pad_id", 0, 0),
        inputs=_inputs(data),
        output=_text(data, "output") or "last_hidden_state",
        sums=sums,
        sha256=hashlib.sha256(json.dumps(decides).encode()).hexdigest(),
        profile=_profile(data, max_tokens),
    )


def _profile(data: dict[str, Any], max_tokens: int) -> Profile:
    similarity = data.get("similarity")
    if not isinstance(similarity, dict):
        raise ValueError("`similarity` must be an object")  # noqa: TRY004  # see _spec
    unrelated = _number(similarity, "typical_unrelated", -1.0)
    related = _number(similarity, "typical_related", -1.0)
    if unrelated >= related:
        raise ValueError("`typical_unrelated` must be below `typical_related`")
    weight = _VECTOR_WEIGHT if "attention_mask" in _inputs(data) else _STATIC_VECTOR_WEIGHT
    return Profile(
        typical_unrelated=unrelated,
        typical_related=related,
        query_centering=_number(data, "query_centering", 0.0, 0.0),
        vector_weight=_number(data, "vector_weight", 0.0, weight),
        max_tokens=max_tokens,
    )


def _inputs(data: dict[str, Any]) -> tuple[str, ...]:
    inputs = data.get("inputs", ["input_ids", "attention_mask"])
    if not isinstance(inputs, list) or "input_ids" not in inputs or set(inputs) - set(INPUTS):
        raise ValueError(f"`inputs` must list input_ids, and at most {', '.join(INPUTS)}")
    return tuple(inputs)


def _text(data: dict[str, Any], key: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise ValueError(f"`{key}` must be text")  # noqa: TRY004  # see _spec
    return value


def _whole(data: dict[str, Any], key: str, low: int, default: int | None = None) -> int:
    value = data.get(key, default)
    if type(value) is not int or not low <= value <= 1_000_000:
        raise ValueError(f"`{key}` must be a whole number from {low}")
    return value


def _number(data: dict[str, Any], key: str, low: float, default: float | None = None) -> float:
    value = data.get(key, default)
    if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= 1.0:
        raise ValueError(f"`{key}` must be a number in {low:g}..1")
    return float(value)
