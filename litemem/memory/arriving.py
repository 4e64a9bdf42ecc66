"""Daily logs of an export merged with those that are here: each fact once, by its id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from litemem.files.folders import make_folder
from litemem.files.note import append_noted
from litemem.files.read import decode, encode, read_tail
from litemem.files.write import replace_file
from litemem.memory.sources import log_day
from litemem.memory.workspace import Workspace
from litemem.text.dailylog import Item, Log, entry, parse_log
from litemem.text.headings import read_heading
from litemem.types import Fact

_TAIL: Final = 4096  # bytes of a log that are read to see whether its last heading still fits


class Days:
    """Merges the daily logs of one import."""

    def __init__(self, space: Workspace, *, dry_run: bool) -> None:
        self._space, self._dry_run = space, dry_run
        self._taken: dict[tuple[str, str], str] = {}  # (user, id) -> text of what came so far
        self.facts = 0
        self.known = 0
        self.wrote = False  # the last log, or would have

    def take(self, user: str, path: Path, here: bytes | None, data: bytes) -> list[str]:
        """
        Add the facts of a log that aren't here; return what stays otherwise than in the export.

        The caller holds the lock. A log that isn't here at all comes in byte for byte.
        """
        self.wrote = False
        if here == data:
            self.known += len(self._parsed(path, data).items)
            return []
        local = {} if here is None else _texts(self._parsed(path, here).items)
        log = self._parsed(path, data)
        fresh, reasons = [], []
        for item in log.items:
            text = self._known(user, item.fact.id, local)
            if text is None:
                fresh.append(item.fact)
                self._taken[user, item.fact.id] = item.fact.content
            elif text != item.fact.content:
                reasons.append(f"fact {item.fact.id} has another text in the export")
            else:
                self.known += 1
        self.facts += len(fresh)
        if here is None and len(fresh) == len(log.items):
            self._write(path, data)
            return reasons
        if fresh:
            self._append(path, fresh)
        lost = sum(1 for _ in _prose(decode(data), log, decode(here or b"")))
        return [*reasons, f"{lost} lines of the export's are no facts"] if lost else reasons

    def _parsed(self, path: Path, data: bytes) -> Log:
        day = log_day(path.name)
        assert day is not None
        key = self._space.home.relative(path)
        return parse_log(decode(data), day=day, key=key, zone=self._space.zone)

    def _known(self, user: str, id_: str, local: dict[str, str]) -> str | None:
        """Return the text of a fact that is here, in whatever log."""
        text = local.get(id_, self._taken.get((user, id_)))
        if text is None and (stored := self._space.index.find(user, id_)) is not None:
            text = stored.doc.text
        return text

    def _write(self, path: Path, data: bytes) -> None:
        self.wrote = True
        if not self._dry_run:
            replace_file(path, data)

    def _append(self, path: Path, facts: Sequence[Fact]) -> None:
        self.wrote = True
        day = log_day(path.name)
        assert day is not None
        tail = decode(read_tail(path, _TAIL)) if path.exists() else None
        text = encode(entry(facts, day=day, zone=self._space.zone, tail=tail))
        if not self._dry_run:
            make_folder(path.parent)
            append_noted(path, text, note=self._space.home.note)


def _texts(items: Sequence[Item]) -> dict[str, str]:
    return {item.fact.id: item.fact.content for item in items}


def _prose(text: str, log: Log, here: str) -> Iterator[str]:
    """Yield the lines of a log that say something and are neither facts nor our headings."""
    facts = {n for item in log.items for n in range(item.line, item.end)}
    known = set(here.split("\n"))
    for n, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if n in facts or not line.strip() or line in known:
            continue
        heading = read_heading(line)
        if heading is None or (heading.kind == "other" and not line.startswith("# ")):
            yield line
