"""The embedder without a model is deterministic and ranks by shared words."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.embed.hashing import HashEmbedder
from litemem.embed.vectors import cosine, unpack
from litemem.errors import InvalidValue
from litemem.types import Embedder, Vector

EMBEDDER = HashEmbedder()
words = st.text("abcdefgh", min_size=2, max_size=8)


def _vector(text: str, embedder: Embedder = EMBEDDER) -> Vector:
    vector = embedder.embed_query(text)
    assert vector is not None
    return vector


@given(st.text(max_size=40), st.integers(1, 80))
def test_any_text_has_a_unit_vector_or_none(text: str, dimension: int) -> None:
    embedder = HashEmbedder(dimension)
    (vector,) = embedder.embed_passages([text])

    assert (vector is None) == (embedder.count_tokens(text) == 0)
    if vector is not None:
        assert len(unpack(vector)) == dimension
        assert math.hypot(*unpack(vector)) == pytest.approx(1.0, abs=1e-6)
        assert vector == embedder.embed_query(text)


def test_its_vectors_are_the_same_on_every_machine() -> None:
    tea = unpack(_vector("Green tea", HashEmbedder(4)))

    assert list(tea) == pytest.approx([-0.18884465, 0.72840077, 0.53955615, 0.37768930])
    assert HashEmbedder(4).sha256 == HashEmbedder(4).sha256 != HashEmbedder(5).sha256
    assert HashEmbedder(4).name == "hash-4"


@given(st.lists(words, min_size=2, max_size=6, unique=True))
def test_order_and_case_dont_matter(texts: list[str]) -> None:
    assert cosine(
        _vector(" ".join(texts)), _vector(" ".join(reversed(texts)).upper())
    ) == pytest.approx(1.0, abs=1e-5)


def test_shared_words_and_shared_stems_are_near() -> None:
    question = _vector("Which tea does Caroline like?")
    answer = _vector("Caroline likes green tea")
    other = _vector("The database listens on port 5433")

    assert cosine(question, answer) > EMBEDDER.profile.typical_related - 0.1
    assert abs(cosine(question, other)) < 0.3
    assert cosine(_vector("engineer"), _vector("engineers")) > 0.3


@pytest.mark.parametrize("text", ["", " \n", "!?", "😀"])
def test_a_text_without_a_word_has_no_vector(text: str) -> None:
    assert EMBEDDER.embed_query(text) is None


def test_cancelled_features_still_make_a_vector() -> None:
    one = HashEmbedder(1)

    assert {len(_vector(f"w{n} v{n}", one)) for n in range(300)} == {4}


def test_a_dimension_below_one_is_refused() -> None:
    with pytest.raises(InvalidValue, match="dimension is 0"):
        HashEmbedder(0)
