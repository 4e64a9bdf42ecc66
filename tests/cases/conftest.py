"""The fixtures of tests/aio, and vectors as a caller brings them."""

from __future__ import annotations

from array import array

from litemem import HashEmbedder
from tests.aio.conftest import Clock, OpenStore, clock, store, stores

__all__ = ["Clock", "OpenStore", "axis", "clock", "meant", "store", "stores"]

DIMENSION = 64


def meant(text: str) -> list[float]:
    """Return a text's vector as a caller would bring it."""
    vector = HashEmbedder().embed_query(text)
    assert vector is not None
    return [*array("f", vector)]


def axis(*values: float) -> list[float]:
    """Return a vector with these first numbers, and zeros."""
    return [*values, *[0.0] * (DIMENSION - len(values))]
