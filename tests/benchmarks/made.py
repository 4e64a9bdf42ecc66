"""Files and homes that take long to make: made once, and never taken for whole by half."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path


def made(path: Path, make: Callable[[Path], object], whole: Callable[[Path], bool]) -> Path:
    """Return the path of a file or folder, made anew where it isn't there or isn't whole."""
    if path.exists() and whole(path):
        return path
    if path.exists():
        print(f"  ({path} isn't whole or isn't of this version)")
    part = path.with_name(f"{path.name}.part")  # of a run that was ended, perhaps
    _remove(path)
    _remove(part)
    started = time.perf_counter()
    make(part)
    if not whole(part):
        sys.exit(f"{part} isn't whole although it was made to the end")
    part.rename(path)
    print(f"  ({path.name} made in {time.perf_counter() - started:.0f} s)", flush=True)
    return path


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    for suffix in ("", "-wal", "-shm"):  # SQLite's beside its file
        path.with_name(path.name + suffix).unlink(missing_ok=True)
