"""What is proposed of pairs of facts, labelled by hand: same, replaced, or neither."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from litemem.text.conflicts import conflicts
from litemem.text.duplicates import duplicates
from litemem.text.proposal import Refusals
from litemem.types import Fact

PAIRS = [
    json.loads(line)
    for line in Path("tests/data/consolidation.jsonl").read_text(encoding="utf-8").splitlines()
]
START = datetime(2026, 2, 8, tzinfo=UTC)


def proposed(pair: dict[str, str], *, near: bool) -> str:
    """Return what is proposed; with `near` as if each two vectors were near each other."""
    facts = [
        Fact(id=id_, content=pair[id_], created_at=START + timedelta(days=day))
        for day, id_ in enumerate(("old", "new"))
    ]

    def all_of(_main: Fact, others: Sequence[Fact]) -> list[str]:
        return [fact.id for fact in others]

    stay, fresh = Refusals(()), {"old", "new"}
    if conflicts(facts, fresh, stay, UTC):
        return "replaced"
    return "same" if duplicates(facts, fresh, stay, all_of if near else None) else "neither"


@pytest.mark.parametrize("near", [True, False])
def test_at_least_95_of_100_proposals_are_right(near: bool) -> None:  # noqa: FBT001
    found = Counter((proposed(pair, near=near), pair["label"]) for pair in PAIRS)

    right = found["same", "same"] + found["replaced", "replaced"]
    wrong = sum(number for (said, label), number in found.items() if said not in ("neither", label))
    assert right >= 0.95 * (right + wrong)
    assert right >= 35


def test_the_labels_are_of_all_three_kinds_and_no_pair_is_there_twice() -> None:
    assert min(Counter(pair["label"] for pair in PAIRS).values()) >= 20
    assert len({(pair["old"], pair["new"]) for pair in PAIRS}) == len(PAIRS) >= 60
