"""A session as one HTML page that needs no other file, no network and no script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final

from litemem.files.read import visible
from litemem.session.browse import Row, tree_rows
from litemem.session.export.headings import (
    ANOTHER,
    branch_title,
    by_root,
    heading_of,
    parted,
    title_of,
)
from litemem.session.export.style import STYLE
from litemem.session.graph import SessionGraph
from litemem.session.pieces import Piece, pieces_of, role_of
from litemem.session.records import Compaction

# Pictures alone: an SVG can hold a script, and a browser may open it by itself.
_PICTURE: Final = re.compile(r"image/(png|jpeg|gif|webp)", re.ASCII)
_BASE64: Final = re.compile(r"[0-9A-Za-z+/=\s]+", re.ASCII)
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_DEEPEST: Final = 8  # columns that are indented
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def as_html(graph: SessionGraph) -> Iterator[str]:
    """Yield the page: the path to the head, and each branch folded where it leaves the path."""
    title = _text(title_of(graph))
    yield (
        '<!doctype html>\n<html><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n"
    )
    for place, rows in enumerate(by_root(tree_rows(graph))):
        if place:
            yield f"<h1>{ANOTHER}</h1>\n"
        for run in parted(rows):
            yield from _run(run) if run[0].column == 0 else _branch(run)
    yield "</body></html>\n"


def _branch(rows: list[Row]) -> Iterator[str]:
    yield f"<details class=branch><summary>{_text(branch_title(rows))}</summary>\n"
    yield from _run(rows)
    yield "</details>\n"


def _run(rows: list[Row]) -> Iterator[str]:
    for row in rows:
        yield from (_cut(cut) for cut in row.cuts)
        yield from _turn(row)
        yield from (_cut(cut) for cut in row.ends)


def _turn(row: Row) -> Iterator[str]:
    role = role_of(row.node.turn)
    kind = role if role in ("user", "assistant", "tool") else "other"
    indent = max(0, min(row.column - 1, _DEEPEST))
    name = _text(row.node.id)
    yield f'<article id="{name}" class="{kind} in{indent}"><h2>{_text(heading_of(row))}'
    if row.column and row.starts:
        parent = _text(row.node.parent or "")
        yield f' · <a href="#{parent}">leaves this turn</a>'
    yield "</h2>\n"
    blocks = row.node.turn.get("blocks")
    for place, piece in enumerate(pieces_of(row.node.turn)):
        block = blocks[place] if isinstance(blocks, list) else None
        yield _piece(piece, block)
    yield "</article>\n"


def _cut(cut: Compaction) -> str:
    texts = "\n\n".join(piece.text for piece in pieces_of(cut.summary))
    return _folded("cut", "Condensed here: what came before is summed up", texts)


def _piece(piece: Piece, block: object) -> str:
    match piece.kind:
        case "text":
            return f"<p>{_text(piece.text)}</p>\n"
        case "thinking":
            return _folded("thinking", "reasoning", piece.text)
        case "image":
            return _image(piece, block)
        case "result":
            title = "failed" if piece.is_failed else "result"
            return _folded("result failed" if piece.is_failed else "result", title, piece.text)
        case _:
            return _folded(piece.kind, piece.title or piece.kind, piece.text)


def _folded(kind: str, title: str, text: str) -> str:
    shown = f"<pre>{_text(text)}</pre>"
    return f'<details class="{kind}"><summary>{_text(title)}</summary>{shown}</details>\n'


def _image(piece: Piece, block: object) -> str:
    data = block.get("dataBase64") if isinstance(block, dict) else None
    if _PICTURE.fullmatch(piece.title) and isinstance(data, str) and _BASE64.fullmatch(data):
        return f'<img alt="{piece.title}" src="data:{piece.title};base64,{data}">\n'
    return f"<p>[image {_text(piece.title)}]</p>\n"


def _text(text: str) -> str:
    """Return text that is nothing but text on a page."""
    return escape(_CONTROL.sub("\ufffd", visible(text)))
