"""Tricks in every parameter: refused, and nothing outside of the home is read or written."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.server.errors import Refused
from litemem.server.guard import check_path
from litemem.server.shapes import without_paths
from tests.server.client import Server

TRICKS = [
    "..",
    ".",
    "../secret",
    "..\\secret",
    "a/../../secret",
    "/etc/passwd",
    "C:\\secret",
    "\\\\host\\share",
    "a\0b",
    "a\nb",
    "CON",
    "con.jsonl",
    "nul",
    "LPT1.txt",
    "x" * 201,
    "é" * 150,
    "x.",
    "x ",
    "a:b",
    "*",
    "\x7f",
]
IN_PATHS = [
    ("GET", "/session/{}/transcript"),
    ("GET", "/session/{}/state"),
    ("GET", "/sessions/{}/tree"),
    ("GET", "/memory/{}"),
    ("DELETE", "/memory/archival/{}"),
    ("GET", "/memory/daily/{}"),
    ("GET", "/memory/day/{}"),
    ("GET", "/blocks/{}"),
]
IN_QUERIES = [
    ("/memory/core", "chat_id"),
    ("/memory/core", "user_id"),
    ("/memory/archival", "chat_id"),
    ("/memory/archival", "user_id"),
    ("/memory/search?query=x", "chat_id"),
    ("/memory/stats", "user_id"),
    ("/blocks/user", "chat_id"),
    ("/session/s1/transcript", "user_id"),
]


def tree(folder: Path) -> set[str]:
    return {str(path) for path in folder.rglob("*") if not path.name.startswith("index.db")}


@pytest.mark.parametrize(("method", "path"), IN_PATHS)
async def test_tricks_in_a_path_are_refused(server: Server, method: str, path: str) -> None:
    (server.home.parent / "secret.jsonl").write_text('{"role":"user","content":"secret"}\n')
    (server.home.parent / "secret.json").write_text('{"secret": 1}')
    await server.get("/memory/stats")
    before = tree(server.home.parent)

    for trick in TRICKS:
        for coded in (quote(trick, safe=""), quote(trick, safe="").replace("%2F", "%2f")):
            answer = await server.ask(method, path.format(coded.replace(".", "%2e")))
            assert answer.status_code == 400, (trick, answer.text)
            assert "secret" not in answer.text or "secret" in trick
    assert tree(server.home.parent) == before


@pytest.mark.parametrize(("path", "name"), IN_QUERIES)
async def test_tricks_in_a_query_are_refused(server: Server, path: str, name: str) -> None:
    await server.get("/memory/stats")
    before = tree(server.home.parent)

    for trick in (*TRICKS, ""):
        joined = f"{path}{'&' if '?' in path else '?'}{name}={quote(trick, safe='')}"
        assert await server.status("GET", joined) == (400, "invalid"), trick
    assert tree(server.home.parent) == before


@pytest.mark.parametrize(
    ("method", "path", "body", "name"),
    [
        ("PUT", "/memory/core", {"label": "user", "content": "x"}, "chat_id"),
        ("PUT", "/memory/core", {"label": "user", "content": "x"}, "user_id"),
        ("PUT", "/memory/core", {"content": "x"}, "label"),
        ("POST", "/memory/archival", {"content": "x"}, "chat_id"),
        ("POST", "/memory/archival", {"content": "x"}, "user_id"),
        ("POST", "/memory/archival", {"content": "x"}, "replaces"),
        ("POST", "/memory/reindex", {}, "user_id"),
    ],
)
async def test_tricks_in_a_body_are_refused(
    server: Server, method: str, path: str, body: dict[str, object], name: str
) -> None:
    await server.get("/memory/stats")
    before = tree(server.home.parent)

    for trick in (*TRICKS, ""):
        assert await server.status(method, path, json=body | {name: trick}) == (400, "invalid")
    assert tree(server.home.parent) == before


async def test_the_pages_files_alone_are_served_as_such(server: Server) -> None:
    for name in ("../app.py", "%2e%2e/app.py", "app.py", "..%2fapp.py", "/etc/passwd", "x/../y"):
        answer = await server.ask("GET", f"/page/{name}")
        assert answer.status_code in (400, 404)


@given(st.text(max_size=30))
def test_a_path_that_is_let_through_has_no_trick(text: str) -> None:
    path = ("/" + text).encode(errors="replace")
    with suppress(Refused):
        check_path(path)
        assert b"\0" not in path
        assert ".." not in text.split("/")


@pytest.mark.parametrize("raw", [b"/%ff", b"/a%2Fb", b"/a%5cb", b"/%00", b"/" + b"a" * 1001])
def test_a_coded_separator_and_bad_bytes_are_refused(raw: bytes) -> None:
    with pytest.raises(Refused):
        check_path(raw)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("can't read /home/me/x/index.db: full", "can't read index.db: full"),
        ("model C:\\Users\\me\\m is missing", "model m is missing"),
        ("memory/2026-02-08.md:3 is odd", "memory/2026-02-08.md:3 is odd"),
        ("90 % and/or more", "90 % and/or more"),
    ],
)
def test_a_message_for_a_client_has_no_absolute_path(said: str, shown: str) -> None:
    assert without_paths(said) == shown
