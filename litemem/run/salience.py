"""What of a passage must not be lost: its words, numbers and names, and what it is said for."""

from __future__ import annotations

import re
from typing import Final

from litemem.run.sentences import Passage

_CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD: Final = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:'[^\W\d_]+)?")
_CJK_LETTER: Final = re.compile(f"[{_CJK}]")
_ITEM: Final = re.compile(
    r"(?:[\w.~-]*/)+[\w.-]*\w"  # a path
    r"|\b\w[\w-]+\.[A-Za-z][A-Za-z0-9]{0,4}\b"  # a file name
    r"|\b[A-Za-z]+\d[\w-]*|\b\w+_\w+\b|\b[a-z]+[A-Z]\w+\b|`[^`\n]{2,40}`"  # an identifier
    r"|\d(?:[\d.,:/%-]*[\d%])?",  # a number, date, time, version
)


def _any_of(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


_CODE: Final = re.compile(r"\s*(?:except|raise|catch|throw|throws)\b")
"""Lines of code that handle an error report none."""

_REQUEST: Final = _any_of(
    r"[?？]",
    r"\b(?:please|can you|could you|would you|i want|i need|i'd like|i would like|let's|help me"
    r"|make sure|remember|don't|never|always|bitte|kannst du|ich möchte|ich brauche)\b",
    r"^(?:add|build|change|check|create|explain|find|fix|implement|make|move|remove|rename|run"
    r"|show|tell|update|use|write)\b",
    "请|帮我|能不能|可以吗|我想|我要|需要|不要|记住",
)
_DECISION: Final = _any_of(
    r"\b(?:decided|decision|decide to|chose|chosen|agreed|settled on|going with|go with|we'll use"
    r"|will use|let's use|switch(?:ed|ing)? to|instead of|rather than|prefer|entschieden"
    r"|beschlossen)\b",
    "决定|选择了|改用|采用|同意|确定用|不再用",
)
_ERROR: Final = _any_of(
    r"\b(?:error|exception|traceback|failed|failure|fails|crash(?:ed|es)?|panic|cannot"
    r"|not found|denied|refused|timed? ?out|broken|bug|fehler|fehlgeschlagen)\b",
    r"\w(?:Error|Exception)\b",
    "错误|失败|异常|报错|崩溃",
)
_OPEN: Final = _any_of(
    r"\b(?:todo|fixme|tbd|next step|next up|remaining|still (?:need|have|to|open|missing)"
    r"|not yet|unfinished|pending|left to do|follow.?up|needs? to|must(?! have)|blocked|offen"
    r"|noch zu)\b",
    r"\[ \]",
    "待办|还需要|下一步|尚未|还没|未完成|必须",
)


def words(text: str) -> list[str]:
    """Return a text's words in lower case, with repeats; CJK runs as overlapping bigrams."""
    found: list[str] = []
    for word in _WORD.findall(text.casefold()):
        if len(word) > 2 and _CJK_LETTER.match(word):
            found.extend(word[i : i + 2] for i in range(len(word) - 1))
        else:
            found.append(word)
    return found


def items(text: str) -> list[str]:
    """Return the numbers, file names and identifiers of a text, with repeats."""
    return [item.strip("`") for item in _ITEM.findall(text)]


def must_keep(passage: Passage) -> bool:
    """Whether a passage asks, decides, reports an error, or leaves something to do."""
    text = passage.text
    if passage.role == "tool":
        return _ERROR.search(text) is not None
    if _CODE.match(text):
        return False
    asks = (_REQUEST,) if passage.role in ("user", "") else ()
    kinds = (_DECISION, _ERROR, _OPEN, *asks)
    return any(kind.search(text) for kind in kinds)
