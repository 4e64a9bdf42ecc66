"""A text that says what holds now, since when, and what held before; and back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Final

_DAY: Final = r"\d{4}-\d\d-\d\d"
_MOST: Final = 5  # earlier texts that are named; all of them are in the fact's history
_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A text that held from a day on, until the next one did."""

    text: str
    since: date


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wording:
    now: str
    before: str
    gap: str

    @property
    def pattern(self) -> re.Pattern[str]:
        parts = (re.escape(part) for part in re.split(r"\{\w+\}", self.now))
        first, second, third = parts
        return re.compile(f"{first}(?P<text>.+?){second}(?P<day>{_DAY}){third}(?P<rest>.+)")

    @property
    def ending(self) -> re.Pattern[str]:
        first, second, third = (re.escape(part) for part in re.split(r"\{\w+\}", self.before))
        return re.compile(f"{first}(?P<text>.+?){second}(?P<day>{_DAY}){third}")


_ENGLISH: Final = _Wording(
    now="Currently: {text}, since {day}; before: ", before="{text} (until {day})", gap="; "
)
_CHINESE: Final = _Wording(
    now="目前：{text}，自 {day} 起；此前：", before="{text}（至 {day}）", gap="；"
)
_MARKS: Final = re.compile(r"[;；\n\r\u2028\u2029\x85]|\(until |（至 |, since \d|，自 \d")


def currently(spans: Sequence[Span]) -> str:
    """
    Write down what holds now and what held before.

    Args:
        spans: at least two, oldest first; their texts are `plain`.
    """
    now = spans[-1]
    wording = _CHINESE if _CJK.search(now.text) else _ENGLISH
    before = [
        wording.before.format(text=span.text, day=following.since.isoformat())
        for span, following in pairwise(spans)
    ]
    head = wording.now.format(text=now.text, day=now.since.isoformat())
    return head + wording.gap.join(before[::-1][:_MOST])


def read_currently(text: str) -> tuple[Span, tuple[tuple[str, date], ...]] | None:
    """
    Read what `currently` wrote.

    Returns:
        What holds now, and (text, until when), the latest first; None for another text.
    """
    for wording in (_ENGLISH, _CHINESE):
        found = wording.pattern.fullmatch(text)
        parts = found["rest"].split(wording.gap) if found else []
        ends = [wording.ending.fullmatch(part) for part in parts]
        try:
            if found and all(ends):
                before = tuple((end["text"], date.fromisoformat(end["day"])) for end in ends if end)
                return Span(text=found["text"], since=date.fromisoformat(found["day"])), before
        except ValueError:
            return None
    return None


def plain(text: str) -> str | None:
    """Return a fact's text as it stands in such a wording; None where it would be misread."""
    shown = text.strip().rstrip(".。!！ ")
    return None if not shown or _MARKS.search(shown) else shown
