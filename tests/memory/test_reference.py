"""The reference's formula as a search."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from datetime import timedelta

import pytest

from litemem.embed.hashing import HashEmbedder
from litemem.errors import InvalidQuery
from litemem.memory.memory import Memory
from litemem.memory.new import NewFact
from litemem.memory.reference import Boosts, reference_search
from litemem.memory.search import Results
from litemem.text.head import head
from litemem.types import Profile, Scope, Vector
from tests.conftest import NOW, OpenMemory

MODEL = HashEmbedder(256)
TEXTS = ("green tea", "black tea with milk", "works in Rome", "has a dog", "tea for the dog")


@pytest.fixture
def memory(opened: OpenMemory) -> Memory:
    """Return a memory with some facts of different age and importance."""
    memory = opened(model=None, embedder=MODEL)
    memory.remember_many(
        NewFact(content=text, importance=n / 10, created_at=NOW - timedelta(hours=7 * n))
        for n, text in enumerate(TEXTS)
    )
    return memory


def ask(memory: Memory, query: str, **said: object) -> Results:
    """Search by the formula."""
    vector = MODEL.embed_query(query)
    options: dict[str, object] = {"now": NOW, "profile": MODEL.profile} | said
    scope = Scope(user=memory.user_id)
    return reference_search(memory._space.index, query, vector, scope, **options)  # type: ignore[arg-type]


def cosine(one: Vector | None, other: Vector | None) -> float:
    """Return the cosine of two unit vectors."""
    assert one is not None
    assert other is not None
    return sum(a * b for a, b in zip(array("f", one), array("f", other), strict=True))


def test_each_part_is_the_formulas(memory: Memory) -> None:
    found = ask(memory, "tea", floor=0.0)
    best = max(found, key=lambda hit: hit.parts["keyword"])

    assert best.parts["keyword"] == pytest.approx(0.3)
    for hit in found:
        assert hit.created_at is not None
        text = head(None, hit.created_at.date()) + hit.content
        stored = MODEL.embed_passages([text])[0]
        age = (NOW - hit.created_at) / timedelta(days=1)
        assert hit.parts["vector"] == pytest.approx(
            0.7 * cosine(MODEL.embed_query("tea"), stored), abs=1e-5
        )
        assert hit.parts["importance"] == pytest.approx(0.2 * hit.importance)
        assert hit.parts["recency"] == pytest.approx(0.1 / (1 + age))
        assert hit.score == pytest.approx(sum(hit.parts.values()))
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


def test_weights_are_settable(memory: Memory) -> None:
    boosts = Boosts(semantic=0.0, fts=1.0, importance=0.0, recency=0.0)

    found = ask(memory, "tea", boosts=boosts)

    assert found[0].score == pytest.approx(1.0)
    assert found[0].parts["vector"] == 0


def test_importance_and_recency_admit_nothing(memory: Memory) -> None:
    memory.remember("the sun is bright", importance=1.0)

    assert "the sun is bright" not in [hit.content for hit in ask(memory, "zxqv tea")]
    assert not ask(memory, "zxqv blorptang", floor=0.6)


def test_without_a_profile_all_vectors_may_answer(memory: Memory) -> None:
    found = ask(memory, "zxqv blorptang", profile=None)

    assert len(found) == len(TEXTS)
    assert all(0 <= (hit.similarity or 0) <= 1 for hit in found)
    assert not ask(memory, "zxqv blorptang", profile=None, floor=0.99)


def test_without_a_vector_words_answer(memory: Memory) -> None:
    index = memory._space.index

    found = reference_search(index, "tea", None, Scope(), now=NOW)

    assert {hit.content for hit in found} == {text for text in TEXTS if "tea" in text}
    assert all(hit.similarity is None for hit in found)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_pages_are_pieces_of_one_answer(memory: Memory, size: int) -> None:
    whole = ask(memory, "tea", floor=0.0, limit=50).hits

    pages: list[Sequence[object]] = [
        ask(memory, "tea", floor=0.0, limit=size, offset=offset).hits
        for offset in range(0, len(TEXTS), size)
    ]

    assert [hit for page in pages for hit in page] == list(whole)


def test_a_scope_without_rows_has_no_hits(memory: Memory) -> None:
    vector = MODEL.embed_query("tea")

    assert not reference_search(
        memory._space.index,
        "tea",
        vector,
        Scope(user="nobody"),
        now=NOW,
        profile=Profile(typical_unrelated=0.0, typical_related=1.0),
    )


def test_a_limit_of_nothing_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidQuery, match="limit is 0"):
        ask(memory, "tea", limit=0)
