"""Erase texts from transcripts, session logs and agent states, and from the backups beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from litemem.files.eraser import Eraser
from litemem.files.jsontext import ITEM, Step, map_strings
from litemem.files.leftover import sweep
from litemem.files.read import decode, encode, read_existing
from litemem.files.trouble import translated
from litemem.files.write import replace_file

MARKER: Final = "[erased]"
_FORMAT: Final = re.compile(r"\.jsonl?(?![0-9A-Za-z])")

_NODE_ID: Final = ("node", "id")
# What links the lines of a log together. Erasing the word "user" mustn't make a log unreadable.
_LINKS: Final[tuple[tuple[Step, ...], ...]] = (
    *((key,) for key in ("ts", "at", "role", "type", "id", "node", "leaf", "firstKept")),
    ("pinned", ITEM),
    _NODE_ID,
    ("node", "parent"),
    ("node", "turn", "role"),
    *(("node", "turn", "blocks", ITEM, key) for key in ("kind", "id", "callId")),
    ("summary", "role"),
    ("summary", "blocks", ITEM, "kind"),
)
# fmt: off
_KEYS: Final = frozenset((
    "ts", "role", "content", "actions", "meta", "type", "node", "id", "parent", "turn", "createdAt",
    "leaf", "label", "name", "at", "archived", "firstKept", "pinned", "summary", "tokensBefore",
    "blocks", "kind", "text", "signature", "input", "callId", "output", "isError", "mediaType",
    "dataBase64", "command", "args",
))
# fmt: on


def erase_texts(path: Path, texts: Sequence[str], *, at: datetime, marker: str = MARKER) -> int:
    """
    Replace texts by a marker wherever they stand in a JSON file and its backups (`NAME*.bak*`).

    A text is found inside of longer strings and keys, and in every escaped form, also in JSON that
    is a string of JSON; in a line that isn't JSON too. Every other byte stays, but a session log
    gets one redaction record at its end for each node that changed. What links lines together
    (times, roles, ids) stays. Each file is replaced atomically, the backups first; writers that
    were killed leave nothing. The caller holds the lock of the file.

    Args:
        path: a transcript or session log (JSON lines), or one JSON document (`.json`).
        texts: what to erase, to the letter.
        at: when, for the redaction records.
        marker: stands in the place of a text.

    Returns:
        How many lines changed in all files; a whole document counts one.

    Raises:
        InvalidValue: a text is empty.
        FileTrouble: a file can't be read or written; erasing again goes on from there.
    """
    eraser = Eraser(texts, marker)
    sweep(path.parent)
    names = (name for name in _file_names(path.parent) if _is_backup(name, path.name))
    files = (*(path.with_name(name) for name in names), path)
    return sum(_erase_in(file, eraser, at) for file in files)


def erase_texts_below(
    folder: Path, texts: Sequence[str], *, at: datetime, marker: str = MARKER
) -> int:
    """Do `erase_texts` on every `.jsonl` and `.json` file of a folder, and on all backups there."""
    eraser = Eraser(texts, marker)
    sweep(folder)
    files = [folder / name for name in _file_names(folder) if _FORMAT.search(name)]
    return sum(_erase_in(file, eraser, at) for file in files)


def lines_below(folder: Path, texts: Sequence[str]) -> dict[Path, tuple[int, ...]]:
    """Return the lines, from 1, that `erase_texts_below` would change, by file; it changes none."""
    eraser = Eraser(texts, MARKER)
    files = [folder / name for name in _file_names(folder) if _FORMAT.search(name)]
    found = {
        file: tuple(_changed_lines(decode(read_existing(file) or b""), eraser)) for file in files
    }
    return {file: lines for file, lines in found.items() if lines}


def _changed_lines(text: str, eraser: Eraser) -> Iterator[int]:
    for number, line in enumerate(text.split("\n"), 1):
        if ("\\" in line or eraser.finds(line)) and (
            _erased(line, eraser, _LogLine(eraser).change) != line
        ):
            yield number


def _file_names(folder: Path) -> list[str]:
    with translated(folder, "read"):
        try:
            return sorted(path.name for path in folder.iterdir() if path.is_file())
        except FileNotFoundError:
            return []


def _is_backup(name: str, of: str) -> bool:
    return name.startswith(of) and ".bak" in name[len(of) :]


def _erase_in(file: Path, eraser: Eraser, at: datetime) -> int:
    data = read_existing(file)
    if data is None:
        return 0
    text = decode(data)
    if _FORMAT.findall(file.name)[-1:] == [".jsonl"]:
        new, changed = _erased_lines(text, eraser, at)
    else:
        new = _erased(text, eraser, lambda _path, value: eraser.erased(value))
        changed = int(new != text)
    if changed:
        replace_file(file, encode(new))
    return changed


def _erased_lines(text: str, eraser: Eraser, at: datetime) -> tuple[str, int]:
    lines = text.split("\n")
    nodes: list[str] = []
    changed = 0
    for n, line in enumerate(lines):
        if "\\" not in line and not eraser.finds(line):
            continue  # quick: without an escape, a string is written as it is
        log_line = _LogLine(eraser)
        lines[n] = _erased(line, eraser, log_line.change)
        if lines[n] != line:
            changed += 1
            nodes += log_line.node
    if nodes and lines[-1]:
        lines.append("")
    return "\n".join(lines) + _redactions(nodes, at), changed


class _LogLine:
    """Erases texts from one line of a log, and notes the node that it holds."""

    def __init__(self, eraser: Eraser) -> None:
        self._eraser = eraser
        self.node: list[str] = []

    def change(self, path: tuple[Step, ...], value: str) -> str:
        if path == _NODE_ID:
            self.node.append(value)
        is_key = bool(path) and path[-1] is None
        if path in _LINKS or (is_key and value in _KEYS):
            return value
        return self._eraser.erased(value)


def _erased(text: str, eraser: Eraser, change: Callable[[tuple[Step, ...], str], str]) -> str:
    new = map_strings(text, change)
    return new if _is_json(new) else eraser.erased(new)


def _is_json(text: str) -> bool:
    try:
        json.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        return True  # nested deeper than Python reads, but otherwise sound so far
    except ValueError:
        return False
    return True


def _redactions(nodes: Sequence[str], at: datetime) -> str:
    instant = at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    records = ({"type": "redaction", "node": node, "at": instant} for node in dict.fromkeys(nodes))
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)
