"""Settings files of MCP clients: where they are, and what a merge leaves as it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import FormatError, InvalidValue
from litemem.mcp.clients import (
    Client,
    client_named,
    merge_into,
    server_entry,
    snippet,
    this_command,
)

CURSOR = Client(title="Cursor", path=Path("unused"), key="mcpServers", typed=False)
ENTRY = {"command": "/bin/litemem", "args": ["mcp", "--home", "/h"]}


@pytest.mark.parametrize(
    ("name", "platform", "path"),
    [
        ("claude-desktop", "linux", ".config/Claude/claude_desktop_config.json"),
        (
            "claude-desktop",
            "darwin",
            "Library/Application Support/Claude/claude_desktop_config.json",
        ),
        ("claude-desktop", "win32", "AppData/Roaming/Claude/claude_desktop_config.json"),
        ("claude-code", "linux", ".claude.json"),
        ("claude-code", "darwin", ".claude.json"),
        ("cursor", "win32", ".cursor/mcp.json"),
        ("vscode", "linux", ".config/Code/User/mcp.json"),
        ("vscode", "darwin", "Library/Application Support/Code/User/mcp.json"),
        ("vscode", "win32", "AppData/Roaming/Code/User/mcp.json"),
    ],
)
def test_each_clients_settings_are_where_it_looks(name: str, platform: str, path: str) -> None:
    person = Path("/home/ada")

    assert client_named(name, platform=platform, environ={}, home=person).path == person / path


@pytest.mark.parametrize(
    ("name", "platform", "environ", "path"),
    [
        ("vscode", "win32", {"APPDATA": "/app"}, "/app/Code/User/mcp.json"),
        ("vscode", "linux", {"XDG_CONFIG_HOME": "/xdg"}, "/xdg/Code/User/mcp.json"),
        ("claude-code", "linux", {"CLAUDE_CONFIG_DIR": "/cc"}, "/cc/.claude.json"),
    ],
)
def test_the_environment_moves_them(
    name: str, platform: str, environ: dict[str, str], path: str
) -> None:
    found = client_named(name, platform=platform, environ=environ, home=Path("/home/ada"))

    assert found.path == Path(path)


def test_another_client_is_an_error_that_lists_them() -> None:
    with pytest.raises(InvalidValue, match="claude-desktop, claude-code, cursor, vscode"):
        client_named("emacs")


def test_an_entry_says_what_its_client_wants() -> None:
    command = ["/usr/bin/python3", "-m", "litemem.cli"]
    entry = server_entry(client_named("vscode"), command, ["--user", "ada"])

    assert entry == {
        "type": "stdio",
        "command": "/usr/bin/python3",
        "args": ["-m", "litemem.cli", "mcp", "--user", "ada"],
    }
    assert json.loads(snippet(client_named("vscode"), entry)) == {"servers": {"litemem": entry}}


def test_the_command_can_be_found_from_anywhere() -> None:
    assert Path(this_command()[0]).is_absolute()
    assert Path(this_command()[0]).exists()


def test_a_missing_file_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "mcp.json"
    done = merge_into(path, CURSOR, ENTRY)

    assert (done.change, done.backup) == ("added", None)
    assert json.loads(path.read_text()) == {"mcpServers": {"litemem": ENTRY}}


def test_what_others_wrote_stays_and_the_old_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    old = '{\n\t"zoom": 1.10,\n\t"mcpServers": {\n\t\t"b": {"command": "b"},\n\t\t"é": {}\n\t}\n}'
    path.write_text(old)
    path.chmod(0o640)
    done = merge_into(path, CURSOR, ENTRY)
    again = merge_into(path, CURSOR, ENTRY)

    assert done.backup == tmp_path / "mcp.json.bak"
    assert done.backup.read_text() == old
    assert (again.change, again.backup) == ("none", None)
    text = path.read_text()
    assert [*json.loads(text)["mcpServers"]] == ["b", "é", "litemem"]
    assert text.startswith('{\n\t"zoom": 1.1,\n\t"mcpServers": {\n\t\t"b"')
    assert '"é"' in text
    assert not text.endswith("\n")
    assert path.stat().st_mode & 0o777 == 0o640


def test_an_older_entry_of_ours_is_replaced_and_no_backup_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    for number in range(3):
        merge_into(path, CURSOR, {**ENTRY, "command": f"/bin/{number}"}, replace=True)

    assert [*json.loads(path.read_text())["mcpServers"].values()] == [
        {**ENTRY, "command": "/bin/2"}
    ]
    kept = [tmp_path / "mcp.json.bak", tmp_path / "mcp.json.bak1"]
    assert [("/bin/0" in one.read_text(), "/bin/1" in one.read_text()) for one in kept] == [
        (True, False),
        (False, True),
    ]


MINE = {"command": "mine", "env": {"TOKEN": "secret"}, "disabled": True}


@pytest.mark.parametrize(
    ("mine", "shown"),
    [
        (MINE, '{"command": "mine"}'),
        ({**ENTRY, "args": []}, '{"command": "/bin/litemem", "args": []}'),
        ({"url": "http://localhost:8000/mcp"}, "it starts no command"),
        (None, "it starts no command"),
    ],
)
def test_an_entry_that_starts_something_else_stays(
    tmp_path: Path, mine: object, shown: str
) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"litemem": mine}}))
    before = path.read_text()
    with pytest.raises(InvalidValue) as caught:
        merge_into(path, CURSOR, ENTRY)

    said = str(caught.value)
    assert f"{path} has another 'litemem': {shown}; to be written is {json.dumps(ENTRY)}" in said
    assert "--replace" in said
    assert "secret" not in said
    assert path.read_text() == before
    assert [*tmp_path.iterdir()] == [path]


def test_a_replaced_entry_keeps_its_environment_and_other_keys(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"litemem": MINE}}))
    done = merge_into(path, CURSOR, ENTRY, replace=True)

    assert done.change == "changed"
    assert json.loads(path.read_text())["mcpServers"]["litemem"] == {**MINE, **ENTRY}


def test_an_entry_that_starts_the_same_keeps_what_was_added_to_it(tmp_path: Path) -> None:
    path, added = tmp_path / "mcp.json", {"env": {"TZ": "UTC"}, "alwaysAllow": ["search"]}
    path.write_text(json.dumps({"mcpServers": {"litemem": {**ENTRY, **added}}}))
    typed = {"type": "stdio", **ENTRY}

    assert merge_into(path, CURSOR, ENTRY).change == "none"
    assert merge_into(path, CURSOR, typed).change == "changed"
    assert json.loads(path.read_text())["mcpServers"]["litemem"] == {**typed, **added}


@given(
    st.dictionaries(st.text().filter(lambda key: key not in ENTRY), st.text(), max_size=3),
    st.sampled_from([{}, {"command": "mine"}, ENTRY]),
)
def test_a_replacement_changes_nothing_but_what_is_started(
    tmp_path_factory: pytest.TempPathFactory, others: dict[str, str], starts: dict[str, object]
) -> None:
    path = tmp_path_factory.mktemp("replace") / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"litemem": {**starts, **others}}}))
    merge_into(path, CURSOR, ENTRY, replace=True)

    assert json.loads(path.read_text())["mcpServers"]["litemem"] == {**others, **ENTRY}


def test_windows_line_ends_and_a_byte_order_mark_stay(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(b'\xef\xbb\xbf{\r\n    "a": 1\r\n}\r\n')
    merge_into(path, CURSOR, ENTRY)
    data = path.read_bytes()

    assert data.startswith(b'\xef\xbb\xbf{\r\n    "a": 1,\r\n')
    assert data.count(b"\n") == data.count(b"\r\n")


def test_half_a_surrogate_pair_stays_an_escape(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text('{"a": "\\ud800"}')
    merge_into(path, CURSOR, ENTRY)

    assert json.loads(path.read_text())["a"] == "\ud800"


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ('{\n  "a": 1,\n  // mine\n}', 3, "isn't plain JSON"),
        ('{\n  "a": 1,\n}', 3, "isn't plain JSON"),
        ("[1]", 1, "isn't a JSON object"),
        ('{\n "mcpServers": []\n}', 2, "'mcpServers' isn't an object"),
        ('{\n "a": 1,\n "a": 2\n}', 3, "the key 'a' stands twice"),
        ('{"a": NaN}', 1, "NaN is no JSON"),
        ("[" * 100_000, 1, "nothing was changed"),
    ],
)
def test_what_isnt_plain_json_is_refused_with_its_line(
    tmp_path: Path, text: str, line: int, why: str
) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=why) as caught:
        merge_into(path, CURSOR, ENTRY)

    assert caught.value.line == line
    assert path.read_text() == text
    assert [*tmp_path.iterdir()] == [path]


def test_what_isnt_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(b'{\n"\xff": 1}')
    with pytest.raises(FormatError, match=r"mcp\.json:2: isn't UTF-8"):
        merge_into(path, CURSOR, ENTRY)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text().filter(lambda key: key != "mcpServers"), json_values, max_size=4),
    st.dictionaries(st.text().filter(lambda key: key != "litemem"), json_values, max_size=3),
    st.sampled_from([None, 1, 2, 4, "\t"]),
)
def test_a_merge_adds_one_entry_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory,
    others: dict[str, object],
    servers: dict[str, object],
    indent: int | str | None,
) -> None:
    path = tmp_path_factory.mktemp("merge") / "mcp.json"
    path.write_text(json.dumps({**others, "mcpServers": servers}, indent=indent))
    merge_into(path, CURSOR, ENTRY)

    assert json.loads(path.read_text()) == {
        **others,
        "mcpServers": {**servers, "litemem": ENTRY},
    }
