"""Which words say nothing by themselves, which must never differ, and which say the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LIGHT: Final = _words("""
    a an the i me my mine myself user's is are am be been being do does very really currently now
    also just actually still who which of i'm totally truly definitely
    """)

GUARDS: Final = _words("""
    not no never none nobody nothing cannot without neither nor longer anymore only except but
    unless if when while until till since before after during instead rather than over under
    he him his she her hers they them their theirs we us our ours you your yours it its
    was were had did went used will would could should might may must can wants want maybe
    perhaps probably almost partly mostly always usually often sometimes rarely seldom every each
    all some most few many several both either last next ago once twice half again another other
    today yesterday tomorrow tonight morning afternoon evening night noon midnight day week month
    year days weeks months years daily weekly monthly yearly weekend weekends weekday weekdays
    spring summer autumn fall winter january february march april june july august september
    october november december monday tuesday wednesday thursday friday saturday sunday mondays
    tuesdays wednesdays thursdays fridays saturdays sundays first second third more less least
    better best worse worst ex former previously formerly
    """)

NUMBERS: Final[Mapping[str, str]] = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    )
}

EVENTS: Final = re.compile(
    r"(?<!\bis )(?<!\bam )(?<!\bare )(?<!\ba )(?<!\ban )\b"
    r"(?!need|based|named|located|employed)[a-z]{3,}(?<!e)ed\b|"
    r"\b(?:was|were|had|did|went|ran|saw|met|bought|sold|ate|drank|got|made|took|gave|flew|drove|"
    r"came|left|lost|won|broke|told|said|wrote|read|found|felt|sent|paid|began|finished|today|"
    r"yesterday|tomorrow|tonight|last|next|ago|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"good (?:morning|night|evening|afternoon))\b|"
    r"昨|今天|明天|刚|上周|下周|周[一二三四五六日天]|星期|了|过(?=[，。！!.\s]|\Z)"
)
"""What happened, or will, rather than what is so."""

STARTERS: Final = _words("with because especially particularly including and")
"""Where a text that was whole goes on to say more."""

ORDERING: Final = _words("than over to from by before after instead rather of")
"""With these the order of the words tells who does what to whom."""

VERBS: Final = _words("live work name call in at as and for on")
"""Words that a list of facts about somebody may leave out: `Ann, an engineer in Rome`."""


def _rules(*rules: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in rules)


RULES: Final = _rules(
    (r"\bcan't\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"n't\b", " not"),
    (r"\b(he|she|it|they|we|you|i)'(?:s|re|m)\b", r"\1 is"),
    (r"\b(he|she|it|they|we|you|i)'ve\b", r"\1 have"),
    (r"\A(?:the )?user(?:'s)?\b", ""),
    (r"'s\b", ""),
    (r"\b(?:very much|so much|a lot)\b", ""),
    (r"\bhas\b", "have"),
    (r"\bhave got\b", "have"),
    (r"\bfavourite\b", "favorite"),
    (r"\bcolour\b", "color"),
    (r"\b(?:(?:is|am) (?:named|called|known as)|goes by(?: the name(?: of)?)?)\b", "name"),
    (
        r"\b(?:(?:is|am) )?(?:living|residing|based|located) in\b|\b(?:resides?|lives?) in\b",
        "live in",
    ),
    (r"\b(?:(?:is|am) )?(?:working|employed) (?:at|by)\b|\bworks? (?:at|for)\b", "work at"),
    (r"\bhave a job at\b", "work at"),
    (r"\b(?:(?:is|am) )?(?:working|employed) as\b|\bworks? as\b", "is"),
    (r"\b(?:is|am) (?:very )?(?:fond of|a (?:big |huge )?fan of)\b", "like"),
    (r"\b(?:enjoy|love)s?\b", "like"),
    (r"\bhave an? (\w+) allergy\b", r"allergic to \1"),
    (r"\bspeaks? fluent (\w+)", r"fluent in \1"),
    (r"\bspeaks? (\w+) fluently\b", r"fluent in \1"),
    (r"\b(?:is|am) planning to\b", "plan to"),
    (r"\b(prefers? .*?)\b(?:to|rather than|instead of)\b", r"\1over"),
)

CJK_RULES: Final = _rules(
    (r"\A(?:我|用户|本人)(?!们|的?(?:妈|爸|妻|老婆|丈夫|老公|儿|女|姐|妹|哥|弟|朋友))", ""),
    (r"现在|目前|非常|(?<!不)很|也|了(?=[，。！\s]|\Z)|[啊呢吧]", ""),
    (r"居住在", "住在"),
    (r"名字(?:是|叫)|叫做|名叫", "叫"),
    (r"喜爱", "喜欢"),
)
