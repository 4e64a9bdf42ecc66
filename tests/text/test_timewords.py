"""Dates and times in words."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.text.timewords import NamedDate, asks_when, named_dates, speaks_of_time


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("on 2023-05-08?", NamedDate(year=2023, month=5, day=8)),
        ("8 May 2023", NamedDate(year=2023, month=5, day=8)),
        ("MAY 8TH", NamedDate(month=5, day=8)),
        ("what happened in May", NamedDate(month=5)),
        ("am 3. März", NamedDate(month=3, day=3)),
        ("le 2 août 2021", NamedDate(year=2021, month=8, day=2)),
        ("5月8日", NamedDate(month=5, day=8)),
        ("2023年5月", NamedDate(year=2023, month=5)),
        ("Auguſt 2020", NamedDate(year=2020, month=8)),  # a long s is an s
        ("am 8.5.2023?", NamedDate(year=2023, month=5, day=8)),
        ("08. 05. 2023", NamedDate(year=2023, month=5, day=8)),
        ("on 14/05/2023", NamedDate(year=2023, month=5, day=14)),
        ("on 5/14/2023", NamedDate(year=2023, month=5, day=14)),
        ("14-5-2023", NamedDate(year=2023, month=5, day=14)),
        ("2023.05.08", NamedDate(year=2023, month=5, day=8)),
        ("08-May-2023", NamedDate(year=2023, month=5, day=8)),
        ("２０２３年５月８日", NamedDate(year=2023, month=5, day=8)),
        ("5月买了什么", NamedDate(month=5)),
        ("le 3 fe\u0301vrier", NamedDate(month=2, day=3)),
        ("ab Mai", NamedDate(month=5)),
    ],
)
def test_a_date_is_read_in_many_forms(text: str, named: NamedDate) -> None:
    assert named_dates(text) == (named,)


@pytest.mark.parametrize(
    "text",
    [
        *("", "may I?", "they march on", "2023", "Aprıl 2020", "0 May", "٣"),
        *("10.0.0.1", "v1.2.2024", "1.2.2024.5", "31.02.2024", "14/15/2023", "1/2/3/2023"),
        *("pycharm 2023.2.1", "ubuntu 2022.04.3", "phone 555-2023-05", "May 8 1850", "5个月"),
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert named_dates(text) == ()


def test_a_date_with_slashes_is_read_both_ways() -> None:
    may, august = NamedDate(year=2023, month=5, day=8), NamedDate(year=2023, month=8, day=5)

    assert set(named_dates("what was on 5/8/2023?")) == {may, august}


@given(st.dates(min_value=date(1950, 1, 1), max_value=date(2050, 1, 1)))
def test_every_day_is_found_as_it_is_written(day: date) -> None:
    forms = ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d.%m.%Y")

    found = [named_dates(f"what about {day.strftime(form)}?") for form in forms]

    assert found == [(NamedDate(year=day.year, month=day.month, day=day.day),)] * len(forms)
    assert found[0][0].matches(day)


@given(st.text())
def test_any_text_can_be_asked(text: str) -> None:
    named_dates(text)
    asks_when(text)
    speaks_of_time(text)


@given(st.text(alphabet="aprılſmyAPRİLugst0129 .-/:年月日"))
def test_text_that_is_nearly_a_date_can_be_asked(text: str) -> None:
    named_dates(text)
    speaks_of_time(text)


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "in May",
        "May 8",
        "8 May",
        "last summer",
        "3 years",
        "a few days before",
        "in 2019",
        "上周",
        "三年",
        "at 14:05",
        "9am",
        "last Fri",
        "the other day",
        "every summer",
        "after my first week",
        "in years",
        "lately",
        "letzte Woche",
        "la semana pasada",
    ],
)
def test_a_time_in_words_is_recognised(text: str) -> None:
    assert speaks_of_time(f"we met {text}")


def test_a_question_for_a_time_is_recognised() -> None:
    assert asks_when("When did she move?")
    assert asks_when("wie lange?")
    assert asks_when("她什么时候来?")
    assert not asks_when("how did she feel when he came?")


@pytest.mark.parametrize(
    "text", ["may be", "room 2119a", "1066 and all that", "7 cats", "家里", "in sun"]
)
def test_what_is_no_time_is_not_one(text: str) -> None:
    assert not speaks_of_time(text)
