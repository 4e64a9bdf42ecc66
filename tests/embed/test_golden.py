"""The bundled models give the vectors they were published with."""

import base64
import hashlib
import json
import struct
from pathlib import Path

import pytest

from litemem.embed.locate import find_model
from litemem.embed.onnx import OnnxEmbedder
from litemem.embed.vectors import check_vector, cosine, unpack

MODELS = ("me5-small-q4", "potion-8m-int8")


def _embedder(name: str, e5: OnnxEmbedder, fast: OnnxEmbedder) -> OnnxEmbedder:
    return e5 if name == "me5-small-q4" else fast


@pytest.mark.parametrize("name", MODELS)
def test_golden_vectors_are_met(name: str, e5: OnnxEmbedder, fast: OnnxEmbedder) -> None:
    golden = json.loads((find_model(name, {}) / "golden.json").read_bytes())
    embedder = _embedder(name, e5, fast)

    got = {
        "passage": embedder.embed_passages(golden["texts"]),
        "query": [embedder.embed_query(text) for text in golden["texts"]],
    }

    for use, vectors in got.items():
        for text, vector, known in zip(golden["texts"], vectors, golden[use], strict=True):
            raw = base64.b64decode(known)
            expected = check_vector(struct.unpack(f"<{len(raw) // 2}e", raw), embedder.dimension)
            assert vector is not None
            assert cosine(vector, expected) >= 0.9999, (use, text[:40])
            assert sum(x * x for x in unpack(vector)) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_every_file_is_the_one_its_sums_and_the_readme_name(name: str) -> None:
    folder = find_model(name, {})
    readme = (folder.parent / "README.md").read_text(encoding="utf-8")

    for line in (folder / "SHA256SUMS").read_text(encoding="ascii").splitlines():
        digest, file = line.split()
        assert _digest(folder / file) == digest
        assert digest in readme
    assert _digest(folder / "golden.json") in readme


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_an_answer_is_nearer_than_another_text_in_another_language(e5: OnnxEmbedder) -> None:
    question = e5.embed_query("Where are the nightly backups stored?")
    answer, other = e5.embed_passages(
        ["Die nächtlichen Sicherungen liegen auf dem NAS.", "Caroline mag grünen Tee."]
    )

    assert question is not None
    assert answer is not None
    assert other is not None
    assert cosine(question, answer) > cosine(question, other) + 0.02
