"""What the user asks, in so many words, to have remembered."""

from __future__ import annotations

import re
from typing import Final

_LEAD: Final = (
    r"(?:(?:hi|hey|hello|ok|okay|also|and|but|oh|so|well|btw|by the way|one more thing|please|pls"
    r"|just"
    r"|for later|yes|no|thanks|great)[,:!. ]+){0,3}"
)
_YOU: Final = (
    r"(?P<ask>(?:can|could|would|will) you (?:please |also |just ){0,2}|i(?:'d"
    r"| would) like you to |i (?:want"
    r"|need) you to |make sure (?:you |to )|be sure to |you (?:should|must|need to"
    r"|can) (?:also )?)?"
)
_VERB: Final = (
    r"(?:always )?(?:(?P<weak>remember|don't forget|do not forget|dont forget|never forget)"
    r"|keep in mind|bear in mind|note(?: down)?|make a (?:mental )?note(?: of)?|take (?:a )?note"
    r"|write down|jot down|memori[sz]e|save to memory|store in memory|add to (?:your )?memory"
    r"|remind me)"
)
_TAIL: Final = (
    r"(?:,? (?:that|this fact)(?:,|:)? |(?: (?:this|the following|one thing|for later|for me"
    r"|for next"
    r" time|for the future|down))?(?:: ?| [–—-] )|, (?=(?:i|my|we|our)\b)"
    r"| (?=(?:i|i'm|i've|my|we|we're|our)\b))"
)
_ENGLISH: Final = re.compile(
    _LEAD + r"(?:" + _YOU + _VERB + _TAIL + r"|(?:for the record|for (?:your )?future reference"
    r"|note to self|for your information)(?:,|:| [–—-])? )"
)
_NO_STATEMENT: Final = re.compile(
    r"(?:what|when|how|where|who|why|which|whether|if|to|it|this|that|these|those"
    r"|one)\b(?! \w+ \w+ \w+ \w)"
    r"|(?:what|when|how|where|who|why|which|whether|if)\b"
)
_CHINESE: Final = re.compile(
    r"(?:另外|还有|對了|对了|顺便|以后|今后|那|嗯|好的?|哦)?[，, ]{0,2}(?:请|請|麻烦|帮我|你|要"
    r"|一定|千万){0,4}"
    r"(?:记住|記住|记下来?|記下來?|记一下|記一下|别忘了?|別忘了?|不要忘记?|备注一下|牢记|记录一下"
    r"|(?<=请)记得|(?<=請)記得|记得(?=我(?:是|叫|不|对|對|喜|住|在|要|的))|注意(?=[，,：:]))"
    r"(?:这一?点|这件事|的是)?[，,：: ]{0,2}"
)
_ASKED_BACK_ZH: Final = re.compile(r"[吗嗎呢][？?。 ]{0,3}$")


def asked_to_remember(sentence: str, *, question: bool) -> int | None:
    """
    Return where, in a sentence's text, that begins what the user wants remembered.

    A question counts only where it is a request: "can you remember that ...".
    """
    found = _CHINESE.match(sentence)
    if found:
        return None if _ASKED_BACK_ZH.search(sentence) else _begin(sentence, found.end(), least=3)
    found = _ENGLISH.match(sentence)
    if not found or (question and not found["ask"]):
        return None
    return (
        None
        if _NO_STATEMENT.match(sentence, found.end())
        else _begin(sentence, found.end(), least=6)
    )


def _begin(sentence: str, at: int, *, least: int) -> int | None:
    """Return the place if so many characters are left there."""
    return at if len(sentence) - at >= least else None
