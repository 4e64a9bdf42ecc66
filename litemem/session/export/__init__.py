"""A session written out for people and other programs: Markdown, JSON, one HTML file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias, get_args

from litemem.session.export.document import as_json
from litemem.session.export.markdown import as_markdown
from litemem.session.export.page import as_html
from litemem.session.graph import SessionGraph

ExportFormat: TypeAlias = Literal["md", "json", "html"]
EXPORT_FORMATS: Final[tuple[ExportFormat, ...]] = get_args(ExportFormat)

__all__ = ["EXPORT_FORMATS", "ExportFormat", "as_html", "as_json", "as_markdown", "export_session"]

_WRITERS: Final = {"md": as_markdown, "json": as_json, "html": as_html}


def export_session(graph: SessionGraph, format: ExportFormat) -> Iterator[str]:
    """
    Yield a whole session, all branches of it, as pieces of text without lone surrogates.

    Markdown has the path to the head first and then each branch; HTML is one page that needs
    nothing else; JSON has every node as it's stored.
    """
    return _WRITERS[format](graph)
