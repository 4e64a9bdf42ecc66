from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.text.claim import Claim, claim, contradicts


@pytest.mark.parametrize(
    ("text", "relation", "value", "who"),
    [
        ("Works at Google", "works", "google", ""),
        ("The user is working for Acme Corp as a cook", "works", "acme corp", ""),
        ("I'm 35 years old.", "age", "35", ""),
        ("My wife moved to Rome", "lives", "rome", "my wife"),
        ("Ann Lee lives in Rome", "lives", "rome", "ann lee"),
        ("My wife's name is Ann", "attribute", "ann", "my wife's"),
        ("Has three kids", "count", "3", ""),
        ("likes tea", "is so", "yes", ""),
        ("我妈妈现在住在北京", "lives", "北京", "我妈妈"),
        ("我今年三十岁了", "age", "三十", ""),
        ("名叫小明", "name", "小明", ""),
    ],
)
def test_a_short_fact_claims_one_value(text: str, relation: str, value: str, who: str) -> None:
    found = claim(text)

    assert found
    assert (found.relation, found.value, found.who) == (relation, value, who)


@pytest.mark.parametrize(
    "text",
    [
        "Works at Google and Microsoft",
        "Lives in a flat",
        "Lives in Rome on weekends",
        "Plans to move to Rome",
        "My friend lives in Rome",
        "Is 300",
        "Works at the office",
        "My boss is annoying",
        "Works at Google; lives in Rome",
        "lives in Rome\nor so",
        "lives in One Two Three Four Five Six Seven",
        "Lives in " + "R" * 200,
    ],
)
def test_what_is_unsure_or_one_among_others_claims_nothing(text: str) -> None:
    assert claim(text) is None


def of(text: str) -> Claim:
    found = claim(text)
    assert found
    return found


@pytest.mark.parametrize(
    ("one", "other", "wrong"),
    [
        ("Lives in Rome", "Lives in Oslo", True),
        ("Lives in Rome", "Lives in Italy", False),
        ("Lives in Spain", "Lives in Italy", True),
        ("Name is Alex", "Name is Alexander", False),
        ("My email is a@b.c", "My email is aa@b.c", True),
        ("Prefers tea", "Prefers coffee over tea", True),
        ("Prefers red wine", "Prefers white wine", True),
        ("Prefers red wine", "Prefers long walks", False),
        ("Prefers red wine", "Prefers wine", False),
        ("Prefers Perl for scripts", "Prefers Bash for scripts", True),
        ("Prefers Perl for scripts", "Prefers Bash for jokes", False),
        ("Works at Google", "Lives in Rome", False),
    ],
)
def test_claims_contradict_each_other_where_both_cannot_be_true(
    one: str,
    other: str,
    wrong: bool,  # noqa: FBT001
) -> None:
    assert contradicts(of(one), of(other)) == wrong
    assert contradicts(of(other), of(one)) == wrong


@given(st.text())
def test_any_text_can_be_asked(text: str) -> None:
    found = claim(text)

    assert found is None or not contradicts(found, found)
