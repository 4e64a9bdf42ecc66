"""The end of a session file, read backwards: what an append and a resumed run need, no more."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Final

from litemem.session.context import without_tools
from litemem.session.lines import read_line
from litemem.session.nodes import Migrator, SessionNode, Turn
from litemem.session.records import Compaction, Head, Record
from litemem.text import jsjson

_BLOCK: Final = 1 << 14  # a few turns; one read of an SSD
_MAX_BLOCK: Final = 1 << 24
_NODE_START: Final = re.compile(rb'\{"type":"node","node":\{"id":"([0-9A-Za-z]+)"')


def lines_backward(file: BinaryIO) -> Iterator[bytes]:
    """Yield a file's lines without their LF, the last one first; a line may be empty."""
    end = file.seek(0, os.SEEK_END)
    size = _BLOCK
    pieces: list[bytes] = []  # of the line whose start isn't read yet, the last one first
    while end > 0:
        start = max(0, end - size)
        file.seek(start)
        first, *whole = file.read(end - start).split(b"\n")
        end = start
        if whole:
            pieces.append(whole.pop())
            yield b"".join(reversed(pieces))
            yield from reversed(whole)
            pieces = []
        pieces.append(first)
        size = min(size * 2, _MAX_BLOCK)  # a line of 50 MB is no 3,000 reads
    if pieces:
        yield b"".join(reversed(pieces))


def records_backward(
    file: BinaryIO, migrators: Sequence[Migrator], needle: bytes = b""
) -> Iterator[Record]:
    """Yield the records of the lines that hold the needle, the last one first."""
    for line in lines_backward(file):
        if needle in line:
            yield from reversed(read_line(line, migrators).records)


def last_head(file: BinaryIO, migrators: Sequence[Migrator]) -> str | None:
    """Return the leaf that the last head names, whether it exists or not."""
    heads = (record for record in records_backward(file, migrators) if isinstance(record, Head))
    head = next(heads, None)
    return None if head is None else head.leaf


def find_node(file: BinaryIO, node_id: str, migrators: Sequence[Migrator]) -> SessionNode | None:
    """Return a node by reading backwards until it's met; None where it isn't."""
    for record in records_backward(file, migrators, needle_of(node_id)):
        if isinstance(record, SessionNode) and record.id == node_id:
            return record
    return None


def has_sibling(file: BinaryIO, node: SessionNode, migrators: Sequence[Migrator]) -> bool:
    """Say whether a node with this one's id hangs at its parent already; reads back to that."""
    needle = b"" if node.parent is None else needle_of(node.parent)
    for record in records_backward(file, migrators, needle):  # children name their parent
        if isinstance(record, SessionNode) and record.id in (node.id, node.parent):
            return record.id == node.id
    return False


def needle_of(node_id: str) -> bytes:
    """Return bytes that every line with this node has, however its JSON is escaped."""
    written = jsjson.encode(node_id)
    return written if node_id.isalnum() and node_id.isascii() else b""


def last_turns(
    file: BinaryIO, leaf: str, last_n: int, migrators: Sequence[Migrator]
) -> list[Turn] | None:
    """
    Return the newest turns of a context, oldest first, and read no further than needed.

    None where reading backwards doesn't do: lines in another order than they were written, or a
    lineage with a gap. Should another program have written a condensed node again behind its
    condensation, the turns may come as if there were none.
    """
    walk = _Walk(leaf, last_n)
    lines = lines_backward(file)
    while not walk.is_done:
        line = next(lines, None)
        if line is None:
            return None
        start = None if migrators else _NODE_START.match(line)
        if start is not None and walk.needle not in line:
            walk.pass_by(start[1].decode())
            continue
        for record in reversed(read_line(line, migrators).records):
            walk.meet(record)
    return walk.turns


class _Walk:
    """A way up a path, met in a file's order from its end."""

    def __init__(self, leaf: str, last_n: int) -> None:
        self._left = last_n
        self._newest_first: list[Turn] = []
        self._found: dict[str, Compaction] = {}  # by leaf, the last of each
        self._applied: Compaction | None = None
        self._in_tail = True
        self._pinned: set[str] = set()  # still to come
        self._passed: set[str] = set()  # nodes of other branches, and such as come twice
        self._is_lost = False
        self._want(leaf)

    @property
    def is_done(self) -> bool:
        """Whether the rest of the file can't matter: nearly always when there are enough turns."""
        enough = self._left <= 0 and not self._is_open
        return enough or self._wanted is None or self._is_lost

    @property
    def turns(self) -> list[Turn] | None:
        """What was gathered; None when that isn't what the whole file would give."""
        lacks = self._is_lost and self._left > 0
        return None if self._is_open or lacks else self._newest_first[::-1]

    @property
    def _is_open(self) -> bool:
        """Whether a condensation was met whose first kept node wasn't, so that it may not fit."""
        return self._applied is not None and self._in_tail

    def meet(self, record: Record) -> None:
        """Take a record that stands before all that were met so far."""
        if isinstance(record, Compaction):
            self._found.setdefault(record.leaf, record)
            self._is_lost = self._is_lost or record.leaf in self._passed
        elif isinstance(record, SessionNode):
            if record.id == self._wanted:
                self._apply(self._found.get(record.id))
                self._go_on(record)
            self.pass_by(record.id)

    def pass_by(self, node_id: str) -> None:
        """Note a node that isn't wanted now; should it be later, the file is in another order."""
        self._passed.add(node_id)

    def _apply(self, compaction: Compaction | None) -> None:
        if compaction is not None and self._applied is None:
            self._applied = compaction
            self._pinned.update(compaction.pinned)
            self._in_tail = compaction.first_kept is not None

    def _go_on(self, node: SessionNode) -> None:
        if self._in_tail:
            self._take(node.turn)
        elif node.id in self._pinned:
            self._take(without_tools(node.turn))
            self._pinned.discard(node.id)
        self._want(node.parent)
        if self._applied is None:
            return
        self._in_tail = self._in_tail and node.id != self._applied.first_kept
        if not self._in_tail and (not self._pinned or node.parent is None):
            self._take(self._applied.summary)
            self._want(None)

    def _take(self, turn: Turn) -> None:
        if self._left > 0:
            self._newest_first.append(turn)
            self._left -= 1

    def _want(self, node_id: str | None) -> None:
        self._wanted = node_id
        self._is_lost = node_id in self._passed
        self.needle = b"" if node_id is None else needle_of(node_id)
