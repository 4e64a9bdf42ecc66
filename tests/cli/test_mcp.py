"""`litemem mcp --install`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("client", "key"),
    [
        ("claude-desktop", "mcpServers"),
        ("claude-code", "mcpServers"),
        ("cursor", "mcpServers"),
        ("vscode", "servers"),
    ],
)
def test_a_snippet_is_printed_and_nothing_is_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, client: str, key: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    done = run("--user", "ada", "mcp", "--install", client)

    entry = json.loads(done.stdout)[key]["litemem"]
    assert Path(entry["command"]).is_absolute()
    assert entry["args"][-5:] == ["mcp", "--home", str(tmp_path / "home"), "--user", "ada"]
    assert str(tmp_path / "person") in done.stderr
    assert not (tmp_path / "person").exists()
    assert not (tmp_path / "home").exists()


def test_a_named_file_is_merged_into_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text('{"mcpServers": {"other": {}}}')
    done = run("mcp", "--install", "cursor", "--config", str(path), "--model", "fast")
    again = run("mcp", "--install", "cursor", "--config", str(path), "--model", "fast")
    printed = run("mcp", "--install", "cursor", "--print", "--config", str(path))

    assert [*json.loads(path.read_text())["mcpServers"]] == ["other", "litemem"]
    assert json.loads(path.read_text())["mcpServers"]["litemem"]["args"][-2:] == ["--model", "fast"]
    assert done.stdout == f"{path}: litemem added\n"
    assert done.stderr == f"the old file is {path}.bak\nrestart Cursor to use it\n"
    assert (again.stdout, again.stderr) == (f"{path}: nothing to change\n", "")
    assert f"belongs into {path}" in printed.stderr


def test_the_clients_own_file_is_made_where_asked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    run("mcp", "--install", "cursor", "--merge")

    assert (tmp_path / "person" / ".cursor" / "mcp.json").exists()


def test_a_file_with_comments_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("{\n// mine\n}")
    done = run("mcp", "--install", "vscode", "--config", str(path))

    assert done.exit_code == 1
    assert f"{path}:2: isn't plain JSON" in done.stderr


def test_an_entry_of_ones_own_is_only_replaced_where_asked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text('{"mcpServers": {"litemem": {"command": "mine", "env": {"A": "b"}}}}')
    refused = run("mcp", "--install", "cursor", "--merge", "--config", str(path))
    kept = json.loads(path.read_text())["mcpServers"]["litemem"]
    done = run("mcp", "--install", "cursor", "--replace", "--config", str(path))
    now = json.loads(path.read_text())["mcpServers"]["litemem"]

    assert refused.exit_code == 1
    assert 'has another \'litemem\': {"command": "mine"}; to be written is' in refused.stderr
    assert kept == {"command": "mine", "env": {"A": "b"}}
    assert done.stdout == f"{path}: litemem changed\n"
    assert now["env"] == {"A": "b"}
    assert now["args"][-3:] == ["mcp", "--home", str((tmp_path / "home").resolve())]


def test_the_home_is_written_without_detours(run: Run, tmp_path: Path) -> None:
    done = run("--home", "x/../../h3", "mcp", "--install", "cursor")

    home = json.loads(done.stdout)["mcpServers"]["litemem"]["args"][-1]
    assert home == str(tmp_path.resolve().parent / "h3")


@pytest.mark.parametrize(
    "arguments", [("--replace",), ("--install", "cursor", "--print", "--replace")]
)
def test_replacing_belongs_to_merging(run: Run, arguments: tuple[str, ...]) -> None:
    done = run("mcp", *arguments)

    assert done.exit_code == 2
    assert "--replace" in done.stderr
