"""`litemem.open`: the one place of the library that reads the environment and the clock."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from litemem.memory.memory import Memory
from litemem.memory.opening import open_workspace
from litemem.memory.workspace import Clock, Options, RandomBytes
from litemem.settings import Home, find_home, machine_zone_name
from litemem.types import DEFAULT_USER, Embedder


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
        SettingsError: the settings are damaged, or the home has another model.
        FileTrouble: the folder can't be made or read.
        IndexTrouble: the index can't be used, and can't be built anew either.
    """
    folder = Home(find_home(home, os.environ, Path.cwd()))
    options = Options(
        model=model,
        embedder=embedder,
        threads=threads,
        time_zone=machine_zone_name(),
        environ=os.environ,
    )
    return Memory(open_workspace(folder, options, clock=clock, rng=rng), user_id)
