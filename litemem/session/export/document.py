"""A session as one JSON document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from litemem.errors import InvalidValue
from litemem.session.pieces import writable
from litemem.session.records import compaction_body, node_body
from litemem.text import jsjson

if TYPE_CHECKING:
    from litemem.session.graph import SessionGraph
    from litemem.session.nodes import SessionNode


def as_json(graph: SessionGraph) -> Iterator[str]:
    """
    Yield the pieces of `{"id", "name", "archived", "leaf", "labels", "redacted", "compactions",
    "nodes"}`.

    A node is as in the session's file: `{"id", "parent", "turn", "createdAt"}`. Labels are by node.
    For a turn that is nested too deeply to be written a placeholder stands.
    """
    marks = graph.marks
    head = {
        "id": graph.session_id,
        "name": marks.name,
        "archived": marks.archived,
        "leaf": graph.leaf,
        "labels": dict(marks.labels),
        "redacted": sorted(marks.redacted),
        "compactions": [
            {"id": one.id, **compaction_body(replace(one, summary=writable(one.summary)))}
            for one in marks.compactions.values()
        ],
    }
    yield jsjson.dumps(head)[:-1] + ',"nodes":[\n'
    for i, node in enumerate(graph.all()):
        yield (",\n" if i else "") + _written(node)
    yield "\n]}\n"


def _written(node: SessionNode) -> str:
    try:
        return jsjson.dumps(node_body(node))
    except InvalidValue:
        return jsjson.dumps(node_body(replace(node, turn=writable(node.turn), extra=())))
