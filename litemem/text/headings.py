"""Headings of a daily log: ours, the older forms, and other people's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import time
from typing import Literal

_OURS = re.compile(r"## ([0-9]{2}):([0-9]{2})(?: · chat (\S.*))?")
_OLDER = re.compile(
    r"## +([0-9]{1,2}):([0-9]{2}) +(?:— *(?:Chat: *)?([^\s:]{1,64})|[-\u2013] *Chat: *(\S.*))"
)
_ANY = re.compile(r" {0,3}##?(?:[ \t]|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What a heading says of the facts below it."""

    kind: Literal["ours", "older", "other"]
    clock: time | None = None
    chat: str | None = None
    problem: str | None = None


def format_heading(clock: time, chat: str | None) -> str:
    """Write a section's heading; the chat only where `read_heading` gives it back."""
    shown = f" · chat {chat}" if chat is not None and is_showable(chat) else ""
    return f"## {clock:%H:%M}{shown}"


def is_showable(chat: str) -> bool:
    """Say whether a chat's name can stand in a heading, and end no comment above it."""
    return chat != "" and chat.isprintable() and chat == chat.strip() and "-->" not in chat


def read_heading(line: str) -> Heading | None:
    """Read a heading of level 1 or 2; None for any other line."""
    if "#" not in line[:4] or not _ANY.match(line):
        return None
    line = line.rstrip()
    if ours := _OURS.fullmatch(line):
        return _timed("ours", ours[1], ours[2], ours[3])
    if older := _OLDER.fullmatch(line):
        return _timed("older", older[1], older[2], older[3] or older[4])
    return Heading(kind="other")


def _timed(kind: Literal["ours", "older"], hour: str, minute: str, chat: str | None) -> Heading:
    if int(hour) > 23 or int(minute) > 59:
        return Heading(kind=kind, chat=chat, problem=f"{hour}:{minute} is no time of day")
    return Heading(kind=kind, clock=time(int(hour), int(minute)), chat=chat)
