"""The markdown as it stands: daily logs, MEMORY.md; and building the index anew."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Final

from litemem.files.read import decode, read_existing, visible
from litemem.memory.memory import Memory
from litemem.memory.reindex import reindex
from litemem.memory.sources import BLOCK_FILES
from litemem.memory.store import FactStore
from litemem.server.endpoint import Call, Endpoint, Json
from litemem.server.errors import Refused
from litemem.server.params import BOOLEAN, Day, in_body
from litemem.server.shapes import DATE, NUMBER, TEXT, TRUTH, made, rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing:
    """No parameter but the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _OneDay:
    date: Day


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reindex:
    clear_existing: Annotated[bool, in_body(BOOLEAN, "The whole index anew.")] = False


async def list_daily_logs(call: Call, _: Nothing) -> Json:
    """Return the days that have a log."""
    days = await call.read(lambda memory, _: memory.log_days())
    return {"dates": [day.isoformat() for day in days], "count": len(days)}


async def get_daily_log(call: Call, asked: _OneDay) -> Json:
    """Return a day's log."""
    name = f"{asked.date.isoformat()}.md"
    content, size = await call.read(lambda memory, _: _file(memory, name))
    return {"date": asked.date.isoformat(), "content": content, "size_bytes": size}


async def get_memory_file(call: Call, _: Nothing) -> Json:
    """Return MEMORY.md."""
    content, size = await call.read(lambda memory, _: _file(memory, BLOCK_FILES["facts"]))
    return {"content": content, "size_bytes": size}


async def reindex_from_markdown(call: Call, asked: _Reindex) -> Json:
    """Index the markdown again."""

    def work(memory: Memory, _: FactStore) -> Json:
        return asdict(reindex(memory.space, call.user, None, clear=asked.clear_existing))

    done = await call.write(work)
    names = ("total_files", "total_facts", "indexed", "skipped", "errors")
    return {"success": done["errors"] == 0, "stats": {name: done[name] for name in names}}


def _file(memory: Memory, name: str) -> tuple[str, int]:
    path: Path = memory.space.home.memory_dir(memory.user_id) / name
    data = read_existing(path)
    if data is None:
        raise Refused(404, "unknown", "there is no such file")
    return visible(decode(data)), len(data)


_STATS: Final = made(
    total_files=NUMBER, total_facts=NUMBER, indexed=NUMBER, skipped=NUMBER, errors=NUMBER
)
ENDPOINTS: Final = (
    Endpoint(
        method="GET",
        path="/memory/daily",
        does=list_daily_logs,
        asked=Nothing,
        answers=made(dates=rows(DATE), count=NUMBER),
        says="The days that have a log, newest first.",
        tag="files",
    ),
    Endpoint(
        method="GET",
        path="/memory/daily/{date}",
        does=get_daily_log,
        asked=_OneDay,
        answers=made(date=DATE, content=TEXT, size_bytes=NUMBER),
        says="A day's log as it stands in its file.",
        tag="files",
        fails=(404,),
    ),
    Endpoint(
        method="GET",
        path="/memory/file",
        does=get_memory_file,
        asked=Nothing,
        answers=made(content=TEXT, size_bytes=NUMBER),
        says="MEMORY.md as it stands.",
        tag="files",
        fails=(404,),
    ),
    Endpoint(
        method="POST",
        path="/memory/reindex",
        does=reindex_from_markdown,
        asked=_Reindex,
        answers=made(success=TRUTH, stats=_STATS),
        says="Make the index say what the markdown says; `success` is false where errors > 0.",
        tag="files",
    ),
)
