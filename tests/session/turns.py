"""Short turns, and what they say."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from litemem.session import SessionStore, Turn


def turn(text: str, role: str = "user") -> dict[str, object]:
    """Make a turn of one text block."""
    return {"role": role, "blocks": [{"kind": "text", "text": text}]}


def said(turns: Iterable[Turn]) -> list[str]:
    """Return the texts of turns of one block."""
    return [turn["blocks"][0]["text"] for turn in turns]


def path_of(store: SessionStore, session_id: str = "s") -> Path:
    """Return a session's file."""
    return store.folder.root / f"{session_id}.jsonl"
