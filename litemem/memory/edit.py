"""Rewrite or remove lines of daily logs: each log in one atomic write, and not read again."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from litemem.errors import UnknownFact
from litemem.files.read import decode, encode, read_file
from litemem.files.state import digests, state_of
from litemem.files.write import replace_file
from litemem.index.docs import Doc, Source, StoredDoc
from litemem.index.following import SourceFile
from litemem.memory.reading import make_source
from litemem.memory.rows import fact_doc
from litemem.memory.sources import log_day, log_file
from litemem.memory.sync import bring_file
from litemem.memory.workspace import Workspace
from litemem.text.dailylog import Item, parse_log, remove_items, rewrite_items
from litemem.types import Fact

_DERIVED = "h"  # how an id begins that may depend on the other lines of its file


class _Log(NamedTuple):
    file: SourceFile
    text: str
    source: Source | None  # None where the index doesn't know this text, so not its lines either

    @property
    def lines(self) -> int:
        return self.text.count("\n")


def rewrite_facts(space: Workspace, changes: Iterable[tuple[StoredDoc, Fact]]) -> None:
    """
    Write the lines of facts anew, same texts and ids; the caller holds the lock.

    Raises UnknownFact where a fact isn't in its log any more.
    """
    by_log: dict[tuple[str, str], dict[int, Fact]] = {}
    for stored, fact in changes:
        by_log.setdefault((stored.user, stored.path), {})[stored.rowid] = fact
    for (user, key), facts in by_log.items():
        _rewrite(space, _open(space, user, key), facts)


def remove_facts(
    space: Workspace, user: str, key: str, ids: Collection[str], rowids: Collection[int]
) -> None:
    """Take facts out of a log, given by id and by row; the caller holds the lock."""
    log = _open(space, user, key)
    rows = _known_rows(space, log, rowids)
    if rows is None:
        lines = [item.line for item in _items(space, log) if item.fact.id in ids]
        _save(space, log, remove_items(log.text, lines).text, None)
    else:
        text, gone = remove_items(log.text, [row.doc.line for row in rows.values()])
        _save(space, log, text, dict.fromkeys(rows), gone)


def _rewrite(space: Workspace, log: _Log, facts: Mapping[int, Fact]) -> None:
    rows = _known_rows(space, log, facts)
    if rows is None:
        _save(space, log, rewrite_items(log.text, _lines(space, log, facts.values())), None)
        return
    text = rewrite_items(log.text, {rows[n].doc.line: fact for n, fact in facts.items()})
    docs = {n: _doc(space, log, rows[n].doc.line, fact) for n, fact in facts.items()}
    _save(space, log, text, docs if text.count("\n") == log.lines else None)


def _open(space: Workspace, user: str, key: str) -> _Log:
    day = log_day(key.rpartition("/")[2])
    if day is None:
        msg = f"{key} is not a daily log"
        raise ValueError(msg)
    file = log_file(space.home, user, day)
    data = read_file(file.path)
    source = space.index.source(key)
    known = source is not None and digests(data) == source.digests
    return _Log(file, decode(data), source if known else None)


def _known_rows(
    space: Workspace, log: _Log, rowids: Collection[int]
) -> dict[int, StoredDoc] | None:
    """Return the rows whose lines the index knows, None where only the whole file tells them."""
    if log.source is None or log.source.problems:
        return None
    rows = space.index.by_rowids(rowids)
    plain = [row for row in rows.values() if row.doc.explicit and row.doc.id[0] != _DERIVED]
    return rows if len(plain) == len(rowids) else None


def _items(space: Workspace, log: _Log) -> Sequence[Item]:
    assert log.file.day is not None
    return parse_log(log.text, day=log.file.day, key=log.file.key, zone=space.zone).items


def _lines(space: Workspace, log: _Log, facts: Iterable[Fact]) -> dict[int, Fact]:
    """Find facts in the text of their log. Raises UnknownFact."""
    lines: dict[str, int] = {}
    for item in _items(space, log):
        lines.setdefault(item.fact.id, item.line)
    found = {}
    for fact in facts:
        if fact.id not in lines:
            msg = f"no fact {fact.id} in {log.file.key} any more; run 'litemem index sync'"
            raise UnknownFact(msg)
        found[lines[fact.id]] = fact
    return found


def _doc(space: Workspace, log: _Log, line: int, fact: Fact) -> Doc:
    assert log.file.day is not None
    item = Item(fact=fact, line=line, end=line + 1, explicit=True)
    return fact_doc(item, log.file.day, space.zone)


def _save(
    space: Workspace,
    log: _Log,
    text: str,
    docs: Mapping[int, Doc | None] | None,
    gone: Sequence[int] = (),
) -> None:
    """Replace the log; `docs` says what became of its rows, or None: read it again."""
    data = encode(text)
    replace_file(log.file.path, data)
    read_ns = time.time_ns()
    state = state_of(log.file.path)
    if docs is None or state is None or state.size != len(data):
        bring_file(space, log.file)
        return
    source = make_source(
        log.file,
        state=state,
        read_ns=read_ns,
        lines=text.count("\n"),
        sums=digests(data),
        problems=[],
    )
    space.index.revise_source(source, docs, gone=gone)
