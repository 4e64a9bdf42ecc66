"""Dates that a fact has because the turn says "tomorrow"."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE: Final = re.compile(
    rf"\b(?:\d{{4}}-\d\d(?:-\d\d)?|(?:{_DAY} (?:of )?)?{_MONTH}\b(?: {_DAY}\b)?(?:,? \d{{4}}\b)?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:19|20)\d\d(?!\d))"
    r"|\d{4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?|\d{1,2}月\d{1,2}[日号]",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_RELATIVE: Final = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|just|next|last|this|coming|ago|since|for|weekend|age"
    r"|old|turn(?:ed|ing)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:days?|weeks?|months?"
    r"|years?))\b|[今明昨去前后]天|[今明去前后]年|[上下这本]个?[周月]|周[一二三四五六日末]|星期"
    r"|[年天月周]前|[年天月周]后|最近|刚|岁",
    re.IGNORECASE,
)


def undated(content: str, said: str, numbers: frozenset[str], at: datetime | None) -> str:
    """
    Return a fact without the dates that may have been reckoned from what was said and when.

    A year is one when it is that of the turn, the one before or after, or as many years before it
    as a number in the turn says ("twelve years ago").
    """
    if at is None or not _RELATIVE.search(said):
        return content
    ages = [int(one) for one in numbers if len(one) < 3]
    years = {at.year - 1, at.year, at.year + 1, *(at.year - age for age in ages)}
    return _DATE.sub(lambda found: _kept(found[0], years), content)


def _kept(date: str, years: set[int]) -> str:
    year = _YEAR.search(date)
    return date if year and int(year[0]) not in years else " "
