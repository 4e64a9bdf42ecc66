"""The time zone that days and clock times of a home are local to."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from datetime import UTC, timedelta, timezone, tzinfo
from pathlib import Path
from typing import Final

from litemem.errors import SettingsError
from litemem.settings.stored import Settings

_OFFSET: Final = re.compile(r"(?:UTC)?([+-])(\d\d):?([0-5]\d)")


def zone(settings: Settings) -> tzinfo:
    """Return the time zone of the settings. Raises SettingsError: this machine doesn't know it."""
    name = settings.time_zone
    if name == "UTC":
        return UTC
    if found := _OFFSET.fullmatch(name):
        ahead = timedelta(hours=int(found[2]), minutes=int(found[3]))
        if ahead < timedelta(days=1):
            return timezone(ahead if found[1] == "+" else -ahead)
    import zoneinfo  # 4 ms that a home in UTC needn't pay

    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        msg = (
            f"the time zone {name!r} of settings.json is unknown here; correct it, install the "
            'tzdata package, or give an offset such as "UTC+02:00"'
        )
        raise SettingsError(msg) from error


def machine_zone_name(
    environ: Mapping[str, str] | None = None, localtime: Path = Path("/etc/localtime")
) -> str:
    """Return the machine's time zone: its IANA name, else its present offset ("UTC+01:00")."""
    name = (os.environ if environ is None else environ).get("TZ")
    if name is None:
        name = os.path.realpath(localtime).replace("\\", "/").rpartition("/zoneinfo/")[2]
    name = name.removeprefix(":")
    if name == "Etc/UTC":
        return "UTC"  # needs no time zone database
    if name and _is_zone(name):
        return name
    minutes = max(-1439, min(1439, time.localtime().tm_gmtoff // 60))
    if minutes == 0:
        return "UTC"
    return f"UTC{'+' if minutes > 0 else '-'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def _is_zone(name: str) -> bool:
    try:
        zone(Settings(time_zone=name, model=""))
    except SettingsError:
        return False
    return True
