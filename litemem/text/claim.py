"""What a short fact claims that can be true of one value at a time: where one lives, one's age."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from litemem.text.claimwords import (
    ATTRIBUTES,
    COUNTED,
    COUNTRIES,
    COUNTS,
    HEDGES,
    NOWHERE,
    ONE_OF,
    OPPOSITES,
    STATIVE,
)
from litemem.text.normal import normalise
from litemem.text.saying import saying
from litemem.text.sayingwords import NUMBERS

_MAX_CHARS: Final = 120
_OLDEST: Final = 120
_MAX_WORDS: Final = 6  # of a value
_WHO: Final = (
    rf"(?:(?i:(?:the )?user|I)\b|(?P<who>(?i:my|(?:the )?user's) (?i:{ONE_OF})\b"
    r"|[A-Z][\w-]+(?: [A-Z][\w-]+)?(?= (?:is|has|lives|works|prefers|moved|turned|joined|goes)\b))"
    r")? ?(?i:(?:now|currently|just|recently|has|have) )*"
)
_AM: Final = re.compile(r"\bI'm\b")
_BE: Final = r"(?i:is|am) (?i:(?:now|currently) )?"
_V: Final = r"(?P<value>[^,;:!?()\"/]+?)"
_FOR: Final = r"(?P<context> (?i:for) .+)?"
_C: Final = (  # whose it is, in Chinese
    r"(?:用户|我(?!妈|爸|妻|老|丈|儿|女|姐|妹|哥|弟|朋))?"
    r"(?P<who>我(?:妈妈|爸爸|妻子|老婆|丈夫|老公))?"
    r"(?:现在|目前|今年)?"
)
_W: Final = r"(?P<value>[^，。；、和与或\s]{1,12}?)"
_OWNER: Final = rf"(?P<who>(?i:(?:my|(?:the )?user's) (?:{ONE_OF})'s)|[A-Z]\w+'s)"
_SELF: Final = r"(?i:my|(?:the )?user's) "
_IS: Final = r"(?i: is(?: now)?| (?:was )?changed to) "
_PATTERNS: Final = tuple(
    (relation, re.compile(pattern))
    for relation, pattern in (
        ("lives", rf"{_WHO}(?i:(?:lives?|{_BE}living|{_BE}based|resides?) in) {_V}"),
        ("lives", rf"{_WHO}(?i:moved|relocated) (?i:to) {_V}"),
        ("works", rf"{_WHO}(?i:works? (?:at|for)|{_BE}(?:working|employed) (?:at|for|by)) {_V}"),
        ("works", rf"{_WHO}(?i:started working at|got a job at|joined(?= .+ as )) {_V}"),
        ("role", rf"{_WHO}(?i:works?|{_BE}working) (?i:as an?) {_V}"),
        ("age", rf"{_WHO}(?:{_BE}|(?i:turned) )(?P<value>\d{{1,3}})(?i: years? old)?"),
        ("name", rf"{_WHO}(?:{_BE}(?i:named|called)|(?i:goes by)) {_V}"),
        ("status", rf"{_WHO}{_BE}(?P<value>(?i:single|married|engaged|divorced|widowed))"),
        ("diet", rf"{_WHO}{_BE}(?i:an? )?(?P<value>(?i:vegan|vegetarian|pescatarian))"),
        (
            "prefers",
            rf"{_WHO}(?i:prefers?) {_V}(?: (?i:over|to|rather than) (?P<against>[^,]+?))?{_FOR}",
        ),
        (
            "count",
            rf"{_WHO}(?i:has|have) (?P<value>\d+|(?i:{COUNTS}))(?P<context> (?i:{COUNTED}))",
        ),
        (
            "attribute",
            rf"(?:{_OWNER} |{_SELF})?(?P<context>(?i:{ATTRIBUTES})){_IS}{_V}",
        ),
        ("lives", rf"{_C}(?:住在|居住在|搬到了?|搬去了?){_W}了?"),
        ("works", rf"{_C}在{_W}(?:工作|上班)"),
        ("works", rf"{_C}(?:就职于|入职了?){_W}"),
        ("age", rf"{_C}(?P<value>\d{{1,3}}|[一二三四五六七八九十]{{1,3}})岁了?"),
        ("name", rf"{_C}(?:的?名字(?:是|叫)|名叫|叫){_W}"),
    )
)
_TAIL: Final = re.compile(r" (?i:as|in|since|with|near|on|from|at|these days|now|already)\b.*")
_ARTICLE: Final = re.compile(r"(?i:an?|the|my|his|her|their|our)\b")
_AGAIN: Final = frozenset(("not", "no", "never", "longer", "anymore"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A relation of somebody to one value."""

    relation: str
    value: str  # normalised
    who: str = ""  # '' for the one whose memory it is
    context: str = ""
    against: str = ""  # of a preference: over what

    @property
    def about(self) -> tuple[str, str, str]:
        """What two claims must share to be about one thing."""
        return self.relation, self.who, self.context


def claim(text: str) -> Claim | None:
    """Return the one claim that a fact is; None where it's another, a longer or an unsure one."""
    shown = " ".join(_AM.sub("I am", text.replace("\u2019", "'")).split()).rstrip(" .!。！")
    if len(shown) > _MAX_CHARS or "\n" in text.strip():
        return None
    if not HEDGES.search(shown):
        for relation, pattern in _PATTERNS:
            found = pattern.fullmatch(shown)
            if found is not None:
                return _claim(relation, found)
    return _polarity(text)


def contradicts(one: Claim, other: Claim) -> bool:
    """Say whether two claims about one thing can't be true at the same time."""
    first, second = one.value, other.value
    if first == second or one.about != other.about:
        return False
    if one.relation == "prefers":
        swapped = one.against == second or other.against == first
        single = one.context and " " not in first + second
        return bool(swapped or single) or _opposite(first, second)
    if {*first.split()} <= {*second.split()} or {*second.split()} <= {*first.split()}:
        return False  # `Lisbon` and `Lisbon, Portugal`
    if first in second or second in first:
        named = ("lives", "works", "name", "role")
        return one.relation not in named and one.context != "name"  # `Alex`, `Alexander`
    return one.relation != "lives" or (first in COUNTRIES) == (second in COUNTRIES)


def _claim(relation: str, found: re.Match[str]) -> Claim | None:
    groups = {name: value or "" for name, value in found.groupdict().items()}
    value = groups["value"]
    if relation in ("lives", "works", "role"):
        value = _TAIL.sub("", value)
        if _ARTICLE.match(value) or normalise(value) in NOWHERE:
            return None
    context = normalise(groups.get("context", ""))
    if not value.strip() or len(value.split()) > _MAX_WORDS or _is_vague(relation, context, value):
        return None
    if relation in ("age", "count"):
        value = NUMBERS.get(value.lower(), value)
    return Claim(
        relation=relation,
        value=normalise(value),
        who=normalise(groups.get("who", "")),
        context=context,
        against=normalise(groups.get("against", "")),
    )


def _is_vague(relation: str, context: str, value: str) -> bool:
    """Say whether what stands where a name, a date or a measure belongs is none."""
    if relation == "age":
        return value.isdecimal() and int(value) > _OLDEST
    named = relation in ("lives", "works", "name")
    named |= relation == "attribute" and not context.startswith(("fav", "pref"))
    return named and value[0].islower() and "@" not in value


def _opposite(first: str, second: str) -> bool:
    """Say whether two values differ in one word and its opposite: `dark mode`, `light mode`."""
    words, others = first.split(), second.split()
    pairs = {pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]}
    if len(words) != len(others) or len(pairs) != 1:
        return False
    return bool(OPPOSITES & {frozenset(pair) for pair in pairs})


def _polarity(text: str) -> Claim | None:
    """Read `likes tea` and `doesn't like tea` as one claim with two values."""
    found = saying(re.sub(r"(?i)\b(?:dislikes?|hates?)\b", "not like", text))
    if found is None or found.words[0] not in STATIVE or len(found.words) > _MAX_WORDS:
        return None
    denied = _AGAIN.intersection(found.guard)
    rest = [word for word in found.guard if word not in _AGAIN]
    context = "\0".join((*found.words, "", *rest, *found.names))
    return Claim(relation="is so", value="no" if denied else "yes", context=context)
