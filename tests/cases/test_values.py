"""Case 20, of the result that a manager hands out; 18 to 22 are in tests/extract."""

from __future__ import annotations

from litemem.aio.result import MemoryExtractionResult


def test_an_empty_extraction_result_has_empty_lists_of_its_own() -> None:
    """Case 20: an empty extraction result has empty lists."""
    one, other = MemoryExtractionResult(), MemoryExtractionResult()
    one.memories_created.append("m1")

    assert other.extracted_facts == []
    assert other.memories_created == []
    assert other.memories_updated == []
