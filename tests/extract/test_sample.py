from __future__ import annotations

import json

from tests.benchmarks.extraction import SAMPLE, marks_of


def test_the_sample_is_200_messages_whose_labels_are_parts_of_them() -> None:
    lines = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]

    assert len({one["text"] for one in lines}) == 200
    assert all(label in one["text"] for one in lines for label in one["facts"])
    assert 80 <= sum(1 for one in lines if one["facts"]) <= 120


def test_97_of_100_extracted_facts_are_right() -> None:
    marks = marks_of()

    assert marks.precision >= 0.97, marks.wrong  # 0.980 measured


def test_the_rules_find_at_least_what_they_found_when_they_were_measured() -> None:
    marks = marks_of()

    assert marks.recall >= 0.95, marks.missed  # 0.981 measured
