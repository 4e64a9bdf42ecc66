"""A session as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from litemem.files.read import visible
from litemem.session.browse import Row, tree_rows
from litemem.session.export.headings import (
    ANOTHER,
    SHORT_ID,
    branch_title,
    by_root,
    heading_of,
    parted,
    title_of,
)
from litemem.session.graph import SessionGraph
from litemem.session.pieces import Piece, pieces_of
from litemem.session.records import Compaction

_TICKS: Final = re.compile("`{3,}")
_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>#|~])")


def as_markdown(graph: SessionGraph) -> Iterator[str]:
    """
    Yield the path to the head as `## role · time` sections, then each branch, a `# Branch` each.

    What people and models wrote stands as it is, for it is Markdown most often; tools' texts are
    fenced. Long reasoning is quoted.
    """
    yield f"# {_plain(title_of(graph))}\n\n"
    for place, rows in enumerate(by_root(tree_rows(graph))):
        if place:
            yield f"# {ANOTHER}\n\n"
        runs = parted(rows)
        for run in (run for run in runs if run[0].column == 0):
            yield from _run(run)
        for run in (run for run in runs if run[0].column > 0):
            parent = (run[0].node.parent or "")[:SHORT_ID]
            yield f"# {_plain(branch_title(run))}\n\nIt leaves turn {_plain(parent)}.\n\n"
            yield from _run(run)


def _run(rows: list[Row]) -> Iterator[str]:
    for row in rows:
        yield from (_cut(cut) for cut in row.cuts)
        yield f"## {_plain(heading_of(row))} <!-- {_comment(row.node.id[:SHORT_ID])} -->\n\n"
        for piece in pieces_of(row.node.turn):
            yield visible(_piece(piece)) + "\n\n"
        yield from (_cut(cut) for cut in row.ends)


def _cut(cut: Compaction) -> str:
    texts = "\n\n".join(piece.text for piece in pieces_of(cut.summary))
    return visible(
        f"---\n\n*Condensed here; what came before is summed up as:*\n\n{_quote(texts)}\n\n"
    )


def _piece(piece: Piece) -> str:
    match piece.kind:
        case "text":
            return piece.text
        case "thinking":
            return _quote(piece.text)
        case "image":
            return f"*image {_plain(piece.title)}*"
        case "call" | "command" | "other":
            return f"**{_plain(piece.title) or piece.kind}**\n\n{_fenced(piece.text)}".rstrip()
        case "result":
            return f"**{'failed' if piece.is_failed else 'result'}**\n\n{_fenced(piece.text)}"


def _fenced(text: str) -> str:
    """Put text in a fence that nothing in it closes."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _plain(text: str) -> str:
    """Return text in one line in which nothing is markup."""
    return visible(_SPECIAL.sub(r"\\\1", " ".join(text.split())))


def _comment(text: str) -> str:
    return re.sub("[^0-9A-Za-z]", "", text)
