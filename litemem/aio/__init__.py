"""The async API: one-line faces over the synchronous core."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "ContextCompressor": "compressor",
    "MarkdownIndexer": "markdown",
    "MarkdownMemoryStore": "markdown",
    "MemoryBlockUpdateTool": "tools",
    "MemoryExtractionResult": "result",
    "MemoryManager": "manager",
    "MemorySearchTool": "tools",
    "SQLiteMemoryStore": "store",
    "SessionStore": "logs",
    "StateMirror": "logs",
    "TranscriptIndexer": "logs",
    "TranscriptManager": "logs",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401  # Any: whatever the name stands for
    if name not in _HOMES:
        msg = f"module 'litemem.aio' has no attribute {name!r}"
        raise AttributeError(msg)
    found = getattr(import_module(f"litemem.aio.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
