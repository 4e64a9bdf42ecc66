"""Whole session files replaced atomically, with the old bytes kept beside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Final

from litemem.files.leftover import sweep
from litemem.files.read import read_existing
from litemem.files.write import replace_file

BACKUP: Final = ".bak"
"""Ends a backup's name, with a number from the second one on; `litemem.files.erase` looks there."""


def read_lines(path: Path) -> list[bytes]:
    """Return a file's lines, each with its LF; a missing file has none. Raises FileTrouble."""
    data = read_existing(path) or b""
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]  # what follows the last LF
    return [*lines, last] if last else lines


def replace_lines(path: Path, lines: Sequence[bytes]) -> Path:
    """Give a file new lines, and return where a copy of the old ones is. Raises FileTrouble."""
    sweep(path.parent)
    names = (f"{path.name}{BACKUP}{n if n > 1 else ''}" for n in count(1))
    backup = next(other for name in names if not (other := path.with_name(name)).exists())
    replace_file(backup, b"".join(read_lines(path)))
    replace_file(path, b"".join(lines))
    return backup


def copies_of(path: Path) -> list[Path]:
    """Return the backups beside a file and then the file; what killed writers left is removed."""
    sweep(path.parent)
    name = re.compile(re.escape(path.name + BACKUP) + r"\d*")
    return [*sorted(p for p in path.parent.iterdir() if name.fullmatch(p.name)), path]
