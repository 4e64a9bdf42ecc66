"""A model's summary without what isn't part of it: analysis, reasoning, wrapping tags."""

from __future__ import annotations

import re
from typing import Final

_ASIDE: Final = "analysis|reasoning|thinking|think"
_SECTION: Final = re.compile(rf"<({_ASIDE})>.*?</\1>", re.DOTALL | re.IGNORECASE)
# Cut off before its end: what follows it is the summary's tag, or nothing.
_UNCLOSED: Final = re.compile(rf"\A\s*<({_ASIDE})>.*?(?=<summary>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG: Final = re.compile(rf"</?summary>|</({_ASIDE})>", re.IGNORECASE)


def clean_gist(text: str) -> str:
    """
    Return the summary that a model's answer holds; white space where it holds none.

    Sections of analysis and reasoning go, the tags around a summary and stray closing tags too.
    """
    return _TAG.sub("", _UNCLOSED.sub("", _SECTION.sub("", text)))
