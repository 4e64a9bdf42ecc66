"""Patterns that are written with named pieces, and lists of words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from litemem.extract.kinds import Kind

_BLANK: Final = re.compile(r"(\[[^\]]*\])| (?![?*+{])")  # not in a set, nor counted already
_DEPTH: Final = 4  # pieces hold pieces


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


def compiled(
    table: Sequence[tuple[Kind, Sequence[str]]], pieces: Mapping[str, str]
) -> list[tuple[Kind, list[re.Pattern[str]]]]:
    """Compile the patterns of each kind: `<NAME>` is a piece, a blank one or more of them."""
    whole = [(kind, [_whole(source, pieces) for source in sources]) for kind, sources in table]
    return [(kind, [re.compile(one) for one in _joined(sources)]) for kind, sources in whole]


def _joined(sources: Sequence[str]) -> list[str]:
    """Make one of all patterns without a named group: trying it takes half the time."""
    named = [source for source in sources if "(?P<" in source]
    plain = [f"(?:{source})" for source in sources if "(?P<" not in source]
    return ["|".join(plain), *named] if plain else named


def _whole(source: str, pieces: Mapping[str, str]) -> str:
    for _ in range(_DEPTH):
        for name, piece in pieces.items():
            source = source.replace(f"<{name}>", piece)
    return _BLANK.sub(lambda found: found[1] or " +", source)
