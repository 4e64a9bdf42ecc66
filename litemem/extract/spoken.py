"""The user's own words in a message: what was pasted, quoted or is code is blotted out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from litemem.extract.earnest import earnest
from litemem.extract.pattern import words

BLOT: Final = "\ue000"
"""Stands for a character of a quotation or of code inside a sentence (a private code point)."""

_FENCE: Final = re.compile(r" {0,3}(```|~~~)")
_QUOTED_LINE: Final = re.compile(r"\s*[>|]")
_INDENTED: Final = re.compile(r"(?: {4}|\t)\s*(?![-*•\d\s])")
# Lines of logs, tracebacks, shells and programs. A user's sentence begins like none of them.
_MACHINE: Final = re.compile(
    r"""\s*(?:
        \[?\d{4}-\d\d-\d\d[T ]\d | \[?\d\d:\d\d:\d\d | (?:traceback|stack\ trace)\b
      | (?-i:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE)\b | \w+(?:error|exception):
      | at\ [\w.$<>]+\( | file\ " | \$\ | >>> | \#include | @\w+\( | <[a-z/!]
      | (?:def|class|function|const|let|var|return|import|export|public|private)\ [\w{*"'(]+
        \s*(?:[=({:;,]|from\b|$)
      | from\ [\w.]+\ import | (?:select|insert|update|delete)\ .{0,80}\b(?:from|into|set)\b
      | [\w.-]+\s?[=:]=?\s?[\["'{(\d] | [{}\[\])#/;] | \*/
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_SPEAKER: Final = re.compile(r"\s*\[?([A-Z][\w.'-]{0,24}(?: [A-Z][\w.'-]{0,24}){0,2})\]?[:：]\s")
_OWN_LABELS: Final = words(
    "also background btw context correction edit facts fyi goal hello hey hi important info me "
    "note notes ok okay plan preference preferences ps p.s reminder remember so stack update "
    "well yes"
)
_REPLY: Final = re.compile(r"\s*(?:on .{5,80} wrote:|-{3,} ?(?:original|forwarded))", re.IGNORECASE)
# A pair on one line. Apostrophes are quotation marks only around whole words.
_PAIRS: Final = re.compile(
    r'"[^"\n]{1,2000}"|“[^“”\n]{1,2000}”|„[^„“”\n]{1,2000}[“”]|«[^«»\n]{1,2000}»'
    r"|「[^「」\n]{1,2000}」|『[^『』\n]{1,2000}』|《[^《》\n]{1,2000}》|`[^`\n]{1,2000}`"
    r"|(?<![\w.,!?])['‘][^'’‘\n]{1,300}['’](?!\w)"
)

# "[shares a photo: ...]": put there by a program. Not a link's text, a check box or a footnote.
_BRACKETS: Final = re.compile(r"\[[^\[\]\n]{3,1000}\](?!\()")


def spoken(text: str) -> str:
    """
    Give the text, as long as it was, without what the user didn't say in their own words.

    Lines of code, logs, quoted mail and other speakers become line breaks, and so does what isn't
    meant; quotations inside a line become BLOTs.
    """
    own = _PAIRS.sub(_blotted, "".join(_lines(text))[: len(text)])
    return _BRACKETS.sub(_broken, earnest(own))


def _lines(text: str) -> Iterator[str]:
    fence, rest_is_mail = "", False
    for line in text.replace("\r", "\n").split("\n"):
        mark = _FENCE.match(line)
        inside = bool(fence or mark)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1] == fence:
            fence = ""
        rest_is_mail = rest_is_mail or _REPLY.match(line) is not None
        yield "\n" * len(line) if inside or rest_is_mail or _is_foreign(line) else line
        yield "\n"


def _is_foreign(line: str) -> bool:
    start = line[:200]
    if not start.strip():
        return False
    if _QUOTED_LINE.match(start) or _INDENTED.match(start) or _MACHINE.match(start):
        return True
    label = _SPEAKER.match(start)
    return label is not None and label[1].casefold().rstrip(".") not in _OWN_LABELS


def _blotted(pair: re.Match[str]) -> str:
    return BLOT * len(pair[0])


def _broken(bracket: re.Match[str]) -> str:
    return "\n" * len(bracket[0]) if " " in bracket[0] else bracket[0]
