"""Serve one client over standard input and output, until it leaves or a signal comes."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

from litemem.aio.home import Core
from litemem.aio.store import SQLiteMemoryStore
from litemem.errors import EmbedError
from litemem.mcp.lines import Lines
from litemem.mcp.wire import Wire

logger = logging.getLogger(__name__)


def serve(store: SQLiteMemoryStore, user: str, wire: Wire) -> None:
    """
    Answer a client as one user until its side is closed, or SIGINT or SIGTERM; then close.

    Whatever it was told was kept is on disk, whenever the process ends. The home is opened and
    the model is loaded while the SDK is imported and the two sides greet each other.

    Raises ImportError where the SDK isn't installed.
    """
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="litemem: %(message)s", force=True
    )
    asyncio.run(_serve(store, user, wire))


async def _serve(store: SQLiteMemoryStore, user: str, wire: Wire) -> None:
    lines = Lines(wire)
    lines.start()
    _on_signals(lines.end)
    try:
        from mcp.server.stdio import stdio_server  # 0.6 s of CPU

        from litemem.mcp.app import make_server

        server = make_server(store, user)
        # Not before: the imports and the model's loading would only slow each other down.
        store.home.later(_load_beside)
        files: Any = lines  # Any: no AsyncFile, but what the SDK does with one, these do too
        async with stdio_server(files, files) as (read, write):
            await server.talk(read, write)
    finally:
        await store.close()


def _on_signals(end: Callable[[], object]) -> None:
    loop = asyncio.get_running_loop()
    for one in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(one, end)
        except NotImplementedError:  # pragma: no cover - Windows; Ctrl-C is a KeyboardInterrupt
            return


def _load_beside(core: Core) -> None:
    """Load the model on a thread of its own, so that a write needn't wait for it."""
    threading.Thread(target=_load, args=(core,), name="litemem-model").start()


def _load(core: Core) -> None:
    embedder = core.space.embedders.get()
    try:
        if embedder is not None:
            embedder.embed_query("hello")
    except EmbedError as error:
        logger.warning("keyword search only: %s", error)
