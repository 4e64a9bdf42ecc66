"""How often facts were recalled: counted, shown, and never another user's."""

from __future__ import annotations

from datetime import timedelta

import pytest

from litemem.memory.memory import Memory
from tests.conftest import NOW


def test_statistics_tell_used_facts_from_cold_ones(memory: Memory) -> None:
    tea, _, cake = [memory.remember(f"likes {what}").id for what in ("tea", "gin", "cake")]
    old = memory.remember("likes pie").id
    index, other = memory._space.index, memory.for_user("ann")
    other.remember("likes tea too")

    index.record_use("default", [tea, cake, old], NOW)
    index.record_use("default", [tea], NOW + timedelta(days=1))
    memory.remember("likes plum pie", replaces=old)

    stats = memory.stats()
    assert (stats.used, stats.cold) == (2, 2)
    assert stats.rate == pytest.approx(0.5)
    assert (other.stats().used, other.stats().cold, other.stats().rate) == (0, 1, 0.0)


def test_a_home_without_facts_has_no_rate(memory: Memory) -> None:
    stats = memory.stats()

    assert (stats.used, stats.cold, stats.rate) == (0, 0, 0.0)


def test_a_fact_says_how_often_it_was_recalled(memory: Memory) -> None:
    tea = memory.remember("likes tea").id
    assert memory.get(tea).use is None

    memory._space.index.record_use("default", [tea], NOW)
    memory._space.index.record_use("default", [tea], NOW + timedelta(days=1))

    use = memory.get(tea).use
    assert use is not None
    assert (use.n, use.last) == (2, NOW + timedelta(days=1))
