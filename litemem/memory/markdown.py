"""One user's markdown without an index: daily logs and MEMORY.md in a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from litemem.errors import InvalidValue
from litemem.files.folders import make_folder
from litemem.files.lock import FOLDER_LOCK, locked
from litemem.files.note import append_noted, undo_half
from litemem.files.read import decode, encode, read_existing, read_tail, visible
from litemem.files.state import state_of
from litemem.files.write import replace_file
from litemem.memory.blocks import check_content
from litemem.memory.new import NewFact
from litemem.memory.sources import BLOCK_FILES, log_day
from litemem.memory.workspace import Clock, RandomBytes
from litemem.settings import Home, load_settings
from litemem.settings import zone as zone_of
from litemem.text.dailylog import entry
from litemem.text.head import local_day
from litemem.text.ids import new_id
from litemem.types import Fact

RULE: Final = "\n\n---\n\n"
_TAIL: Final = 4096  # bytes of a log that are read to see whether its last heading still fits


class MarkdownFolder:
    """
    A folder of one user's daily logs and MEMORY.md.

    `HOME/memory` and `HOME/users/<id>/memory` share the home's lock and time zone; any other
    folder has its own. Safe to use from several threads and processes.

    Args:
        base_dir: the folder; the first write makes it.
        clock: gives the present moment, aware.
        rng: gives random bytes, for new ids.
        zone: where days are local to, for a folder of no home.
    """

    def __init__(
        self, base_dir: str | Path, *, clock: Clock, rng: RandomBytes, zone: tzinfo = UTC
    ) -> None:
        self.base_dir = Path(base_dir)
        self._clock, self._rng = clock, rng
        self.home = home_of(self.base_dir)
        settings = None if self.home is None else load_settings(self.home)
        self.zone = zone if settings is None else zone_of(settings)

    def append(
        self, chat_id: str | None, facts: Sequence[NewFact], day: date | None = None
    ) -> tuple[str, ...]:
        """
        Add facts to a day's log and return their ids; what was said before is written again.

        Args:
            chat_id: the chat of those that name none.
            facts: in their order.
            day: of those that have no time of their own, at the present time of day; default today.

        Raises:
            InvalidFact: one of them is out of its range; nothing is written.
        """
        now = self._clock().astimezone(self.zone)
        at = now if day is None else datetime.combine(day, now.timetz())
        made = [self._fact(new, chat_id, at) for new in facts]

        def day_of(fact: Fact) -> date:
            return local_day(fact.created_at, self.zone)

        if made:
            with self._writing() as note:
                for its_day, group in groupby(sorted(made, key=day_of), key=day_of):
                    self._append_day(its_day, list(group), note)
        return tuple(fact.id for fact in made)

    def recent(self, days: int = 2) -> str:
        """
        Return the logs of the last days, today's among them, newest first, a rule between them.

        Raises InvalidValue for less than one day.
        """
        given: Any = days  # Any: what was given, whatever the annotation says
        if not isinstance(given, int) or given < 1:
            raise InvalidValue(f"days is {given!r}; give 1 or more")
        today = self._clock().astimezone(self.zone).date()
        first = today - timedelta(days=min(days, today.toordinal()) - 1)
        wanted = [day for day in self.days() if first <= day <= today]
        return RULE.join(text.strip("\n") for day in wanted if (text := self.log(day)))

    def days(self) -> list[date]:
        """Return the days that have a log, newest first."""
        names = [path.name for path in self.base_dir.iterdir()] if self.base_dir.is_dir() else []
        return sorted((day for name in names if (day := log_day(name))), reverse=True)

    def log(self, day: date) -> str | None:
        """Return a day's log as it stands, None where there is none."""
        return self._read(f"{day.isoformat()}.md")

    def write_memory(self, content: str) -> None:
        """Replace MEMORY.md by a heading, the present moment and this text; old or new text."""
        check_content(content)
        stamp = self._clock().astimezone(self.zone).isoformat(timespec="seconds")
        text = f"# Long-term memory\n\n*Updated {stamp}*\n\n{content}"
        with self._writing():
            replace_file(self.base_dir / BLOCK_FILES["facts"], text.encode())

    def read_memory(self) -> str | None:
        """Return MEMORY.md as it stands, None where there is none."""
        return self._read(BLOCK_FILES["facts"])

    def _fact(self, new: NewFact, chat_id: str | None, at: datetime) -> Fact:
        fact = new.checked().as_fact(id=new_id(self._rng), now=at, zone=self.zone, old=None)
        return fact if fact.chat_id else replace(fact, chat_id=chat_id)

    def _append_day(self, day: date, facts: Sequence[Fact], note: Path) -> None:
        path = self.base_dir / f"{day.isoformat()}.md"
        tail = decode(read_tail(path, _TAIL)) if state_of(path) else None
        append_noted(path, encode(entry(facts, day=day, zone=self.zone, tail=tail)), note=note)

    @contextmanager
    def _writing(self) -> Iterator[Path]:
        """Hold the folder's lock, and give the note of its appends."""
        make_folder(self.base_dir)
        lock, note = self.base_dir / FOLDER_LOCK, self.base_dir / ".appending"
        if self.home is not None:
            lock, note = self.home.lock, self.home.note
        with locked(lock):
            undo_half(note)
            yield note

    def _read(self, name: str) -> str | None:
        data = read_existing(self.base_dir / name)
        return None if data is None else visible(decode(data))


def home_of(base_dir: Path) -> Home | None:
    """Return the home whose user's memory folder this is, None where it's another folder."""
    folder = base_dir.absolute()
    if folder.name != "memory":
        return None
    if folder.parent.parent.name == "users" and Home(folder.parents[2]).settings.exists():
        return Home(folder.parents[2])
    return Home(folder.parent) if Home(folder.parent).settings.exists() else None
