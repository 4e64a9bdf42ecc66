"""Rewrite the comment of a fact's line: importance, tags, confirmations, its place in a chain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from litemem.errors import UnknownFact
from litemem.files.read import decode, encode, read_file
from litemem.files.write import replace_file
from litemem.index.docs import StoredDoc
from litemem.memory.new import check_importance, tidy_tags
from litemem.memory.rows import fact_of
from litemem.memory.sources import SourceFile, log_day, log_file
from litemem.memory.sync import bring_file, sync
from litemem.memory.workspace import Workspace
from litemem.text.dailylog import Item, parse_log, rewrite_item
from litemem.types import Fact


def rewrite_fact(space: Workspace, stored: StoredDoc, fact: Fact) -> None:
    """Write a fact's line anew, same text and id, atomically; the caller holds the lock."""
    file = log_of(space, stored.user, stored.path)
    text = decode(read_file(file.path))
    item = item_of(space, file, text, fact.id)
    changed = rewrite_item(text, item.line, fact)
    replace_file(file.path, encode(changed))
    bring_file(space, file)


def log_of(space: Workspace, user: str, key: str) -> SourceFile:
    """Return the daily log that a row's path names."""
    day = log_day(key.rpartition("/")[2])
    if day is None:
        msg = f"{key} is not a daily log"
        raise ValueError(msg)
    return log_file(space.home, user, day)


def item_of(space: Workspace, file: SourceFile, text: str, id: str) -> Item:
    """Find a fact's item in its log. Raises UnknownFact where it's gone."""
    if file.day is not None:
        for item in parse_log(text, day=file.day, key=file.key, zone=space.zone).items:
            if item.fact.id == id:
                return item
    msg = f"no fact {id} in {file.key} any more; run 'litemem index sync'"
    raise UnknownFact(msg)


def update_fact(
    space: Workspace,
    user: str,
    id: str,
    *,
    importance: float | None,
    tags: Sequence[str] | None,
) -> Fact:
    """Change the importance or tags of a chain's newest fact; return it as it is now on disk."""
    if importance is not None:
        check_importance(importance)
    wanted = None if tags is None else tidy_tags(tags)
    with space.writing():
        sync(space, (user,))
        stored = next((row for row in space.index.chain(user, id) if row.state == "current"), None)
        if stored is None:
            msg = f"no fact {id!r} of user {user!r}; 'litemem list' shows the ids"
            raise UnknownFact(msg)
        known = fact_of(stored.doc)
        fact = replace(
            known,
            importance=known.importance if importance is None else float(importance),
            tags=known.tags if wanted is None else wanted,
        )
        if fact != known:
            rewrite_fact(space, stored, fact)
    return fact
