"""A reader's events into records of a session file: content ids, no record twice."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, TypeAlias, assert_never

from litemem.errors import InvalidValue
from litemem.session.imports import events as ev
from litemem.session.marks import Marks
from litemem.session.nodes import ID_CHARS, SessionNode, hash_node
from litemem.session.records import (
    Archive,
    Compaction,
    Head,
    Label,
    Name,
    Record,
    Redaction,
    compaction_body,
)
from litemem.text import jsjson

_Noted: TypeAlias = (
    ev.Began | ev.Passed | ev.Condensed | ev.Named | ev.Labelled | ev.Ended | ev.Skipped
)
_TOO_DEEP: Final = "turn that is nested too deeply"


class Weaver:
    """
    Turns the events of one session into what its file lacks.

    A node's id is the hash of its parent's, its turn and its time, so one source always gives the
    same nodes, and those that are `known` aren't made again.
    """

    def __init__(self, known: Container[str], marks: Marks, tally: Counter[str]) -> None:
        self._known, self._before, self._tally = known, marks, tally
        self._ids: dict[str, str | None] = {}  # a source's key -> the node that stands for it
        self._at_ms = 0
        self._fresh: set[str] = set()
        self._source = Marks()  # what the source says beside its turns
        self._leaf: str | None = None  # where the source would go on
        self._last: str | None = None  # the last node made
        self.known_turns = 0  # how often a turn was met that is in the file already

    @property
    def new_turns(self) -> int:
        """How many nodes were made."""
        return len(self._fresh)

    def weave(self, event: ev.Event) -> Iterator[Record]:
        """Yield the records that an event adds to the file."""
        if isinstance(event, ev.Said):
            yield from self._say(event)
        elif isinstance(event, ev.Copied):
            yield from self._copy(event.record)
        else:
            self._note(event)

    def _note(self, event: _Noted) -> None:
        match event:
            case ev.Passed():
                self._ids[event.key] = self._node_of(event.parent)
            case ev.Condensed():
                self._condense(event)
            case ev.Named():
                self._source.name = event.text
            case ev.Labelled():
                self._label(event)
            case ev.Ended():
                self._leaf = self._node_of(event.leaf) or self._leaf
            case ev.Skipped():
                self._tally[event.reason] += 1
            case ev.Began():
                pass
            case _:
                assert_never(event)

    def finish(self, leaf: str | None) -> Iterator[Record]:
        """
        Yield what is to be added after the last turn: condensations, labels, a name, the head.

        What a person changed here stays: their name, labels, and the head where they moved it
        onto a branch of their own.

        Args:
            leaf: the head before the import.
        """
        for cut in self._source.compactions.values():
            if cut.id not in self._before.compactions and self._has(cut.leaf):
                yield cut
        yield from self._marks(_at(self._at_ms), is_new=leaf is None)
        if self._fresh:
            follows = leaf is None or leaf in self._ids.values()
            head = (self._leaf or self._last) if follows else leaf
            if head != self._last:
                yield Head(leaf=head)

    def _marks(self, at: datetime, *, is_new: bool) -> Iterator[Record]:
        for node, label in self._source.labels.items():
            if node not in self._before.labels and self._has(node):
                yield Label(node=node, label=label, at=at)
        for node in sorted(self._source.redacted & self._fresh):
            yield Redaction(node=node, at=at)
        if self._source.name and self._before.name is None:
            yield Name(name=self._source.name, at=at)
        if self._source.archived and is_new:
            yield Archive(archived=True, at=at)

    def _label(self, event: ev.Labelled) -> None:
        node = self._node_of(event.key)
        if node is not None:
            self._source.add(Label(node=node, label=event.label, at=_at(self._at_ms)))

    def _has(self, node: str) -> bool:
        return node in self._fresh or node in self._known

    def _node_of(self, key: str | None) -> str | None:
        return None if key is None else self._ids.get(key)

    def _say(self, said: ev.Said) -> Iterator[Record]:
        parent = self._node_of(said.parent)
        at_ms = self._at_ms if said.at_ms is None else said.at_ms
        try:
            node_id = hash_node(parent, said.turn, at_ms)
        except InvalidValue:
            self._tally[_TOO_DEEP] += 1
            self._ids[said.key] = parent
            return
        self._at_ms, self._ids[said.key] = at_ms, node_id
        yield from self._add(
            SessionNode(id=node_id, parent=parent, turn=said.turn, created_at=at_ms)
        )

    def _copy(self, record: Record) -> Iterator[Record]:
        if isinstance(record, SessionNode):
            self._ids[record.id] = record.id
            yield from self._add(record)
        elif not isinstance(record, Head):
            self._source.add(record)

    def _add(self, node: SessionNode) -> Iterator[Record]:
        if self._has(node.id):
            self.known_turns += 1
        else:
            self._fresh.add(node.id)
            self._last = node.id
            yield node
            yield Head(leaf=node.id)

    def _condense(self, event: ev.Condensed) -> None:
        leaf, first = self._node_of(event.leaf), self._node_of(event.first_kept)
        self._ids[event.key] = leaf
        if leaf is None:
            self._tally["condensation of nothing"] += 1
            return
        at_ms = self._at_ms if event.at_ms is None else event.at_ms
        draft = Compaction(
            id="",
            leaf=leaf,
            first_kept=first,
            pinned=(),
            summary=event.summary,
            tokens_before=event.tokens_before,
            at=_at(at_ms),
        )
        digest = hashlib.sha256(jsjson.encode(compaction_body(draft))).hexdigest()
        self._source.add(replace(draft, id=digest[:ID_CHARS]))


def _at(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)
