"""`litemem.open`: the parts put together; here alone the library reads environment and clock."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from litemem.errors import IndexDamaged
from litemem.index.following import SourceFile
from litemem.memory.memory import Memory
from litemem.memory.opening import heal, open_workspace
from litemem.memory.sources import names_in
from litemem.memory.workspace import Clock, Options, RandomBytes
from litemem.settings import Home, Settings, find_home, machine_zone_name, zone
from litemem.types import DEFAULT_USER, Embedder

if TYPE_CHECKING:
    from litemem.index.docs import Doc
    from litemem.types import Problem

_SUFFIX = ".jsonl"


@dataclass(frozen=True, slots=True)
class Logs:
    """The transcripts or sessions of a home, as the index follows them."""

    kind: Literal["transcripts", "sessions"]

    def files(self, home: Home, user: str) -> Iterator[SourceFile]:
        """Find one user's logs, in name order."""
        folder = home.user_dir(user) / self.kind
        key = home.relative(folder)
        for name in names_in(folder):
            if name.endswith(_SUFFIX) and name != _SUFFIX:
                yield SourceFile(path=folder / name, key=f"{key}/{name}", user=user, reader=self)

    def docs(self, file: SourceFile, data: bytes, zone: tzinfo) -> tuple[list[Doc], list[Problem]]:
        """Return a log's rows, and what couldn't be read."""
        from litemem.session.indexing import session_docs, transcript_docs

        read = transcript_docs if self.kind == "transcripts" else session_docs
        return read(file, file.path.name.removesuffix(_SUFFIX), data, zone)


READERS = (Logs("transcripts"), Logs("sessions"))


def now() -> datetime:
    """Return the present moment in UTC."""
    return datetime.now(UTC)


def open_memory(
    home: str | Path | None = None,
    *,
    user_id: str = DEFAULT_USER,
    model: str | None = None,
    embedder: Embedder | None = None,
    threads: int = 0,
    clock: Clock = now,
    rng: RandomBytes = os.urandom,
) -> Memory:
    """
    Open a home folder and return a user's memory in it; the folder is made where it's missing.

    Args:
        home: the folder; else $LITEMEM_HOME, else ./.litemem where it exists, else ~/.litemem.
        user_id: whose memory; a file name of at most 200 bytes.
        model: for a new home: `me5-small-q4` (also by $LITEMEM_MODEL), `fast`, `none` for keyword
            search alone, or a folder. For a known home it must be the home's own.
        embedder: your own embedder instead of a model; the same at every opening.
        threads: for the model; 0 is one a core.
        clock: gives the present moment, aware.
        rng: gives random bytes, for new ids.

    Raises:
        InvalidName: the home or user id is none.
        SettingsError: the settings are damaged, or the home has another model.
        FileTrouble: the folder can't be made or read.
        IndexTrouble: the index can't be used, and can't be built anew either.
    """
    folder = home_folder(home)
    folder.user_dir(user_id)  # a wrong id makes no home
    options = Options(
        model=model,
        embedder=embedder,
        threads=threads,
        time_zone=machine_zone_name(),
        environ=os.environ,
        readers=READERS,
    )
    space = open_workspace(folder, options, clock=clock, rng=rng)
    try:
        return Memory(space, user_id)
    except IndexDamaged as error:
        heal(space, error)  # found only when it was read
        return Memory(space, user_id)


def home_folder(home: str | Path | None = None) -> Home:
    """Return the home that `open_memory` would open. Raises InvalidName."""
    return Home(find_home(home, os.environ, _here()))


def machine_zone() -> tzinfo:
    """Return the machine's time zone."""
    return zone(Settings(model="", time_zone=machine_zone_name()))


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:  # it was removed; only a relative home needs it
        return Path(os.path.abspath(os.sep))  # noqa: PTH100  # Path.absolute() asks for the cwd


open = open_memory  # noqa: A001  # as the package calls it
