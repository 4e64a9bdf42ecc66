"""`settings.json`: what every process that opens a home must agree on."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from litemem.errors import SettingsError
from litemem.files.read import read_existing
from litemem.files.write import replace_file
from litemem.settings.home import Home

SETTINGS_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What every process that opens a home must agree on."""

    version: int = SETTINGS_VERSION  # of the formats of the files in the home
    time_zone: str  # IANA name, "UTC", or an offset such as "UTC+02:00"
    model: str  # name or folder of the embedding model


def load_settings(home: Home) -> Settings | None:
    """Return a home's settings, None where it has none yet. Raises SettingsError, FileTrouble."""
    found = _read(home)
    if found is None:
        return None
    version = found.get("version")
    if type(version) is not int or version < 1:
        raise _damaged(home, "has no whole number 'version'")
    if version > SETTINGS_VERSION:
        msg = (
            f"{home.settings} was written by a newer litemem (format {version}, this one knows "
            f"{SETTINGS_VERSION}); update litemem"
        )
        raise SettingsError(msg)
    for key in ("time_zone", "model"):
        if not isinstance(found.get(key), str) or not found[key]:
            raise _damaged(home, f"has no text '{key}'")
    return Settings(version=version, time_zone=found["time_zone"], model=found["model"])


def write_settings(home: Home, settings: Settings) -> None:
    """
    Write a home's settings atomically; keys that this version doesn't know stay in the file.

    The caller holds the home's lock.

    Raises:
        SettingsError: the old file is damaged, so what it holds can't be kept.
        FileTrouble: the file can't be written.
    """
    known = {
        "version": settings.version,
        "time_zone": settings.time_zone,
        "model": settings.model,
    }
    text = json.dumps({**(_read(home) or {}), **known}, indent=2)
    replace_file(home.settings, (text + "\n").encode())


def _read(home: Home) -> dict[str, Any] | None:  # Any: a person's JSON, checked by the caller
    data = read_existing(home.settings)
    if data is None:
        return None
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise _damaged(home, "isn't JSON") from error
    if not isinstance(found, dict):
        raise _damaged(home, "isn't a JSON object")
    return found


def _damaged(home: Home, trouble: str) -> SettingsError:
    return SettingsError(
        f"{home.settings} {trouble}; correct it, or remove it and it's made anew (nothing that "
        "you remembered is in it)"
    )
