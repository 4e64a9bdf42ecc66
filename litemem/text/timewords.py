"""Times in words: what a question asks for and names, and which texts speak of one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final

_NAMES: Final = (
    ("january", "januar", "enero", "janvier", "gennaio", "janeiro"),
    ("february", "februar", "febrero", "février", "febbraio", "fevereiro"),
    ("march", "märz", "marzo", "mars", "março"),
    ("april", "abril", "avril", "aprile"),
    ("may", "mai", "mayo", "maggio", "maio"),
    ("june", "juni", "junio", "juin", "giugno", "junho"),
    ("july", "juli", "julio", "juillet", "luglio", "julho"),
    ("august", "agosto", "août"),
    ("september", "sept", "septiembre", "septembre", "settembre", "setembro"),
    ("october", "oktober", "octubre", "octobre", "ottobre", "outubro"),
    ("november", "noviembre", "novembre", "novembro"),
    ("december", "dezember", "diciembre", "décembre", "dicembre", "dezembro"),
)
_MONTHS: Final = {
    name: number
    for number, names in enumerate(_NAMES, 1)
    for name in (*names, names[0][:3])  # the English ones also cut short: "Sep 8"
}


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_MONTH: Final = rf"(?P<month>{_any(_MONTHS)})\b\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|º)?"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_OF: Final = r"[\s-]+(?:(?:of|de|di|del)\s+)?"
_NO_OTHER_YEAR: Final = r"(?!,?\s+\d{4}\b)"
_IN: Final = (
    "in|of|since|until|till|during|by|before|after|last|next|this|early|late|mid|im|seit|bis|ab|en|desde"
    "|depuis|nel|em"
)
_DATES: Final = (
    rf"(?<![A-Za-z\d.-]){_YEAR}[-/](?P<month>0?[1-9]|1[0-2])[-/](?P<day>\d{{1,2}})(?![\d-])",
    # 2023.2.1 is a version more often.
    rf"(?<![A-Za-z\d.-]){_YEAR}\.(?P<month>0[1-9]|1[0-2])\.(?P<day>\d\d)(?![\d-]|\.\d)",
    rf"(?<![\d-]){_YEAR}-(?P<month>0[1-9]|1[0-2])(?![\d-])",
    rf"(?<![A-Za-z\d.-])(?P<day>\d{{1,2}})\.\s?(?P<month>0?[1-9]|1[0-2])\.\s?{_YEAR}(?![\d-]|\.\d)",
    rf"(?<![A-Za-z\d/-])(?P<day>\d{{1,2}})(?P<slash>[/-])(?P<month>\d{{1,2}})[/-]{_YEAR}(?![\d/-])",
    rf"{_YEAR}\s*[年년]\s*(?P<month>\d{{1,2}})\s*[月월](?:\s*(?P<day>\d{{1,2}})\s*[日号號일])?",
    r"(?<!\d)(?P<month>\d{1,2})\s*[月월](?:\s*(?P<day>\d{1,2})\s*[日号號일])?",
    rf"\b{_MONTH}\s+{_DAY}\b(?:,?\s+{_YEAR}\b)?{_NO_OTHER_YEAR}",
    rf"(?<![\d:/.-]){_DAY}{_OF}{_MONTH}(?:,?{_OF}{_YEAR}\b)?{_NO_OTHER_YEAR}",
    rf"\b{_MONTH},?{_OF}{_YEAR}\b",
    # A month alone needs a word before it: "may" and "march" are verbs too.
    rf"\b(?:{_IN})[\s-]+{_MONTH}",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedDate:
    """A day or a month as a text names it; None is "any"."""

    month: int
    year: int | None = None
    day: int | None = None

    @property
    def one_day(self) -> date | None:
        """The day, where it's named in full."""
        if self.year is None or self.day is None:
            return None
        return date(self.year, self.month, self.day)

    def matches(self, when: date) -> bool:
        """Return whether `when` is such a day."""
        return (
            self.month == when.month
            and self.year in {None, when.year}
            and self.day in {None, when.day}
        )


def named_dates(text: str) -> tuple[NamedDate, ...]:
    """
    Return the dates that a text names, in no order: `2023-05-08`, `8 May`, `in May`, `5月8日`.

    Each stretch of text counts once, for the fullest date in it. `5/8/2023` is read both ways, as
    who wrote it may mean May or August; `8.5.2023` is a day in May. A year alone is none.
    """
    text = _plain(text[:_LOOKED_AT])
    if _DIGIT.search(text) is None and _MONTHS.keys().isdisjoint(_WORD.findall(text.casefold())):
        return ()
    found: list[NamedDate] = []
    taken: list[tuple[int, int]] = []
    for pattern in _dates():
        for match in pattern.finditer(text):
            start, end = match.span()
            if any(start < other_end and other < end for other, other_end in taken):
                continue
            named = _readings(match.groupdict())
            if named:
                taken.append((start, end))
                found += named
    return tuple(dict.fromkeys(found))


@cache
def _dates() -> tuple[re.Pattern[str], ...]:
    # 4 ms, and few questions name a date.
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in _DATES)


def _plain(text: str) -> str:
    if text.isascii():
        return text
    from unicodedata import normalize  # full-width digits; letters apart from their accents

    return normalize("NFKC", text)


def _readings(groups: dict[str, str | None]) -> list[NamedDate]:
    ways = [groups]
    if groups.get("slash"):
        ways.append(groups | {"day": groups["month"], "month": groups["day"]})
    return [named for way in ways if (named := _named(way)) is not None]


def _named(groups: dict[str, str | None]) -> NamedDate | None:
    month = groups["month"] or ""
    year, day = groups.get("year"), groups.get("day")
    # 0 is no month: "Aprıl" matches "april" where case is ignored, and isn't it.
    number = int(month) if month.isdecimal() else _MONTHS.get(month.casefold(), 0)
    try:  # 2024 is a leap year: 29 February is a day
        date(int(year or 2024), number, int(day or 1))
    except ValueError:
        return None
    return NamedDate(month=number, year=int(year) if year else None, day=int(day) if day else None)


_DIGIT: Final = re.compile(r"\d")
_LOOKED_AT: Final = 2000  # characters of a query; a pasted page needn't be read to its end

_UNITS: Final = "second|minute|hour|day|night|week|weekend|month|year|decade|semester"
_ASKS: Final = re.compile(
    # "when" as a question, not as in "how did she feel when ..."
    r"(?:^|[,.;:?!]\s*|\b(?:and|or|since|until|by|about|know|remember|say)\s+)when\b"
    r"|\bwhen(?:['\u2019]s|\s+(?:did|do|does|is|was|were|are|will|has|have|had|can|should|would))\b"
    r"|\bhow\s+(?:long|often|recently|old|soon|late|early)\b"
    rf"|\bhow\s+many\s+(?:\w+\s+)?(?:{_UNITS})s?\b"
    r"|\b(?:what|which)\s+(?:\w+\s+)?(?:date|day|month|year|time|week|weekend|season)\b"
    r"|\b(?:wann|wie\s+lange|wie\s+oft|welche[mnrs]?\s+(?:tag|monat|jahr|datum))\b"
    r"|\b(?:cuándo|cuando|cuánto\s+tiempo|qué\s+(?:día|fecha|año|mes))\b"
    r"|\b(?:quand|combien\s+de\s+temps|quelle?\s+(?:date|jour|année|heure|mois))\b"
    r"|\b(?:quando|quanto\s+tempo|da\s+quanto|che\s+(?:giorno|anno|mese|data)|que\s+(?:dia|ano))\b"
    r"|\b(?:wanneer|hoe\s+lang|hoe\s+vaak|welke\s+(?:dag|datum))\b"
    r"|\b(?:когда|как\s+долго|сколько\s+времени|в\s+каком\s+(?:году|месяце))\b"
    r"|什么时候|什麼時候|何时|何時|多久|哪天|哪一?[天年月]|几号|幾號|几点|幾點|几月|多长时间|日期|时间"
    r"|いつ|何[日月年時]|どのくらい|どれくらい|언제|얼마나\s*오래|며칠|몇\s*[월년시]",
    re.IGNORECASE,
)

# Texts are read word by word: one regular expression for all of this costs 400 us a row, and a
# search looks at some two hundred rows.
_WORD: Final = re.compile(r"\d{1,2}:\d\d|\w+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ALONE: Final = _words("""
    yesterday today tonight tomorrow ago recently lately monday tuesday wednesday thursday friday
    saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays gestern
    vorgestern heute übermorgen montag dienstag mittwoch donnerstag freitag samstag sonntag ayer hoy
    mañana anoche lunes martes miércoles jueves viernes sábado domingo hier demain lundi mardi
    mercredi jeudi vendredi samedi ieri oggi domani ontem hoje amanhã gisteren vandaag вчера сегодня
    завтра назад
""")
_NUMBERS: Final = _words("""
    a an one two three four five six seven eight nine ten few several couple some many first second
    third fourth fifth sixth seventh eighth ninth tenth ein eine einem einer zwei drei vier fünf
    sechs sieben acht neun zehn un una uno dos tres cuatro cinco seis siete ocho diez une deux trois
    quatre cinq sept huit due tre quattro cinque sei sette otto dieci um uma dois três een twee drie
    vijf
""")
_SPANS: Final = _words(f"""
    {_UNITS.replace("|", " ")} {_UNITS.replace("|", "s ")}s stunde stunden tage tagen woche wochen
    monat monate monaten jahr jahre jahren hora horas día días semana semanas mes meses año años
    heure heures jour jours semaine semaines mois ans année années ore giorno giorni settimana
    settimane mese mesi anno anni dia dias mês ano anos uur dagen weken maand maanden jaar
""")
_NEAR: Final = _words("""
    last next this past previous coming other every letzte letzten letzter letztes nächste nächsten
    nächster nächstes diese diesen dieser dieses vorige vorig volgende volgend
""")
_NEARABLE: Final = (
    _SPANS
    | _words("morning evening spring summer autumn fall winter sommer herbst frühling")
    | _words("mon tue tues wed weds thu thur thurs fri sat sun")
    | frozenset(_MONTHS)
    | {"ages"}
)
_LONG: Final = _words("days weeks months years decades ages")
_FOR_LONG: Final = _words("in for after within over")
_AFTER_SPAN: Final = _words("""
    pasado pasada próximo próxima dernier dernière prochain prochaine scorso scorsa prossimo
    prossima passado passada
""")
_PREPOSITIONS: Final = frozenset(_IN.split("|"))
_CJK_TIME: Final = (
    r"昨[天日]|今[天日年]|明[天日年]|前天|[后後]天|[上下]周|[上下]个?月|去年|前年|来年|先週|来週|今週|先月"
    r"|来月|昨年|[\d一二三四五六七八九十]\s*个?[年月日号號天周点點時时년월일]|[星礼]期|周[一二三四五六日末]"
    r"|小时|小時|分钟|早上|晚上|下午|어제|오늘|내일|지난\s*[주달해]|다음\s*[주달해]|작년|내년"
)


def asks_when(query: str) -> bool:
    """Return whether a question asks when, how long or how often."""
    return _ASKS.search(query[:_LOOKED_AT]) is not None


def speaks_of_time(text: str) -> bool:
    """Return whether a text has a time in it: `yesterday`, `in May`, `3 years`, `上周`."""
    before = ""
    for word in _WORD.findall(text.lower()):
        if word in _ALONE or (word[0].isdigit() and _is_clock_or_year(word)):
            return True
        if before and _are_a_time(before, word):
            return True
        before = word
    return not text.isascii() and re.search(_CJK_TIME, text) is not None


def _is_clock_or_year(word: str) -> bool:
    if ":" in word:
        return True
    if len(word) == 4 and word[:2] in {"19", "20"} and word.isdecimal():
        return True
    return word[-2:] in {"am", "pm"} and word[:-2].isdecimal()


def _are_a_time(before: str, word: str) -> bool:
    if word in _NEARABLE:
        if before in _NEAR or (word in _LONG and before in _FOR_LONG):
            return True
        if word in _SPANS:
            return before in _NUMBERS or before.isdecimal()
        return word in _MONTHS and (before in _PREPOSITIONS or before[0].isdigit())
    if before in _MONTHS:
        return word[0].isdigit()
    return before in _SPANS and word in _AFTER_SPAN
