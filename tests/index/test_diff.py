"""A diff is complete, and the least that must be done."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from litemem.index.diff import diff
from litemem.index.rows import Row, Stored, row_of
from tests.index.made import fact


def row(name: str, text: str, importance: float, line: int) -> Row:
    """Return a row of one line."""
    made = row_of(fact(name, text), 1, 2)
    return made._replace(line=line, importance=importance)


contents = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(("tea", "ale")), st.sampled_from((0.5, 0.9))),
    max_size=8,
).map(lambda found: [row(*one, line) for line, one in enumerate(found, start=1)])
olds = contents.map(lambda rows: [Stored(100 + n, 0, 1, one) for n, one in enumerate(rows)])


@given(olds, contents)
def test_applying_a_diff_gives_the_new_rows(old: list[Stored], new: list[Row]) -> None:
    change = diff(old, new)
    stays = [after for _, after in change.kept + change.changed]
    gone = {stored.rowid for stored in change.removed}
    paired = [stored.rowid for stored, _ in change.kept + change.changed]

    assert Counter(stays + change.added) == Counter(new)
    assert sorted(paired + list(gone)) == [stored.rowid for stored in old]


@given(olds, contents)
def test_no_text_is_both_removed_and_added(old: list[Stored], new: list[Row]) -> None:
    change = diff(old, new)

    removed = {stored.row.embedded for stored in change.removed}
    assert removed.isdisjoint(one.embedded for one in change.added)


@given(contents)
def test_equal_rows_are_kept_wherever_they_moved(new: list[Row]) -> None:
    moved = [Stored(n, 0, 1, one._replace(line=one.line + 7)) for n, one in enumerate(new)]

    change = diff(moved, new)

    assert len(change.kept) == len(new)


def test_a_changed_line_with_the_same_id_and_text_keeps_its_row() -> None:
    old = [Stored(1, 0, 1, row("a", "tea", 0.5, 1)), Stored(2, 0, 1, row("b", "tea", 0.5, 2))]

    change = diff(old, [row("b", "tea", 0.9, 1), row("a", "tea", 0.9, 2)])

    assert {(stored.rowid, after.id) for stored, after in change.changed} == {(1, "a"), (2, "b")}
