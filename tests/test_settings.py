from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
import zoneinfo
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import InvalidName, SettingsError
from litemem.files.folders import make_folder
from litemem.files.leftover import beside
from litemem.settings import (
    Home,
    Settings,
    find_home,
    load_settings,
    machine_zone_name,
    write_settings,
    zone,
)

needs_names = pytest.mark.skipif(
    not zoneinfo.available_timezones(), reason="this machine has no time zone database"
)
SETTINGS = Settings(time_zone="Europe/Lisbon", model="me5-small-q4")


def test_the_argument_beats_the_environment_beats_the_folder_here(tmp_path: Path) -> None:
    environ = {"HOME": "/people/ana", "LITEMEM_HOME": "/from/environment"}
    nothing = {"HOME": "/people/ana"}

    assert find_home("/from/argument", environ, tmp_path) == Path("/from/argument")
    assert find_home(None, environ, tmp_path) == Path("/from/environment")
    assert find_home(None, nothing, tmp_path) == Path("/people/ana/.litemem")
    (tmp_path / ".litemem").mkdir()
    assert find_home(None, nothing, tmp_path) == tmp_path / ".litemem"


def test_a_home_is_absolute(tmp_path: Path) -> None:
    environ = {"HOME": "/people/ana", "LITEMEM_HOME": "b"}

    assert find_home(Path("a"), environ, tmp_path) == tmp_path / "a"
    assert find_home(".", environ, tmp_path) == tmp_path
    assert find_home(None, environ, tmp_path) == tmp_path / "b"
    assert find_home("~/x", environ, tmp_path) == Path("/people/ana/x")
    assert find_home("~", environ, tmp_path) == Path("/people/ana")


def test_an_empty_environment_variable_counts_as_unset(tmp_path: Path) -> None:
    environ = {"USERPROFILE": "/people/ana", "LITEMEM_HOME": ""}

    assert find_home(None, environ, tmp_path) == Path("/people/ana/.litemem")
    assert find_home(None, {}, tmp_path) == Path.home() / ".litemem"


@pytest.mark.parametrize("argument", ["", "a\0b", "a\udcffb"])
def test_an_impossible_home_is_an_error(tmp_path: Path, argument: str) -> None:
    with pytest.raises(InvalidName, match="the home folder"):
        find_home(argument, {}, tmp_path)


def test_the_default_user_lives_at_the_root_and_others_below_users(tmp_path: Path) -> None:
    home = Home(tmp_path)

    assert home.settings == tmp_path / "settings.json"
    assert home.index == tmp_path / "index.db"
    assert home.lock == tmp_path / "lock"
    assert home.global_dir == tmp_path / "global"
    assert home.memory_dir("default") == tmp_path / "memory"
    assert home.chats_dir("ana b") == tmp_path / "users" / "ana b" / "memory" / "chats"
    assert home.transcripts_dir("é") == tmp_path / "users" / "é" / "transcripts"
    assert home.sessions_dir("default") == tmp_path / "sessions"
    assert home.state_dir("x") == tmp_path / "users" / "x" / "state"


def test_a_path_below_the_home_says_whose_it_is(tmp_path: Path) -> None:
    home = Home(tmp_path)
    log = home.relative(home.memory_dir("ana") / "2026-02-08.md")

    assert log == "users/ana/memory/2026-02-08.md"
    assert home.user_of(log) == "ana"
    assert home.user_of("memory/2026-02-08.md") == "default"
    assert home.user_of("settings.json") == "default"
    assert home.user_of("global/persona.md") is None


@pytest.mark.parametrize("user", ["Default", "DEFAULT", "../x", "", "a/b", "nul"])
def test_a_wrong_user_is_an_error(tmp_path: Path, user: str) -> None:
    with pytest.raises(InvalidName, match="user id"):
        Home(tmp_path).memory_dir(user)


def test_a_user_in_a_second_spelling_is_an_error(tmp_path: Path) -> None:
    home = Home(tmp_path)
    make_folder(home.memory_dir("Ana"))

    with pytest.raises(InvalidName, match="user id 'ana' exists in another spelling: use 'Ana'"):
        home.memory_dir("ana")


def test_users_are_the_default_one_and_then_by_name(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert home.users() == ("default",)
    for user in ("zoe", "Ana", "é"):
        make_folder(home.memory_dir(user))
    (tmp_path / "users" / "default").mkdir()
    (tmp_path / "users" / "nul").mkdir()
    (tmp_path / "users" / "notes.txt").touch()
    beside(tmp_path / "users" / "gone").mkdir()

    assert home.users() == ("default", "Ana", "zoe", "é")


def test_a_new_home_has_no_settings(tmp_path: Path) -> None:
    assert load_settings(Home(tmp_path / "none")) is None


@given(st.text(min_size=1), st.text(min_size=1) | st.just("a\udcff"))
def test_settings_survive_their_file(
    tmp_path_factory: pytest.TempPathFactory, time_zone: str, model: str
) -> None:
    home = Home(tmp_path_factory.getbasetemp() / "settings")
    settings = Settings(time_zone=time_zone, model=model)
    write_settings(home, settings)

    assert load_settings(home) == settings


def test_unknown_keys_stay_and_a_bom_does_no_harm(tmp_path: Path) -> None:
    home = Home(tmp_path)
    text = '{"theme": {"é": [1.5]}, "version": 1, "time_zone": "UTC", "model": "fast"}'
    home.settings.write_bytes(b"\xef\xbb\xbf" + text.encode())

    assert load_settings(home) == Settings(time_zone="UTC", model="fast")
    write_settings(home, SETTINGS)
    assert home.settings.read_text() == (
        '{\n  "theme": {\n    "\\u00e9": [\n      1.5\n    ]\n  },\n  "version": 1,\n'
        '  "time_zone": "Europe/Lisbon",\n  "model": "me5-small-q4"\n}\n'
    )


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("", "isn't JSON"),
        ('{"version": 1', "isn't JSON"),
        ("\xff", "isn't JSON"),
        ("[" * 5000 + "]" * 5000, "isn't JSON"),
        ("[]", "isn't a JSON object"),
        ("{}", "has no whole number 'version'"),
        ('{"version": true}', "has no whole number 'version'"),
        ('{"version": 0}', "has no whole number 'version'"),
        ('{"version": 1, "model": "x"}', "has no text 'time_zone'"),
        ('{"version": 1, "model": "x", "time_zone": ""}', "has no text 'time_zone'"),
        ('{"version": 1, "model": 3, "time_zone": "UTC"}', "has no text 'model'"),
    ],
)
def test_damaged_settings_name_the_file_and_the_way_out(
    tmp_path: Path, text: str, trouble: str
) -> None:
    home = Home(tmp_path)
    home.settings.write_bytes(text.encode("latin-1"))

    with pytest.raises(SettingsError, match="correct it, or remove it") as caught:
        load_settings(home)
    assert f"{home.settings} {trouble}" in str(caught.value)


def test_damaged_settings_are_not_overwritten(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.settings.write_text("{")

    with pytest.raises(SettingsError):
        write_settings(home, SETTINGS)
    assert home.settings.read_text() == "{"


def test_settings_of_a_newer_format_ask_for_an_update(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.settings.write_text('{"version": 2}')

    with pytest.raises(SettingsError, match=r"newer litemem \(format 2, .*update litemem"):
        load_settings(home)


@pytest.mark.parametrize(
    ("name", "hours"),
    [
        ("UTC", 0),
        ("UTC+05:30", 5.5),
        ("-0330", -3.5),
        pytest.param("Asia/Kolkata", 5.5, marks=needs_names),
        pytest.param("America/New_York", -5, marks=needs_names),
    ],
)
def test_a_zone_is_a_name_or_an_offset(name: str, hours: float) -> None:
    there = datetime(2026, 2, 8, 12, tzinfo=zone(Settings(time_zone=name, model="m")))

    assert there.utcoffset() == timedelta(hours=hours)


@pytest.mark.parametrize("name", ["Europe/Berln", "Europe", "../../etc/passwd", "UTC+25:00", "\0"])
def test_an_unknown_zone_is_an_error_with_a_way_out(name: str) -> None:
    with pytest.raises(SettingsError, match="give an offset such as"):
        zone(Settings(time_zone=name, model="m"))


@needs_names
def test_the_machine_zone_comes_from_tz_then_from_the_system(tmp_path: Path) -> None:
    localtime = tmp_path / "localtime"
    localtime.symlink_to("/usr/share/zoneinfo/Asia/Tokyo")

    assert machine_zone_name({"TZ": "Europe/Lisbon"}, localtime) == "Europe/Lisbon"
    assert machine_zone_name({"TZ": ":Europe/Lisbon"}, localtime) == "Europe/Lisbon"
    assert machine_zone_name({}, localtime) == "Asia/Tokyo"
    assert machine_zone_name({"TZ": "Etc/UTC"}, localtime) == "UTC"


@pytest.mark.parametrize(
    ("rule", "name"),
    [("XYZ-5:30", "UTC+05:30"), ("XYZ3", "UTC-03:00"), ("", "UTC"), ("UTC0", "UTC")],
)
def test_a_machine_zone_without_a_name_is_an_offset(
    monkeypatch: pytest.MonkeyPatch, rule: str, name: str
) -> None:
    monkeypatch.setenv("TZ", rule)
    time.tzset()
    try:
        assert machine_zone_name() == name
    finally:
        monkeypatch.undo()
        time.tzset()


def test_every_machine_zone_is_a_zone() -> None:
    name = machine_zone_name()

    assert datetime.now(zone(Settings(time_zone=name, model="m"))).utcoffset() == (
        datetime.now(UTC).astimezone().utcoffset()
    )


@pytest.mark.skipif(importlib.util.find_spec("tzdata") is not None, reason="tzdata is here")
def test_a_machine_without_a_time_zone_database_says_what_helps() -> None:
    script = (
        "from litemem.settings import *\n"
        "print(machine_zone_name({'TZ': 'Asia/Tokyo'}))\n"
        "try:\n"
        "    zone(Settings(time_zone='Asia/Tokyo', model='m'))\n"
        "except ValueError as error:\n"
        "    print(error)"
    )
    environ = {**os.environ, "PYTHONTZPATH": "", "TZ": "XYZ-9"}
    command = [sys.executable, "-c", script]
    said = subprocess.run(command, capture_output=True, check=True, env=environ, text=True)

    assert said.stdout.startswith(
        "UTC+09:00\nthe time zone 'Asia/Tokyo' of settings.json is unknown"
    )
    assert "install the tzdata package" in said.stdout


def test_a_home_in_utc_never_looks_for_a_time_zone_database() -> None:
    script = (
        "import sys, json\n"
        "from litemem.settings import Settings, zone\n"
        "zone(Settings(time_zone='UTC', model='m'))\n"
        "print(json.dumps([m for m in ('zoneinfo', 'shutil', 'asyncio') if m in sys.modules]))"
    )
    command = [sys.executable, "-c", script]
    said = subprocess.run(command, capture_output=True, check=True, env=dict(os.environ))

    assert json.loads(said.stdout) == []
