"""The bundled models, loaded once."""

import pytest

from litemem.embed.locate import find_model
from litemem.embed.onnx import OnnxEmbedder


@pytest.fixture(scope="session")
def e5() -> OnnxEmbedder:
    return OnnxEmbedder(find_model("me5-small-q4", {}), threads=1)


@pytest.fixture(scope="session")
def fast() -> OnnxEmbedder:
    return OnnxEmbedder(find_model("fast", {}), threads=1)
