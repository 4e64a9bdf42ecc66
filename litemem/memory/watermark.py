"""How far consolidation has come: one small file a user, which may be lost at the cost of work."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from litemem.files.read import read_existing
from litemem.files.write import replace_file
from litemem.memory.sources import log_day
from litemem.memory.workspace import Workspace

_VERSION: Final = 1  # another one is read as none: all facts are compared again


@dataclass(frozen=True, slots=True, kw_only=True)
class Watermark:
    """What was compared already, and what stays apart; ids and checksums alone, no text."""

    logs: Mapping[str, str] = field(default_factory=dict)  # path -> checksum of what was compared
    refused: tuple[tuple[str, ...], ...] = ()  # groups of ids
    model: str = ""  # whose vectors were compared


def read_watermark(space: Workspace, user: str) -> tuple[Watermark, str | None]:
    """Return the watermark, and what is wrong with its file; a damaged one is none."""
    path = space.home.consolidation(user)
    data = read_existing(path)
    if data is None:
        return Watermark(), None
    try:
        return _parsed(json.loads(data)), None
    except (ValueError, KeyError, TypeError, RecursionError):
        return Watermark(), f"{path} can't be read; all facts are compared again"


def write_watermark(space: Workspace, user: str, mark: Watermark) -> None:
    """Replace the file; the caller holds the lock."""
    value = {
        "version": _VERSION,
        "model": mark.model,
        "logs": dict(mark.logs),
        "refused": [list(group) for group in mark.refused],
    }
    data = json.dumps(value, indent=1).encode() + b"\n"
    replace_file(space.home.consolidation(user), data)


def logs_now(space: Workspace, user: str) -> dict[str, str]:
    """Return the checksums of a user's daily logs as they were indexed."""
    return {
        path: sha256(source.digests).hexdigest()
        for path, source in space.index.sources(user).items()
        if log_day(path.rpartition("/")[2]) is not None
    }


def _parsed(value: object) -> Watermark:
    if not isinstance(value, dict) or value["version"] != _VERSION:
        raise ValueError(value)
    logs, refused, model = value["logs"], value["refused"], value["model"]
    if not isinstance(logs, dict) or not isinstance(refused, list):
        raise TypeError(value)
    groups = tuple(tuple(group) for group in refused)
    texts = [model, *logs, *logs.values(), *(id_ for group in groups for id_ in group)]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError(value)
    return Watermark(logs=logs, refused=groups, model=model)
