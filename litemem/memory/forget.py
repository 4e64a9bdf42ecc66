"""Forget: out of the files, the index and, where asked, the transcripts; for good."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from litemem.errors import FormatError, UnknownFact
from litemem.files.erase import erase_texts_below
from litemem.files.folders import remove_folder
from litemem.files.lock import FOLDER_LOCK, locked
from litemem.files.read import read_file
from litemem.files.write import remove_file, replace_file
from litemem.index.docs import StoredDoc
from litemem.index.rebuild import sweep as sweep_sides
from litemem.memory.blocks import LABELS
from litemem.memory.edit import remove_facts, rewrite_facts
from litemem.memory.rows import fact_of
from litemem.memory.sources import ignored_files, source_files
from litemem.memory.sync import sync
from litemem.memory.workspace import Workspace
from litemem.types import DEFAULT_USER, Fact

ERASED = "[forgotten]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What a forget removed, and where the same words still stand."""

    ids: tuple[str, ...]  # every id of the chains, oldest first
    erased_turns: int = 0  # lines of transcripts and sessions that were blanked
    still_in: tuple[str, ...] = ()  # files where a forgotten text is still to be read


def forget(
    space: Workspace, user: str, ids: Iterable[str], *, only: bool, transcripts: bool
) -> Forgotten:
    """
    Remove facts, each with its whole chain, so that no predecessor comes back.

    `only` takes out one link and joins its neighbours. Afterwards the bytes are in none of the
    user's logs and not in the index. Killed half-way, the next open finishes it. Raises
    UnknownFact before anything is removed.
    """
    with space.writing():
        sync(space, (user,))
        doomed = _doomed(space, user, ids, only=only)
        chained = _still_chained(space, user, doomed) if only else []
        if only:
            for stored in doomed:
                _splice(space, user, stored)
        texts = [stored.doc.text for stored in doomed]
        erased = _erase_logs(space, user, texts) if transcripts else 0
        if erased:
            sync(space, (user,))
        intent = _Intent(user=user, ids=tuple(stored.doc.id for stored in doomed))
        replace_file(space.home.forgetting, intent.as_json())
        _remove(space, intent)
        remove_file(space.home.forgetting)
    return Forgotten(
        ids=intent.ids, erased_turns=erased, still_in=(*chained, *mentions(space, user, texts))
    )


def finish_forgetting(space: Workspace) -> None:
    """Complete a forget that was killed half-way."""
    path = space.home.forgetting
    if not path.exists():
        return
    with space.writing():
        if path.exists():
            _remove(space, _Intent.read(path.read_bytes(), str(path)))
            remove_file(path)


def forget_user(space: Workspace, user: str) -> int:
    """Remove all that a user has: facts, blocks, transcripts, sessions, state. Return the facts."""
    with space.writing():
        sync(space, (user,))
        facts = len(space.index.facts(user))
        for folder in _folders(space, user):
            remove_folder(folder)
        remove_file(space.home.consolidation(user))
        for key in space.index.sources(user):
            space.index.drop_source(key)
        sweep_sides(space.home.index, least_age_s=0)
        space.index.scrub()
    return facts


def _folders(space: Workspace, user: str) -> tuple[Path, ...]:
    home = space.home
    if user != DEFAULT_USER:
        return (home.user_dir(user),)
    return tuple(
        folder(user)
        for folder in (home.memory_dir, home.transcripts_dir, home.sessions_dir, home.state_dir)
    )


def mentions(space: Workspace, user: str, texts: Sequence[str]) -> list[str]:
    """
    Name the files of the user in which one of the texts still stands.

    These are blocks, transcripts, sessions, states, and markdown that the index doesn't follow.
    """
    home = space.home
    folders = (home.transcripts_dir(user), home.sessions_dir(user), home.state_dir(user))
    paths = [file.path for file in source_files(home, user) if file.label in LABELS]
    paths += [home.root / name for name in ignored_files(home, user)]
    paths += [path for folder in folders if folder.is_dir() for path in sorted(folder.iterdir())]
    forms = {form.encode() for text in texts for form in (text, json.dumps(text)[1:-1])}
    forms |= {json.dumps(text, ensure_ascii=False)[1:-1].encode() for text in texts}
    return [
        home.relative(path)
        for path in paths
        if path.is_file() and any(form in data for data in (read_file(path),) for form in forms)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Intent:
    """What is being forgotten: ids alone, no text."""

    user: str
    ids: tuple[str, ...]

    def as_json(self) -> bytes:
        return json.dumps({"user": self.user, "ids": self.ids}).encode()

    @staticmethod
    def read(data: bytes, path: str) -> _Intent:
        try:
            value = json.loads(data)
            return _Intent(user=value["user"], ids=tuple(value["ids"]))
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError(path, 1, f"not a note of a forget: {error}") from error


def _doomed(space: Workspace, user: str, ids: Iterable[str], *, only: bool) -> list[StoredDoc]:
    doomed: dict[int, StoredDoc] = {}
    for id_ in ids:
        chain = space.index.chain(user, id_)
        if not chain:
            msg = f"no fact {id_!r} of user {user!r}; 'litemem list' shows the ids"
            raise UnknownFact(msg)
        for stored in chain:
            if not only or stored.doc.id == id_:
                doomed[stored.rowid] = stored
    return list(doomed.values())


def _still_chained(space: Workspace, user: str, doomed: Sequence[StoredDoc]) -> list[str]:
    """Name the logs in which another fact of a chain repeats a doomed one's words, as merges do."""
    gone = {stored.rowid for stored in doomed}
    others = [
        (row, stored.doc.text.strip().rstrip(" .!。！"))
        for stored in doomed
        for row in space.index.chain(user, stored.doc.id)
        if row.rowid not in gone
    ]
    return sorted({row.path for row, text in others if text in row.doc.text})


def _splice(space: Workspace, user: str, gone: StoredDoc) -> None:
    """Let what replaced a fact replace all that the fact replaced."""
    old, id_ = fact_of(gone.doc), gone.doc.id
    chain = space.index.chain(user, id_)
    heirs = [(row, fact) for row in chain if id_ in (fact := fact_of(row.doc)).parents]
    rewrite_facts(space, [(row, _inheriting(fact, old)) for row, fact in heirs])


def _inheriting(heir: Fact, gone: Fact) -> Fact:
    at = heir.parents.index(gone.id)
    joined = (*heir.parents[:at], *gone.parents, *heir.parents[at + 1 :])
    parents = tuple(dict.fromkeys(one for one in joined if one != heir.id))
    return replace(heir, replaces=parents[0] if parents else None, merges=parents[1:])


def _remove(space: Workspace, intent: _Intent) -> None:
    gone = set(intent.ids)
    by_log: dict[str, set[int]] = {}
    met: set[str] = set()
    for id_ in intent.ids:
        rows = () if id_ in met else space.index.chain(intent.user, id_)
        met.update(row.doc.id for row in rows)
        for row in rows:
            if row.doc.id in gone:
                by_log.setdefault(row.path, set()).add(row.rowid)
    for key, rowids in sorted(by_log.items()):
        remove_facts(space, intent.user, key, gone, rowids)
    # A killed rebuild's file may hold the words too; who still builds one makes it anew.
    sweep_sides(space.home.index, least_age_s=0)
    space.index.scrub()


def _erase_logs(space: Workspace, user: str, texts: Sequence[str]) -> int:
    home = space.home
    folders = (home.transcripts_dir(user), home.sessions_dir(user), home.state_dir(user))
    now, erased = space.clock(), 0
    for folder in filter(Path.is_dir, folders):
        with locked(folder / FOLDER_LOCK):  # a turn appended meanwhile would be lost
            erased += erase_texts_below(folder, texts, at=now, marker=ERASED)
    return erased
