"""Where a home folder keeps what, and the settings that its processes share."""

from litemem.settings.home import Home, find_home, real
from litemem.settings.stored import SETTINGS_VERSION, Settings, load_settings, write_settings
from litemem.settings.zones import machine_zone_name, zone

__all__ = [
    "SETTINGS_VERSION",
    "Home",
    "Settings",
    "find_home",
    "load_settings",
    "machine_zone_name",
    "real",
    "write_settings",
    "zone",
]
