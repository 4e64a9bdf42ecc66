"""Whether a model's fact has anything of what was really said."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from litemem.extract.pattern import words

_HAN: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_WORD: Final = re.compile(r"[^\W_]{3,}")
# Words of every fact and every turn: they are no sign that one comes from the other.
_COMMON: Final = words(
    "the user users and has have had with for from that this they their are was were been who not"
    " but his her she him prefers likes wants uses about will would can does did its you your"
    " speaker person someone named called said says very all any also than then when what"
)
_STEM: Final = 4  # "lives" and "living", "allergic" and "allergies"


def is_grounded(content: str, said: str) -> bool:
    """
    Say whether a fact shares a word, by its first letters, with what was said.

    True also where that can't be told: nothing was said, the fact has no word to compare, or the
    two are written in different scripts, as a translation is.
    """
    stems, pairs = (_stems(content), _stems(said)), (_pairs(content), _pairs(said))
    if bool(pairs[0]) != bool(pairs[1]):
        return True
    comparable = [(fact, turn) for fact, turn in (stems, pairs) if fact and turn]
    return not comparable or any(not fact.isdisjoint(turn) for fact, turn in comparable)


def _stems(text: str) -> set[str]:
    folded = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(one for one in folded if not unicodedata.combining(one))
    words = (word for word in _WORD.findall(_HAN.sub(" ", plain)) if word not in _COMMON)
    return {word[:_STEM] for word in words}


def _pairs(text: str) -> set[str]:
    return {run[i : i + 2] for run in _HAN.findall(text) for i in range(len(run) - 1)}
