"""`litemem mcp` as a process, at the other end of the SDK's own client or of a bare pipe."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import litemem
from litemem.embed.locate import find_model
from tests.mcp.conftest import call, over_stdio

FIRST_ANSWER_S = 1.5  # on a machine of its own; the bound below is for a busy one
CPU_S = 2.5  # of the process up to its end, however busy the machine is
END_S = 0.5
BUSY = 5

NOISE = """
import atexit, ctypes, logging, os, subprocess, sys, threading, warnings
kept = sys.stdout

def noise():
    print("print"); kept.write("old stdout\\n"); kept.flush()
    sys.__stdout__.write("dunder stdout\\n"); sys.__stdout__.flush()
    os.write(1, b"raw\\n"); warnings.warn("warned"); logging.getLogger("x").error("logged")
    logging.getLogger("mcp").warning("logged too")
    subprocess.run(["/bin/sh", "-c", "echo child; cat"])
    libc = ctypes.CDLL(None); libc.puts(b"libc"); libc.fflush(None)

def loud(event, args):
    if event == "open" and str(args[0]).endswith(".md") and not getattr(local, "in_it", False):
        local.in_it = True
        noise()
        local.in_it = False

local = threading.local()
sys.addaudithook(loud)
atexit.register(noise)
"""

SLOW_MODEL = """
import sys, time

def slow(event, args):
    if event == "import" and args[0] == "onnxruntime":
        print("the model loads", file=sys.stderr, flush=True)
        time.sleep(20)

sys.addaudithook(slow)
"""

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": "first",
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def tool_call(id_: int, name: str, **arguments: object) -> dict[str, object]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}


def lines(*messages: object) -> str:
    return "".join(json.dumps(message) + "\n" for message in messages)


@contextmanager
def started(home: Path, *, noise: str = "", model: str = "hash") -> Iterator[subprocess.Popen[str]]:
    """Start the server with pipes at its ends; `noise` is Python that runs in it before."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"{noise}\nfrom litemem.cli import run; run()",
            "--home",
            str(home),
            "mcp",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LITEMEM_MODEL": model},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def send(process: subprocess.Popen[str], *messages: object) -> None:
    assert process.stdin is not None
    process.stdin.write(lines(*messages))
    process.stdin.flush()


def answer(process: subprocess.Popen[str]) -> Any:  # noqa: ANN401  # Any: JSON
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def greet(process: subprocess.Popen[str]) -> None:
    send(process, INITIALIZE, INITIALIZED)
    assert answer(process)["result"]["serverInfo"]["name"] == "litemem"


def cpu_of_ended_children() -> float:
    """Return the seconds of CPU that child processes used which have ended and were waited for."""
    used = os.times()
    return used.children_user + used.children_system


async def test_whatever_prints_the_protocol_stays_clean(home: Path, tmp_path: Path) -> None:
    with (tmp_path / "err").open("w+") as errors:
        async with over_stdio(home, noise=NOISE, errlog=errors) as client:
            for _ in range(2):
                await call(client, "remember", content="likes tea")
                assert (await call(client, "search", query="tea"))["count"] == 1
        errors.seek(0)
        heard = errors.read()

    for word in ("print", "old stdout", "dunder", "raw", "warned", "logged", "child", "libc"):
        assert word in heard


def test_nothing_but_messages_is_on_stdout(home: Path) -> None:
    asked = lines(INITIALIZE, INITIALIZED, tool_call(1, "remember", content="likes tea"))
    done = subprocess.run(
        [sys.executable, "-c", f"{NOISE}\nfrom litemem.cli import run; run()", "mcp"],
        input=asked,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "LITEMEM_MODEL": "hash", "LITEMEM_HOME": str(home)},
    )

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["id"] for one in answers] == ["first", 1]
    assert "libc" in done.stderr


async def test_any_text_survives_the_trip(home: Path) -> None:
    text = 'tea \u2028\u2029\u0085 \x1e "\\ é 茶 \U0001f375\r\nsecond\tline'
    async with over_stdio(home) as client:
        await call(client, "block_update", label="user", operation="replace", content=text)
        read = await call(client, "block_get", label="user")
        await call(client, "remember", content=text)
        found = await call(client, "search", query="tea")

    assert read["blocks"]["user"] == text
    with litemem.open(home, model="hash") as memory:
        assert found["matches"][0]["content"] == memory.list()[0].content


async def test_the_first_answer_comes_soon(home: Path) -> None:
    took, used = [], []
    for _ in range(2):
        begun, used_before = time.monotonic(), cpu_of_ended_children()
        async with over_stdio(home) as client:
            await call(client, "search", query="tea")
            took.append(time.monotonic() - begun)
        used.append(cpu_of_ended_children() - used_before)

    assert min(took) < FIRST_ANSWER_S * BUSY
    assert min(used) < CPU_S
    assert min(used) > 0 or os.name != "posix"  # Windows doesn't tell


async def test_a_user_may_be_named(home: Path) -> None:
    async with over_stdio(home, "--user", "ada") as client:
        await call(client, "remember", content="likes tea")

    assert len(list((home / "users" / "ada" / "memory").glob("*.md"))) == 1


def test_what_was_asked_is_answered_though_the_client_has_left(home: Path) -> None:
    with started(home) as process:
        out, errors = process.communicate(
            lines(
                INITIALIZE,
                INITIALIZED,
                tool_call(1, "remember", content="likes tea"),
                tool_call(2, "block_get"),
            ),
            timeout=30,
        )

    assert sorted(str(json.loads(line)["id"]) for line in out.splitlines()) == ["1", "2", "first"]
    assert (process.returncode, errors) == (0, "")


def test_the_end_waits_for_no_model_and_loses_nothing(home: Path) -> None:
    with started(home, noise=SLOW_MODEL, model="fast") as process:
        greet(process)
        assert process.stderr is not None
        assert process.stderr.readline() == "the model loads\n"
        send(process, tool_call(1, "block_update", label="user", operation="append", content="Ada"))
        assert answer(process)["id"] == 1
        begun = time.monotonic()
        _, errors = process.communicate(timeout=15)
        took = time.monotonic() - begun

    assert (process.returncode, errors) == (0, "")
    assert took < END_S * BUSY
    assert (home / "memory" / "user.md").read_text().rstrip() == "Ada"


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_while_it_waits(home: Path, by: signal.Signals) -> None:
    with started(home) as process:
        greet(process)
        begun = time.monotonic()
        process.send_signal(by)
        code = process.wait(5)
        assert process.stderr is not None

        assert (code, process.stderr.read()) == (0, "")
        assert time.monotonic() - begun < 2


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_a_signal_ends_it_though_nobody_reads_its_answers(home: Path) -> None:
    with started(home) as process:
        greet(process)
        send(process, tool_call(0, "block_update", label="user", operation="replace", content="x"))
        answer(process)
        (home / "memory" / "user.md").write_text("x" * 90_000)
        send(process, *(tool_call(number, "block_get") for number in range(1, 4)))
        time.sleep(1)
        begun = time.monotonic()
        process.terminate()

        assert process.wait(5) == 0
        assert time.monotonic() - begun < 2


def test_a_kill_loses_nothing_that_was_answered(home: Path) -> None:
    with started(home) as process:
        greet(process)
        for number in range(5):
            send(process, tool_call(number, "remember", content=f"fact number {number}"))
            answer(process)
        send(process, tool_call(5, "remember", content="begun"))
        process.kill()
        process.wait()

    with litemem.open(home, model="hash") as memory:
        kept = {fact.content for fact in memory.list()}
    assert {f"fact number {number}" for number in range(5)} <= kept


def test_a_client_that_closes_its_ears_ends_it(home: Path) -> None:
    with started(home) as process:
        greet(process)
        assert process.stdout is not None
        process.stdout.close()
        send(process, tool_call(1, "block_get"))

        assert process.wait(5) == 0


def test_what_is_no_message_is_answered_and_it_goes_on(home: Path) -> None:
    with started(home) as process:
        greet(process)
        assert process.stdin is not None
        for wrong, code in (
            ("{nonsense", -32700),
            ('{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": NaN}}', -32700),
            ('{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "\\ud800"}}', -32700),
            ("[" * 100_000, -32700),
            ("[]", -32600),
            ("x" * 5_000_000, -32700),
        ):
            process.stdin.write(f"\n{wrong}\n")
            process.stdin.flush()
            said = answer(process)
            assert (said["id"], said["error"]["code"]) == (None, code)
        ping = {"jsonrpc": "2.0", "id": 5, "method": "ping"}
        for change, id_, code in (
            ({"jsonrpc": "1.0"}, 5, -32600),
            ({"id": None}, None, -32600),
            ({"id": True}, None, -32600),
            ({"method": "tools/list", "params": []}, 5, -32602),
        ):
            send(process, {**ping, **change})
            said = answer(process)
            assert (said["id"], said["error"]["code"]) == (id_, code)
        send(process, tool_call(7, "block_get"))

        assert answer(process)["id"] == 7


def test_a_request_taken_back_isnt_waited_for(home: Path) -> None:
    taken_back = {
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": 1},
    }
    with started(home) as process:
        greet(process)
        begun = time.monotonic()
        process.communicate(lines(tool_call(1, "block_get"), taken_back), timeout=30)

        assert process.returncode == 0
        assert time.monotonic() - begun < 4


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--user", "../x"], "user id '../x'"),
        (["--merge"], "belong to --install"),
        (["--install", "emacs"], "'emacs'"),
    ],
)
def test_what_is_wrong_is_said_before_a_client_is_greeted(
    home: Path, arguments: list[str], why: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "litemem.cli", "--home", str(home), "mcp", *arguments],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )

    assert done.returncode in (1, 2)
    assert why in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_without_the_sdk_it_says_how_to_get_it(home: Path) -> None:
    hidden = "import sys; sys.modules['mcp'] = None; from litemem.cli import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", hidden, "--home", str(home), "mcp"],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )

    assert done.returncode == 1
    assert done.stderr.startswith("litemem: the MCP SDK can't be imported (")
    assert done.stderr.endswith("; pip install 'litemem[mcp]'\n")


@pytest.mark.skipif(os.name != "posix", reason="a shell closes descriptors here")
@pytest.mark.parametrize(
    ("closed", "code", "out"), [("0<&-", 1, ""), ("1>&-", 1, ""), ("2>&-", 0, "first")]
)
def test_descriptors_may_be_closed(home: Path, closed: str, code: int, out: str) -> None:
    done = subprocess.run(
        [
            "/bin/sh",
            "-c",
            f'exec "$0" -m litemem.cli --home "$1" mcp {closed}',
            sys.executable,
            home,
        ],
        input=lines(INITIALIZE),
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
        env={**os.environ, "LITEMEM_MODEL": "hash"},
    )

    assert done.returncode == code
    assert (json.loads(done.stdout)["id"] if done.stdout else "") == out
    assert "Traceback" not in done.stderr


def test_a_model_that_cant_be_loaded_is_said_and_words_are_searched(home: Path) -> None:
    with litemem.open(home, model="fast") as memory:
        memory.remember("likes tea")
    settings = json.loads((home / "settings.json").read_text())
    (home / "settings.json").write_text(json.dumps({**settings, "model": "/no/such/model"}))
    with started(home) as process:
        greet(process)
        send(process, tool_call(1, "search", query="tea"))
        found = answer(process)["result"]["structuredContent"]
        send(process, tool_call(2, "remember", content="owns a kayak"))
        kept = answer(process)["result"]["content"][0]["text"]
        _, errors = process.communicate(timeout=10)

    assert [match["content"] for match in found["matches"]] == ["likes tea"]
    assert "keyword" in found["note"]
    assert "Note: " in kept
    assert "keyword search only" in errors


def test_a_model_that_is_damaged_is_said_too(home: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(find_model("fast", {}), model)
    with litemem.open(home, model=str(model)) as memory:
        memory.remember("likes tea")
    for weights in model.glob("*.onnx"):
        weights.write_bytes(b"nonsense")
    with started(home) as process:
        greet(process)
        send(process, tool_call(1, "search", query="tea"))
        found = answer(process)["result"]["structuredContent"]
        _, errors = process.communicate(timeout=10)

    assert [match["content"] for match in found["matches"]] == ["likes tea"]
    assert "keyword search only" in errors
