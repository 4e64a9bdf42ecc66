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
    return [(kind, [_compiled(source, pieces) for source in sources]) for kind, sources in table]


def _compiled(source: str, pieces: Mapping[str, str]) -> re.Pattern[str]:
    whole = source
    for _ in range(_DEPTH):
        for name, piece in pieces.items():
            whole = whole.replace(f"<{name}>", piece)
    return re.compile(_BLANK.sub(lambda found: found[1] or " +", whole))
