"""Follow edits of a home's files beside an event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeAlias

from litemem.aio.store import SQLiteMemoryStore
from litemem.memory.watch import FileChange, watch

Changes: TypeAlias = tuple[FileChange, ...]


async def follow(
    store: SQLiteMemoryStore,
    *,
    stop: asyncio.Event,
    tell: Callable[[Changes], None] = lambda _: None,
    user_id: str | None = None,
    poll: bool = False,
) -> None:
    """
    Index what is edited, added and removed in the files, until `stop` is set or it's cancelled.

    It has ended when this returns: close the store after that, not before.

    Args:
        store: whose home.
        stop: ends it within about a tenth of a second.
        tell: is given what was indexed anew; called in the event loop.
        user_id: of this user alone; None: of all.
        poll: look again and again instead of waiting for the system's notices.
    """
    loop, halt = asyncio.get_running_loop(), threading.Event()
    memory = await store.home.read(
        lambda core: core.memory if user_id is None else core.of(user_id)
    )

    def pass_on(changes: Changes) -> None:
        loop.call_soon_threadsafe(tell, changes)

    work = asyncio.create_task(
        asyncio.to_thread(watch, memory, halt, pass_on, everyone=user_id is None, poll=poll)
    )
    stopped = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({work, stopped}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        halt.set()
        stopped.cancel()
        await work
