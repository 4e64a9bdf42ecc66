"""`litemem ui`: one server for a home, and an address that opens its page once."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from litemem.cli import main
from litemem.cli.ui import free_port
from litemem.errors import InvalidValue
from litemem.files.lock import locked
from litemem.server.run import DEFAULT_PORT, bound
from litemem.server.running import ADDRESS, LOCK, announced, find_server, new_page
from litemem.server.tokens import own_token
from litemem.settings import Home
from tests.page.site import COMMAND

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

URL = "http://127.0.0.1:1"
Start = Callable[..., "Started"]


class Started:
    """`litemem ui` that has started a server."""

    def __init__(self, home: Path, *more: str, **environ: str) -> None:
        self.child = subprocess.Popen(
            [*COMMAND, "--home", str(home), "ui", "--port", "0", *more],
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"LITEMEM_MODEL": "hash", **environ},
        )
        assert self.child.stderr is not None
        lines = [self.child.stderr.readline() for _ in range(2)]
        found = re.search(r"http://\S+\?code=\S+", lines[1])
        assert found, lines
        self.page = found[0]
        self.url = self.page.partition("/?")[0]


@pytest.fixture
def start(home: Path) -> Iterator[Start]:
    made: list[Started] = []

    def begin(*more: str, **environ: str) -> Started:
        made.append(Started(home, *more, **environ))
        return made[-1]

    yield begin
    for one in made:
        one.child.terminate()
        one.child.communicate(timeout=20)


def user_of(page: str) -> str:
    """Open a page's address, and return whose memory it shows."""
    with httpx.Client(follow_redirects=True) as client:
        opened = client.get(page)
        assert opened.status_code == 200
        assert "/page/app.js" in opened.text
        return str(client.get(httpx.URL(page).join("/me")).json()["user_id"])


def run(home: Path, *more: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "--home", str(home), "ui", *more],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
        env=os.environ | environ,
    )


def test_a_running_server_gives_a_new_address_each_time(home: Path, start: Start) -> None:
    server = start("--no-browser")
    assert user_of(server.page) == "default"
    pages = [run(home, "--no-browser").stdout.strip() for _ in range(2)]

    assert len({server.page, *pages}) == 3
    assert all(page.startswith(f"{server.url}/?code=") for page in pages)
    assert user_of(pages[0]) == "default"
    assert httpx.get(pages[0]).status_code == 401


def test_the_browser_gets_the_address(home: Path, tmp_path: Path, start: Start) -> None:
    seen, script = tmp_path / "seen", tmp_path / "browser"
    script.write_text(
        f'#!{sys.executable}\nimport sys\nopen("{seen}", "a").write(sys.argv[1] + "\\n")\n'
    )
    script.chmod(0o700)
    server = start(BROWSER=f"{script} %s")
    done = run(home, BROWSER=f"{script} %s")

    assert (done.returncode, done.stdout) == (0, "")
    for _ in range(100):  # the first says its address before it opens it
        if len(seen.read_text().split()) == 2:
            break
        time.sleep(0.05)
    second, first = sorted(seen.read_text().split(), key=lambda page: page == server.page)
    assert first == server.page
    assert second.startswith(f"{server.url}/?code=")
    assert user_of(second) == "default"


def test_without_a_browser_the_address_is_printed(home: Path, start: Start) -> None:
    server = start("--no-browser")
    done = run(home, BROWSER="/nowhere/browser %s")

    assert done.stdout.startswith(f"{server.url}/?code=")


def test_another_user_gets_a_server_of_their_own(home: Path, start: Start) -> None:
    first = start("--no-browser")
    second = start("--no-browser", "--user", "bob")

    assert first.url != second.url
    assert user_of(second.page) == "bob"
    assert find_server(Home(home)) == first.url


def test_a_killed_server_is_not_taken_for_a_running_one(home: Path, start: Start) -> None:
    server = start("--no-browser")
    assert find_server(Home(home)) == server.url
    server.child.send_signal(signal.SIGKILL)
    server.child.wait(20)

    assert (home / ADDRESS).exists()
    assert find_server(Home(home)) is None
    with announced(Home(home), URL):
        assert find_server(Home(home)) == URL


def test_a_server_that_ended_leaves_no_address(home: Path) -> None:
    assert find_server(Home(home)) is None
    with announced(Home(home), URL):
        assert find_server(Home(home)) == URL
        with announced(Home(home), "http://127.0.0.1:2"):
            assert find_server(Home(home)) == URL
        assert find_server(Home(home)) == URL

    assert find_server(Home(home)) is None
    assert not (home / ADDRESS).exists()


def test_a_server_without_an_address_yet_is_none(home: Path) -> None:
    with locked(home / LOCK):
        assert find_server(Home(home)) is None
        assert new_page(Home(home)) is None


class _Other(BaseHTTPRequestHandler):
    status, body = 200, b"[]"

    def do_POST(self) -> None:
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None: ...


@pytest.mark.parametrize(
    ("status", "body"), [(401, b"{}"), (200, b"no JSON"), (200, b'{"x": 1}'), (200, b"[]")]
)
def test_whoever_answers_otherwise_is_no_server_of_ours(
    home: Path, socket_enabled: None, status: int, body: bytes
) -> None:
    del socket_enabled
    own_token(Home(home))
    handler = type("Handler", (_Other,), {"status": status, "body": body})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with announced(Home(home), f"http://127.0.0.1:{server.server_port}"):
            assert new_page(Home(home)) is None
        server.shutdown()


def test_a_server_that_does_not_answer_is_none(home: Path) -> None:
    own_token(Home(home))
    with announced(Home(home), URL):
        assert new_page(Home(home)) is None


def test_the_usual_port_is_used_where_it_is_free(socket_enabled: None) -> None:
    del socket_enabled
    with suppress(InvalidValue), bound("127.0.0.1", DEFAULT_PORT):
        assert free_port() == 0
    assert free_port() in (0, DEFAULT_PORT)


def test_a_port_that_is_taken_is_said(home: Path, start: Start) -> None:
    server = start("--no-browser")
    port = server.url.rpartition(":")[2]
    done = CliRunner().invoke(main, ["--home", str(home), "ui", "--no-browser", "--port", port])

    assert done.exit_code == 1
    assert f"can't serve on 127.0.0.1 port {port}" in done.output
