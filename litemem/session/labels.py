"""Which labels a node may get: those that mean it alone, and can be typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from litemem.errors import InvalidValue

SHORTEST_START: Final = 4
"""Characters of an id that may stand for it."""

_UNSEEN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def check_label(label: str, node_id: str, nodes: Iterable[str], labels: Mapping[str, str]) -> None:
    """
    Refuse a label that wouldn't mean this node alone.

    Args:
        label: the new one.
        node_id: the node that shall have it.
        nodes: the ids of the session's nodes.
        labels: those that are set, by node.

    Raises:
        InvalidValue: it holds control characters, is an id or the start of one, or is set on
            another node.
    """
    if _UNSEEN.search(label):
        raise InvalidValue(f"the label {label!r} holds control characters: leave them out")
    known = set()
    for node in nodes:
        known.add(node)
        if node == label or (len(label) >= SHORTEST_START and node.startswith(label)):
            raise InvalidValue(
                f'the label "{label}" stands for node "{node}" by its id: choose another'
            )
    for other, taken in labels.items():
        if taken == label and other != node_id and other in known:
            raise InvalidValue(
                f'the label "{label}" is on node "{other}": take it away there first'
            )
