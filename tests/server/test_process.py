"""`litemem serve` as a process: its start, its end, kills, slow clients."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

import litemem
from litemem.cli import main
from litemem.cli.serve import check_extra
from litemem.errors import InvalidValue
from litemem.server.run import Serving, bound, serve

pytestmark = pytest.mark.usefixtures("socket_enabled")

COMMAND = (sys.executable, "-c", "from litemem.cli import run; run()")


def exchange(port: int, data: bytes) -> bytes:
    """Send bytes, and return all that comes until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        client.sendall(data)
        parts = []
        while part := client.recv(65536):
            parts.append(part)
        return b"".join(parts)


class Process:
    """A server in a process of its own."""

    def __init__(self, home: Path, *more: str) -> None:
        environ = os.environ | {"LITEMEM_MODEL": "hash"}
        self.home = home
        self.child = subprocess.Popen(
            [*COMMAND, "--home", str(home), "serve", "--port", "0", *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environ,
        )
        assert self.child.stderr is not None
        line = self.child.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, line + self.child.stderr.read()
        self.url, self.port = found[0], int(found[1])
        self.page = self.child.stderr.readline().split()[-1]
        token = (home / "server-token").read_text().strip()
        self.client = httpx.Client(
            base_url=self.url, headers={"authorization": f"Bearer {token}"}, timeout=20
        )

    def remember(self, content: str) -> str:
        answer = self.client.post("/memory/archival", json={"content": content})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id"])

    def end(self, signum: int) -> tuple[int, float]:
        """Send a signal; return the exit code and how many seconds the end took."""
        started = time.monotonic()
        self.child.send_signal(signum)
        code = self.child.wait(20)
        return code, time.monotonic() - started

    def close(self) -> str:
        self.client.close()
        if self.child.poll() is None:
            self.child.kill()
        return self.child.communicate()[1]


@pytest.fixture
def serving(home: Path) -> Iterator[Callable[..., Process]]:
    """Start servers over the home."""
    made: list[Process] = []

    def start(*more: str) -> Process:
        made.append(Process(home, *more))
        return made[-1]

    yield start
    for process in made:
        process.close()


def contents(home: Path) -> set[str]:
    with litemem.open(home) as memory:
        return {fact.content for fact in memory.list()}


def test_sigterm_ends_it_in_time_with_every_acknowledged_write(
    serving: Callable[..., Process],
) -> None:
    process = serving()
    written = {f"Fact {n}" for n in range(20)}
    for content in sorted(written):
        process.remember(content)

    code, took_s = process.end(signal.SIGTERM)

    assert code == 0
    assert took_s < 2
    assert contents(process.home) == written


def test_ctrl_c_ends_it_without_a_word(serving: Callable[..., Process]) -> None:
    process = serving()
    code, took_s = process.end(signal.SIGINT)

    assert (code, process.close()) == (0, "")
    assert took_s < 2


def test_a_kill_loses_nothing_that_was_acknowledged(serving: Callable[..., Process]) -> None:
    process = serving()
    written = {f"Fact {n}" for n in range(20)}
    for content in sorted(written):
        process.remember(content)
    process.end(signal.SIGKILL)

    assert contents(process.home) == written
    again = serving()
    assert again.client.get("/memory/stats").json()["total_memories"] == 20


def test_an_open_connection_does_not_hold_the_end_up(serving: Callable[..., Process]) -> None:
    process = serving()
    with socket.create_connection(("127.0.0.1", process.port)) as half:
        half.sendall(b"POST /memory/archival HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n")
        process.client.get("/memory/stats")
        code, took_s = process.end(signal.SIGTERM)

    assert code == 0
    assert took_s < 2


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
def test_stalled_bodies_and_open_streams_end_in_time_without_a_word(
    serving: Callable[..., Process], signum: int
) -> None:
    process = serving()
    token = process.client.headers["authorization"]
    head = f"HTTP/1.1\r\nhost: 127.0.0.1:{process.port}\r\nauthorization: {token}\r\n"
    body = "content-type: application/json\r\ncontent-length: 900\r\n\r\n{"
    stream = "accept: text/event-stream, application/json\r\n\r\n"
    with ExitStack() as stack:
        starts = (
            f"POST /memory/archival {head}{body}",
            f"POST /mcp {head}{body}",
            f"GET /mcp {head}{stream}",
        )
        clients = [socket.create_connection(("127.0.0.1", process.port), 20) for _ in starts]
        for client, start in zip(clients, starts, strict=True):
            stack.enter_context(client).sendall(start.encode())
        assert clients[-1].recv(4096).startswith(b"HTTP/1.1 200")
        code, took_s = process.end(signum)

    assert (code, process.close()) == (0, "")
    assert took_s < 2


def test_the_printed_address_opens_the_page_once(serving: Callable[..., Process]) -> None:
    process = serving()
    with httpx.Client() as browser:
        first = browser.get(process.page)
        assert (first.status_code, first.headers["location"]) == (303, "/")
        assert browser.get(process.url).status_code == 200
    assert httpx.get(process.page).status_code == 401


def test_the_host_must_be_the_one_that_is_bound(serving: Callable[..., Process]) -> None:
    process = serving("--allow-host", "memory.lan")

    def status(host: str) -> int:
        return process.client.get("/memory/stats", headers={"host": host}).status_code

    assert status(f"localhost:{process.port}") == 200
    assert status(f"memory.lan:{process.port}") == 200
    assert status("evil.example") == 421
    assert status("127.0.0.1:1") == 421


def test_a_malformed_request_is_answered_and_the_server_goes_on(
    serving: Callable[..., Process],
) -> None:
    process = serving()
    for data in (
        b"nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"x: " + b"a" * 100_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nconnection: close\r\n\r\n",
    ):
        first = exchange(process.port, data).split(b"\r\n")[0]
        assert first.split()[1] in (b"400", b"421")
    assert process.client.get("/memory/stats").status_code == 200
    process.end(signal.SIGTERM)
    assert "Traceback" not in process.close()


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 65536), ("127.0.0.1", -1), ("a" * 80, 0)])
def test_an_address_that_cannot_be_is_an_error(host: str, port: int) -> None:
    with pytest.raises(InvalidValue, match="port"), bound(host, port):
        pass


@pytest.mark.parametrize("host", ["bogus name", "", "http://x", "a" * 80])
def test_a_host_that_is_none_is_one_line_and_no_warning(home: Path, host: str) -> None:
    arguments = ["--home", str(home), "--model", "none", "serve", "--port", "0", "--host", host]
    done = CliRunner().invoke(main, arguments)

    assert done.exit_code == 1
    assert done.stdout == ""
    assert re.fullmatch("litemem: can't serve on .*--host.*\n", done.stderr)


def test_other_machines_are_warned_of_once_the_address_is_bound(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("litemem.server.run._Server.run", lambda *_, **__: None)
    said: list[str] = []
    for host in ("0.0.0.0", "localhost", "127.0.0.1"):
        serve(Serving(home=str(home), model="none", host=host, port=0), said.append)

    assert said == ["0.0.0.0 is reached by other machines, which read along without TLS in front"]


def test_a_home_of_another_model_is_one_line_on_stderr(home: Path) -> None:
    with litemem.open(home, model="none"):
        pass
    done = subprocess.run(
        [*COMMAND, "--home", str(home), "--model", "hash", "serve", "--port", "0"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert re.fullmatch(r"litemem: .* uses the model 'none', .*\n", done.stderr)


def test_a_taken_port_is_an_error_that_says_the_way_out(serving: Callable[..., Process]) -> None:
    process = serving()
    arguments = ["--home", str(process.home), "serve", "--port", str(process.port)]
    done = CliRunner().invoke(main, arguments)

    assert done.exit_code == 1
    assert "--port" in done.stderr


def test_add_user_prints_a_token_that_a_running_server_takes(
    serving: Callable[..., Process],
) -> None:
    process = serving()
    done = CliRunner().invoke(main, ["--home", str(process.home), "serve", "--add-user", "bob"])
    token = done.stdout.strip()

    answer = process.client.get("/memory/stats", headers={"authorization": f"Bearer {token}"})
    assert answer.json()["user_id"] == "bob"


def test_add_user_default_ends_the_token_that_a_running_server_takes(
    serving: Callable[..., Process],
) -> None:
    process = serving()
    assert process.client.get("/me").status_code == 200
    done = CliRunner().invoke(main, ["--home", str(process.home), "serve", "--add-user", "default"])
    time.sleep(1)

    assert process.client.get("/me").status_code == 401
    header = {"authorization": f"Bearer {done.stdout.strip()}"}
    assert process.client.get("/me", headers=header).json()["user_id"] == "default"


def test_nothing_but_what_it_serves_is_printed(serving: Callable[..., Process]) -> None:
    process = serving()
    process.client.get("/memory/archival", params={"query": "my secret question"})
    process.client.get("/nothing")
    process.end(signal.SIGTERM)

    assert process.child.stdout is not None
    assert (process.child.stdout.read(), process.close()) == ("", "")
    assert json.loads((process.home / "settings.json").read_text())["model"] == "hash"


HANGING = """
import sys, time
from contextlib import asynccontextmanager
from litemem.server.run import Serving, serve

@asynccontextmanager
async def hanging(store):
    yield
    time.sleep(60)

def say(line):
    print(line, file=sys.stderr, flush=True)

told = Serving(home=sys.argv[1], model="hash", port=0)
serve(told, say, beside=[hanging], opened=lambda page: say("opened " + page))
"""


def test_the_end_comes_in_time_whatever_hangs(home: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HANGING, str(home)], stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stderr is not None
        said = [child.stderr.readline() for _ in range(3)]
        started = time.monotonic()
        child.terminate()
        code = child.wait(20)

    assert said[2].startswith("opened http://127.0.0.1:")
    assert code == 0
    assert time.monotonic() - started < 2


def test_without_the_extra_it_says_how_to_get_it() -> None:
    check_extra()
    with pytest.raises(InvalidValue, match=r"no_such_library: pip install 'litemem\[server\]'"):
        check_extra(["asyncio", "no_such_library"])
