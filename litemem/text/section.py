"""The part of a markdown file that a program keeps between two comments, and how it is replaced."""

from __future__ import annotations

import re
from typing import Final

OPEN: Final = "<!-- litemem:facts, kept by the program; write outside of it -->"
CLOSE: Final = "<!-- /litemem:facts -->"

_SECTION: Final = re.compile(
    # No other beginning inside: one whose end a person took out doesn't reach over their text.
    rf"^{re.escape(OPEN)}[ \t]*\r?\n(?:(?!{re.escape(OPEN)}).*\n)*?"
    rf"{re.escape(CLOSE)}[ \t]*(?=\r?$)",
    re.MULTILINE,
)
_MARKS: Final = re.compile(
    rf"^(?:{re.escape(OPEN)}|{re.escape(CLOSE)})[ \t]*(?:\r?\n|\Z)", re.MULTILINE
)
_COMMENT: Final = re.compile("<!--|-->")
_ESCAPES: Final = {"<!--": "&lt;!--", "-->": "--&gt;"}


def replace_section(text: str, body: str) -> str:
    """
    Return a file's text with `body` as its kept section; all outside of it stays as it is.

    A missing section is added at the end. The first one counts, were it there twice. Comments in
    `body` are escaped, so that no text can end the section.
    """
    plain = body.replace("\r\n", "\n")
    inner = _COMMENT.sub(lambda found: _ESCAPES[found[0]], plain).strip("\n")
    section = f"{OPEN}\n{inner}\n{CLOSE}" if inner else f"{OPEN}\n{CLOSE}"
    end = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    section = section.replace("\n", end)
    found = _SECTION.search(text)
    if found:
        return text[: found.start()] + section + text[found.end() :]
    if not text:
        return section + end
    gap = "" if text.endswith(end * 2) else end if text.endswith("\n") else end * 2
    return f"{text}{gap}{section}{end}"


def without_marks(text: str) -> str:
    """Return a file's text without the comments around its kept section."""
    return _MARKS.sub("", text)
