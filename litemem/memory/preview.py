"""What forgetting would remove, before it does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from litemem.errors import UnknownFact
from litemem.files.erase import lines_below
from litemem.memory.forget import mentions
from litemem.memory.rows import fact_of
from litemem.memory.workspace import Workspace
from litemem.types import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Doomed:
    """One version of a fact, and where it stands."""

    fact: Fact
    path: str  # below the home
    line: int  # from 1
    current: bool  # False: a newer one replaced it


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A file of conversations in which a forgotten text stands too."""

    path: str  # below the home
    lines: tuple[int, ...]  # those that would change, from 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """All that would vanish."""

    facts: tuple[Doomed, ...]  # whole chains, oldest first
    logs: tuple[Mention, ...]  # blanked where that is asked for, else left
    left: tuple[str, ...]  # files that keep the words even so, such as blocks


def preview(space: Workspace, user: str, ids: Iterable[str]) -> Preview:
    """Say what `forget` would remove, with and without `transcripts`. Raises UnknownFact."""
    doomed: dict[int, Doomed] = {}
    for id_ in ids:
        chain = space.index.chain(user, id_)
        if not chain:
            raise UnknownFact(f"no fact {id_!r} of user {user!r}; 'litemem list' shows the ids")
        for stored in chain:
            doomed[stored.rowid] = Doomed(
                fact=fact_of(stored.doc),
                path=stored.path,
                line=stored.doc.line,
                current=stored.state == "current",
            )
    texts = [one.fact.content for one in doomed.values()]
    logs = tuple(_logs(space, user, texts))
    blanked = {one.path for one in logs}
    left = [path for path in mentions(space, user, texts) if path not in blanked]
    return Preview(facts=tuple(doomed.values()), logs=logs, left=tuple(left))


def _logs(space: Workspace, user: str, texts: list[str]) -> Iterator[Mention]:
    home = space.home
    for folder in (home.transcripts_dir(user), home.sessions_dir(user), home.state_dir(user)):
        for path, lines in lines_below(folder, texts).items():
            yield Mention(path=home.relative(path), lines=lines)
