"""One text has bitwise the same vector alone, in any batch, and with any number of threads."""

import random
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from litemem.embed.locate import find_model
from litemem.embed.onnx import OnnxEmbedder

if TYPE_CHECKING:
    from litemem.types import Vector

_RNG = random.Random(7)
_WORDS = ("tea", "Lisbon", "März", "数据库", "dashboards", "5433", "ERR_CONN", "ユーザー", "of")
_LENGTHS = (1, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 33, 70)
TEXTS = tuple(" ".join(_RNG.choice(_WORDS) for _ in range(n)) for n in _LENGTHS)
places = st.lists(st.integers(0, len(TEXTS) - 1), min_size=1, max_size=7)
reused = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@cache
def _alone(embedder: OnnxEmbedder, place: int) -> "Vector | None":
    return embedder.embed_passages([TEXTS[place]])[0]


@pytest.fixture(scope="module")
def two_threads() -> OnnxEmbedder:
    return OnnxEmbedder(find_model(None, {}), threads=2)


@reused
@given(places)
def test_a_batch_changes_no_bit_of_the_default_models_vectors(
    e5: OnnxEmbedder, batch: list[int]
) -> None:
    assert e5.embed_passages([TEXTS[place] for place in batch]) == [
        _alone(e5, place) for place in batch
    ]


@reused
@given(places)
def test_a_batch_changes_no_bit_of_the_fast_models_vectors(
    fast: OnnxEmbedder, batch: list[int]
) -> None:
    assert fast.embed_passages([TEXTS[place] for place in batch]) == [
        _alone(fast, place) for place in batch
    ]


def test_a_second_thread_changes_no_bit(e5: OnnxEmbedder, two_threads: OnnxEmbedder) -> None:
    texts = [*TEXTS, "", *reversed(TEXTS[:12])]

    assert two_threads.embed_passages(texts) == e5.embed_passages(texts)
