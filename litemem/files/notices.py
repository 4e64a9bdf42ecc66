"""Wait until something below a folder changes: the system tells it, or one looks again."""

from __future__ import annotations

import logging
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

logger = logging.getLogger(__name__)

TICK_S: Final = 0.5
"""How long nothing may be yielded; longer where looking at all files takes long."""

_QUIET_MS: Final = 100  # an editor that truncates and then writes is read once
_SHARE: Final = 10  # looking takes a tenth of the time at most
_LONGEST_MS: Final = 600  # of a change that goes on and on

Watching: TypeAlias = Callable[..., Iterator[AbstractSet[tuple[int, str]]]]


def notices(
    root: Path, stop: threading.Event, wanted: Callable[[Path], bool], *, poll: bool = False
) -> Iterator[frozenset[Path]]:
    """
    Yield the paths that changed, soon after they did, and an empty set where nothing did.

    Without `watchfiles`, or where the system has no notices left to give, all files are looked at
    twice a second, and a warning says so. A folder that is moved and made anew is waited for.

    Args:
        root: a folder; looked at with all that is below it.
        stop: ends the iteration when it is set.
        wanted: says which paths count.
        poll: look, and ask for no notices.
    """
    watching = None if poll else _watching()
    while watching is not None and not stop.is_set():
        place = _place(root)
        try:
            for paths in _told(watching, root, stop, wanted):
                yield paths
                if _place(root) != place:
                    break  # the notices are of the folder that was here before
        except FileNotFoundError:
            stop.wait(TICK_S)
        except (OSError, RuntimeError) as error:  # too many watches, or a file system without any
            logger.warning("no notices of %s (%s): looking every %s s", root, error, TICK_S)
            watching = None
        yield frozenset()
    if not stop.is_set():
        yield from _looked(root, stop, wanted)


def _looked(
    root: Path, stop: threading.Event, wanted: Callable[[Path], bool]
) -> Iterator[frozenset[Path]]:
    seen, took = _states(root), 0.0
    while not stop.wait(max(TICK_S, _SHARE * took)):
        begun = time.monotonic()
        now = _states(root)
        changed = [Path(path) for path in {*seen, *now} if seen.get(path) != now.get(path)]
        seen, took = now, time.monotonic() - begun
        yield frozenset(path for path in changed if wanted(path))


def _states(root: Path) -> dict[str, tuple[int, ...]]:
    """Return what a change of a file changes, by path; 3 ms for 1,000 files."""
    found, folders, known = dict[str, tuple[int, ...]](), [str(root)], set[tuple[int, int]]()
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:  # it may be gone by now
            for entry in entries:
                with suppress(OSError):
                    state = entry.stat()
                    if not stat.S_ISDIR(state.st_mode):
                        times = state.st_mtime_ns, state.st_ctime_ns
                        found[entry.path] = (state.st_ino, state.st_size, *times)
                    elif (place := (state.st_dev, state.st_ino)) not in known:
                        known.add(place)  # links may go round in circles
                        folders.append(entry.path)
    return found


def _told(
    watching: Watching, root: Path, stop: threading.Event, wanted: Callable[[Path], bool]
) -> Iterator[frozenset[Path]]:
    told = watching(
        root,
        watch_filter=lambda _, path: wanted(Path(path)),
        stop_event=stop,
        debounce=_LONGEST_MS,
        step=_QUIET_MS,
        rust_timeout=int(TICK_S * 1000),
        yield_on_timeout=True,
        raise_interrupt=False,
    )
    for changes in told:
        yield frozenset(Path(path) for _, path in changes)


def _watching() -> Watching | None:
    try:
        from watchfiles import watch
    except ImportError:
        logger.warning(
            "watchfiles isn't installed, so looking every %s s; pip install 'litemem[watch]' "
            "waits for the system's notices instead",
            TICK_S,
        )
        return None
    return watch


def _place(root: Path) -> tuple[int, int] | None:
    try:
        found = root.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
