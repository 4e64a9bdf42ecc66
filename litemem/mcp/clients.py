"""How MCP clients are told of a server: their settings files, and an entry merged into one."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from litemem.errors import FormatError, InvalidValue
from litemem.files.folders import make_folder
from litemem.files.read import read_file
from litemem.files.trouble import translated
from litemem.files.write import replace_file
from litemem.mcp.strict import Twice, read_strict

NAME: Final = "litemem"
_STARTS: Final = ("command", "args")
_INDENT: Final = re.compile(r"\{\r?\n([ \t]+)\"")
_BOM: Final = "\ufeff"

Json = dict[str, Any]  # Any: JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client, and where its user-wide settings are."""

    title: str
    path: Path
    key: str  # of the object that holds the servers
    typed: bool  # an entry says `"type": "stdio"`


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What became of a settings file."""

    change: Literal["none", "added", "changed"]  # of our entry
    backup: Path | None = None  # the file as it was


def client_named(
    name: str,
    *,
    platform: str = sys.platform,
    environ: Mapping[str, str] = os.environ,
    home: Path | None = None,
) -> Client:
    """
    Return a client with the path of its settings on this system.

    Args:
        name: claude-desktop, claude-code, cursor or vscode; else InvalidValue.
        platform: as `sys.platform` has it.
        environ: for APPDATA, XDG_CONFIG_HOME and CLAUDE_CONFIG_DIR.
        home: the person's home folder.
    """
    person = Path.home() if home is None else home
    settings = _settings(platform, environ, person)
    match name:
        case "claude-desktop":
            path = settings / "Claude" / "claude_desktop_config.json"
            return Client(title="Claude Desktop", path=path, key="mcpServers", typed=False)
        case "claude-code":
            folder = Path(environ.get("CLAUDE_CONFIG_DIR") or person)
            path = folder / ".claude.json"
            return Client(title="Claude Code", path=path, key="mcpServers", typed=True)
        case "cursor":
            path = person / ".cursor" / "mcp.json"
            return Client(title="Cursor", path=path, key="mcpServers", typed=False)
        case "vscode":
            path = settings / "Code" / "User" / "mcp.json"
            return Client(title="VS Code", path=path, key="servers", typed=True)
        case _:
            raise InvalidValue(
                f"no client {name!r}; known are claude-desktop, claude-code, cursor, vscode"
            )


def _settings(platform: str, environ: Mapping[str, str], person: Path) -> Path:
    if platform == "darwin":
        return person / "Library" / "Application Support"
    if platform == "win32":
        return Path(environ.get("APPDATA") or person / "AppData" / "Roaming")
    return Path(environ.get("XDG_CONFIG_HOME") or person / ".config")


def this_command() -> list[str]:
    """Return how to start this litemem from anywhere: a client's PATH isn't the shell's."""
    python = Path(sys.executable)
    beside = python.with_name("litemem.exe" if python.suffix == ".exe" else "litemem")
    return [str(beside)] if beside.exists() else [str(python), "-m", "litemem.cli"]


def server_entry(client: Client, command: Sequence[str], arguments: Sequence[str]) -> Json:
    """Return the entry of a server that runs `litemem mcp` with these arguments."""
    kind = {"type": "stdio"} if client.typed else {}
    return {**kind, "command": command[0], "args": [*command[1:], "mcp", *arguments]}


def snippet(client: Client, entry: Json) -> str:
    """Return the whole JSON of a settings file that has nothing but this server."""
    return json.dumps({client.key: {NAME: entry}}, indent=2, ensure_ascii=False)


def merge_into(path: Path, client: Client, entry: Json, *, replace: bool = False) -> Merged:
    """
    Put the entry into a settings file; all else in it stays, and the file as it was is kept.

    A missing file is made. One that has the entry already isn't touched. Of another entry by this
    name, what isn't ours stays, such as `env`; that it starts something else is only changed with
    `replace`, else InvalidValue. Raises FormatError for a file that isn't plain JSON, with the
    line; FileTrouble.
    """
    old = read_file(path) if path.exists() else b""
    text = _decoded(path, old)
    settings = _parsed(path, text) if text.strip() else {}
    servers = settings.setdefault(client.key, {})
    if not isinstance(servers, dict):
        raise FormatError(path, _line_of(text, client.key), f"{client.key!r} isn't an object")
    is_new = NAME not in servers
    merged = entry if is_new else _merged(path, servers[NAME], entry, replace=replace)
    if not is_new and servers[NAME] == merged:
        return Merged(change="none")
    servers[NAME] = merged
    new = _written(settings, text)
    make_folder(path.parent)
    backup = _backup(path, old) if path.exists() else None
    replace_file(path, new)
    return Merged(change="added" if is_new else "changed", backup=backup)


def _merged(path: Path, there: object, entry: Json, *, replace: bool) -> Json:
    """Return an entry over one that is there. Raises InvalidValue."""
    kept: Json = there if isinstance(there, dict) else {}
    if not replace and any(kept.get(key) != entry[key] for key in _STARTS):
        raise InvalidValue(
            f"{path} has another {NAME!r}: {_shown(there)}; to be written is {_shown(entry)}; "
            "--replace does so and keeps its other keys; nothing was changed"
        )
    return {**kept, **entry}


def _shown(entry: object) -> str:
    """Return what an entry starts, without the rest: its environment may hold secrets."""
    starts = {key: entry[key] for key in _STARTS if key in entry} if isinstance(entry, dict) else {}
    return json.dumps(starts, ensure_ascii=False) if starts else "it starts no command"


def _decoded(path: Path, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FormatError(path, line, "isn't UTF-8; nothing was changed") from error


def _parsed(path: Path, text: str) -> Json:
    """Read settings. Raises FormatError: also for a key that stands twice, which would be lost."""
    try:
        found = read_strict(text.removeprefix(_BOM))
    except json.JSONDecodeError as error:
        reason = f"isn't plain JSON ({error.msg}, column {error.colno}); nothing was changed"
        raise FormatError(path, error.lineno, reason) from error
    except ValueError as error:
        found_twice = error.args[0] if isinstance(error, Twice) else ""
        raise FormatError(
            path, _line_of(text, found_twice), f"{error}; nothing was changed"
        ) from error
    if not isinstance(found, dict):
        raise FormatError(path, 1, "isn't a JSON object; nothing was changed")
    return found


def _line_of(text: str, key: str) -> int:
    """Return the last line on which a key stands, 1 where it isn't found."""
    at = text.rfind(json.dumps(key, ensure_ascii=False)) if key else -1
    return text.count("\n", 0, at) + 1 if at >= 0 else 1


def _written(settings: Json, like: str) -> bytes:
    """Return settings as JSON, with the indentation, line ends and byte order mark of a text."""
    found = _INDENT.search(like)
    indent: str | int = found.group(1) if found else 2
    text = json.dumps(settings, indent=indent, ensure_ascii=False)
    if "\n" not in like or like.endswith("\n"):
        text += "\n"
    if "\r\n" in like:
        text = text.replace("\n", "\r\n")
    try:
        return ((_BOM if like.startswith(_BOM) else "") + text).encode()
    except UnicodeEncodeError:  # half a surrogate pair, which only an escape can say
        return (json.dumps(settings, indent=indent) + "\n").encode()


def _backup(path: Path, data: bytes) -> Path:
    """Write the file as it was beside it, over no other file."""
    number = 0
    while True:
        name = path.with_name(f"{path.name}.bak{number or ''}")
        with translated(name, "write"):
            try:
                fd = os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            except FileExistsError:
                number += 1
                continue
            with os.fdopen(fd, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(fd)
            return name
