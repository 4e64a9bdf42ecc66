"""Makes model folders of a few hundred bytes: a table of eight words, three numbers each."""

import hashlib
import json
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

WORDS = ("query", "passage", "red", "green", "blue", "sky", "sea", "stone")
TABLE = (
    (0.0, 0.0, 0.0),  # an unknown word
    (0.1, 0.0, 0.0),
    (0.0, 0.1, 0.0),
    (1.0, 0.0, 0.0),
    (0.0, 1.0, 0.0),
    (0.0, 0.0, 1.0),
    (0.0, 0.6, 0.8),
    (0.6, 0.0, 0.8),
    (0.6, 0.8, 0.0),
)


def make_model(
    parent: Path, *, name: str = "tiny", table: Sequence[Sequence[float]] = TABLE, **spec: object
) -> Path:
    """Write a complete model folder; `spec` goes into model.json."""
    folder = parent / name
    folder.mkdir(parents=True)
    vocabulary = {"[UNK]": 0} | {word: place + 1 for place, word in enumerate(WORDS)}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    stated: dict[str, Any] = {
        "name": name,
        "dim": len(table[0]),
        "max_tokens": 8,
        "inputs": ["input_ids"],
        "similarity": {"typical_unrelated": 0.1, "typical_related": 0.6},
    }
    stated |= spec
    (folder / "model.json").write_text(json.dumps(stated), encoding="utf-8")
    (folder / "model.onnx").write_bytes(_gather(table, stated["inputs"]))
    write_sums(folder)
    return folder


def write_sums(folder: Path) -> None:
    names = ("model.onnx", "tokenizer.json", "model.json")
    lines = [f"{hashlib.sha256((folder / n).read_bytes()).hexdigest()}  {n}\n" for n in names]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="ascii")


def _gather(table: Sequence[Sequence[float]], inputs: Iterable[str]) -> bytes:
    """Return an ONNX file that looks token ids up in a table; other inputs are taken, not used."""
    node = _text(1, "table") + _text(1, "input_ids") + _text(2, "last_hidden_state")
    numbers = [number for row in table for number in row]
    tensor = _number(1, len(table)) + _number(1, len(table[0])) + _number(2, 1)
    tensor += _text(8, "table") + _part(9, struct.pack(f"<{len(numbers)}f", *numbers))
    graph = _part(1, node + _text(4, "Gather")) + _text(2, "tiny") + _part(5, tensor)
    for name in inputs:
        graph += _part(11, _value(name, 7, 2))
    graph += _part(12, _value("last_hidden_state", 1, 3))
    return _number(1, 8) + _part(8, _number(2, 13)) + _part(7, graph)


def _value(name: str, kind: int, rank: int) -> bytes:
    shape = b"".join(_part(1, _text(2, f"d{axis}")) for axis in range(rank))
    return _text(1, name) + _part(2, _part(1, _number(1, kind) + _part(2, shape)))


def _varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _part(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _text(field: int, text: str) -> bytes:
    return _part(field, text.encode())
