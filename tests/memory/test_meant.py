"""What a query means, and how near rows are to it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.memory.meant import FEW, Meant
from litemem.types import Profile, Vector

NUMBERS = st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3).filter(any)
ANN, TEA, JOB = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def unit(*parts: Sequence[float]) -> Vector:
    """Return the sum of some directions at unit length."""
    total = [sum(column) for column in zip(*parts, strict=True)]
    length = sqrt(sum(number * number for number in total)) or 1.0
    return Vector(array("f", [number / length for number in total]).tobytes())


def meant(query: Vector, centre: Sequence[float] = (), questions: tuple[Vector, ...] = ()) -> Meant:
    """Return what a query means among texts with this mean."""
    return Meant(
        vector=query,
        questions=questions,
        centred=query,
        centre=centre,
        mean=0.0,
        n=9,
        profile=Profile(typical_unrelated=0.0, typical_related=1.0),
    )


def best_first(nearness: dict[int, float]) -> list[int]:
    """Return the rows in their order."""
    return sorted(nearness, key=lambda row: -nearness[row])


def test_of_a_named_speakers_rows_those_win_that_say_what_is_asked() -> None:
    query = unit(ANN, ANN, TEA)  # as much of a name as "What does Ann drink?" has
    rows = {row: unit(ANN, ANN, ANN, TEA) for row in range(2, 2 + FEW)}
    rows |= {0: unit(ANN, ANN, JOB), 1: unit(ANN, TEA, TEA)}

    plain, named = (best_first(meant(query).nearness(rows, who)) for who in ((), tuple(rows)))

    assert plain[0] != 1
    assert named[0] == 1
    assert named[-1] == 0


def test_few_rows_of_a_speaker_are_compared_with_all_texts() -> None:
    query, rows = unit(ANN, TEA), {0: unit(ANN), 1: unit(ANN, TEA, TEA)}

    found = meant(query, centre=(0.7, 0.0, 0.0)).nearness(rows, (0, 1))

    assert found[0] == pytest.approx(0, abs=0.05)
    assert found[1] > 0.8


def test_a_row_that_answers_one_of_two_questions_is_near() -> None:
    query = meant(unit(TEA, JOB), questions=(unit(TEA), unit(JOB)))
    rows = {0: unit(ANN), 1: unit(TEA, TEA, ANN), 2: unit(TEA, JOB, ANN), 3: unit(JOB, JOB, ANN)}

    found = query.nearness(rows)

    assert found[0] == 0
    assert min(found[1], found[3]) > found[2] * 0.9
    assert best_first(meant(unit(TEA, JOB)).nearness(rows))[0] == 2


@given(st.lists(NUMBERS, min_size=1, max_size=12), NUMBERS, st.integers(0, 2))
def test_the_order_of_rows_changes_no_nearness(
    numbers: list[list[float]], query: list[float], asked: int
) -> None:
    rows = dict(enumerate(map(unit, numbers)))
    wanted = meant(unit(query), (0.1, 0.2, 0.3), (unit(query), unit(TEA))[:asked])
    turned = dict(reversed(rows.items()))

    found = wanted.nearness(rows, tuple(rows))

    assert wanted.nearness(turned, tuple(turned)) == found
    assert found.keys() == rows.keys()


def test_nothing_is_near_where_no_row_has_a_vector() -> None:
    assert meant(unit(TEA)).nearness({}) == {}
    assert meant(unit(TEA), questions=(unit(TEA), unit(JOB))).nearness({}) == {}
