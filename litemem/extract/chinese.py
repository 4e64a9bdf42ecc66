"""What a Chinese clause states about the one who says it."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from litemem.extract.chinese_patterns import CHINESE, CHINESE_PIECES
from litemem.extract.kinds import Kind
from litemem.extract.pattern import compiled
from litemem.extract.sentence import LONGEST

_HAN: Final = re.compile("[\u3400-\u9fff]")
_LEAD: Final = re.compile(
    "(?:其实|另外|对了|對了|顺便(?:说一下|提一下|一提)?|还有|還有|而且|不过|但是?|因为|因為"
    "|所以|嗨|你好|您好|哈喽|嗯|哦|啊|好的?|然后|首先|补充一下|说起来|话说|先自我介绍一下"
    "|自我介绍一下|大家好|哎|唉|虽然|可是|由于|总之|老实说|说实话|那|谢谢|没错|是的|哈哈"
    "|告诉你|跟你说|悄悄告诉你|你知道吗|最近|现在|目前|今年|平时|周末|从小"
    "|作为一名.{1,8})[，,！!。：: ~～]{0,3}"
)
_ASK: Final = re.compile(
    "(?:请|請|帮|幫|麻烦|能不能|能否|可不可以|可以(?:帮|给|推)|你能|你可以|你(?:觉得|知道"
    "|会|说|帮)|怎么|怎麼|如何|为什么|為什麼|有没有|有什么|是不是|该|应该|給我|给我|告诉我"
    "|推荐|推薦|想(?:请|问|知道|让你)|我(?:想|要)(?:请|问|知道|让你|了解)|我该|我应该|谢谢"
    "|多谢)|.*(?:吗|嗎|什么|什麼|怎么|怎麼|多少|哪[里个些儿]|谁"
    "|呢(?=[？?]))[？?。！ ]{0,3}$"
)
_POISON: Final = re.compile(
    "(?:如果|要是|假如|假设|假使|万一|倘若|若是?|要不是|当我|每当)|[^我，,]{1,8}(?:说|說|问"
    "|問|告诉我|写道|回复|表示|觉得|认为)[我：:，,“]"
)


@cache
def _rules() -> list[tuple[Kind, list[re.Pattern[str]]]]:
    return compiled(CHINESE, CHINESE_PIECES)


def is_chinese(text: str) -> bool:
    """Say whether a text has Chinese characters."""
    return _HAN.search(text) is not None


def chinese_lead(clause: str) -> int:
    """Return how many characters only lead into the statement."""
    at = 0
    for _ in range(4):
        found = _LEAD.match(clause, at)
        if not found or found.end() == len(clause):
            break
        at = found.end()
    return at


def chinese_asks(clause: str) -> bool:
    """Say whether a clause is a question or a request."""
    return _ASK.match(clause[:LONGEST]) is not None


def chinese_supposes(sentence: str) -> bool:
    """Say whether a sentence supposes something, or reports what another said."""
    return _POISON.match(sentence[:LONGEST]) is not None


def chinese_kind(clause: str) -> Kind | None:
    """Return what kind of statement a clause makes about its speaker; None for anything else."""
    said = clause[:LONGEST]
    return next(
        (kind for kind, patterns in _rules() if any(one.match(said) for one in patterns)), None
    )
