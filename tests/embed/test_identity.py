"""A model's identity is known without loading it."""

import subprocess
import sys
import time

from litemem.embed.identity import identity
from litemem.embed.locate import find_model
from litemem.embed.onnx import OnnxEmbedder

HEAVY = {"numpy", "onnxruntime", "tokenizers", "asyncio"}
_CODE = """
import sys
import litemem.embed.hashing, litemem.embed.onnx, litemem.embed.vectors
from litemem.embed.identity import identity
from litemem.embed.locate import find_model
for name in ("me5-small-q4", "fast"):
    litemem.embed.onnx.OnnxEmbedder(find_model(name, {}))
    print(identity(find_model(name, {})).name)
print(*{module.split(".")[0] for module in sys.modules})
"""


def test_it_is_the_embedders_own(e5: OnnxEmbedder, fast: OnnxEmbedder) -> None:
    for name, embedder in (("me5-small-q4", e5), ("fast", fast)):
        found = identity(find_model(name, {}))

        assert found == (embedder.name, embedder.dimension, embedder.sha256, embedder.profile)


def test_the_two_models_differ_in_what_search_must_know() -> None:
    small, static = (identity(find_model(name, {})) for name in ("me5-small-q4", "fast"))

    assert (small.name, small.dimension) == ("me5-small-q4", 384)
    assert (static.name, static.dimension) == ("potion-8m-int8", 256)
    assert small.sha256 != static.sha256
    assert (small.profile.vector_weight, static.profile.vector_weight) == (0.65, 0.5)
    assert (small.profile.typical_unrelated, small.profile.typical_related) == (0.77, 0.84)
    assert (small.profile.query_centering, static.profile.query_centering) == (0.5, 0.25)


def test_nothing_heavy_is_imported_for_it() -> None:
    run = subprocess.run(
        [sys.executable, "-c", _CODE], capture_output=True, text=True, check=True, timeout=60
    )
    first, second, modules = run.stdout.splitlines()

    assert (first, second) == ("me5-small-q4", "potion-8m-int8")
    assert HEAVY.isdisjoint(modules.split())


def test_it_takes_less_than_a_millisecond() -> None:
    folder = find_model(None, {})
    spent = []
    for _ in range(20):
        start = time.perf_counter()
        identity(folder)
        spent.append(time.perf_counter() - start)

    assert min(spent) < 0.001
