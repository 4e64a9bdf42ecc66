"""Commands as whole processes: on a terminal, in a pipe, stopped, and without room to write."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import AsJson, Run

LITEMEM = (sys.executable, "-m", "litemem.cli")
FACTS = "\n".join(json.dumps({"content": f"fact {number} about tea"}) for number in range(300))

on_posix = pytest.mark.skipif(os.name != "posix", reason="there are no pseudo-terminals")


def on_terminal(*arguments: str, answer: str = "", **environment: str) -> tuple[str, int]:
    """Run a command on a terminal of its own; return what it shows and its exit code."""
    import pty

    child, terminal = pty.fork()
    if child == 0:  # pragma: no cover  # another process
        os.execve(
            sys.executable, [*LITEMEM, *arguments], {**os.environ, "TERM": "xterm", **environment}
        )
    shown = b""
    while True:
        try:
            read = os.read(terminal, 65_536)
        except OSError:  # how Linux says that the other side was closed
            break
        if not read:
            break
        shown += read
        if answer and b"[y/N]" in shown:
            os.write(terminal, answer.encode())
            answer = ""
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    return shown.decode(), os.waitstatus_to_exitcode(status)


def in_pipe(
    *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command with its output in pipes."""
    command = [*LITEMEM, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env)


@on_posix
def test_colours_are_for_terminals_alone(run: Run) -> None:
    run("remember", "likes tea")

    shown, code = on_terminal("search", "tea")
    piped = in_pipe("search", "tea")

    assert code == 0
    assert "\x1b[2m" in shown
    assert "\x1b" not in piped.stdout + piped.stderr


@on_posix
def test_no_color_is_kept(run: Run) -> None:
    run("remember", "likes tea")

    shown, _ = on_terminal("search", "tea", NO_COLOR="1")

    assert "likes tea" in shown
    assert "\x1b[" not in shown


@on_posix
def test_long_work_draws_a_bar_on_a_terminal_alone(run: Run, tmp_path: Path) -> None:
    facts = tmp_path / "facts.jsonl"
    facts.write_text(FACTS)
    home = tmp_path / "home"

    shown, code = on_terminal("remember", "--file", str(facts), "--json")
    (home / "index.db").unlink()
    filled, _ = on_terminal("search", "tea")
    (home / "index.db").unlink()
    rebuilt, _ = on_terminal("index", "rebuild")
    (home / "index.db").unlink()
    piped = in_pipe("index", "sync")

    assert code == 0
    assert "remembering  [" in shown
    assert "100%" in shown
    assert "embedding  [" in filled
    assert "embedding  [" in rebuilt
    assert piped.stderr == ""


@on_posix
def test_no_bar_is_drawn_where_there_is_nothing_to_do(run: Run) -> None:
    run("remember", "likes tea")

    assert "embedding" not in on_terminal("search", "tea")[0]
    assert "embedding" not in on_terminal("index", "sync")[0].replace("embedded", "")


@on_posix
def test_forgetting_shows_what_goes_and_asks(run: Run, as_json: AsJson) -> None:
    known = as_json("remember", "likes tea")["id"]

    kept, refused = on_terminal("forget", known, answer="n\n")
    still = as_json("list")
    gone, forgotten = on_terminal("forget", known, answer="y\n")

    assert "likes tea" in kept
    assert refused == 1
    assert len(still) == 1
    assert (forgotten, "1 fact forgotten" in gone) == (0, True)
    assert as_json("list") == []


@on_posix
def test_ctrl_c_is_one_line_and_exit_code_130(run: Run, tmp_path: Path) -> None:
    # A process started in the background ignores Ctrl-C, and hands that on to its children.
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from litemem.cli import run; run()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, "remember", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (tmp_path / "home" / "settings.json").exists():
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    with child:
        stdout, stderr = child.communicate(timeout=60)

    assert (child.returncode, stdout) == (130, "")
    assert stderr.strip() == "litemem: stopped; what was written stays"


def test_ctrl_c_while_modules_load_is_quiet() -> None:
    code = (
        "import sys\n"
        "class CtrlC:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'litemem.cli.options': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, CtrlC())\n"
        "from litemem.cli import run; run()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("arguments", [("list",), ("list", "--json"), ("block", "list")])
def test_results_that_find_no_room_are_an_error_of_one_line(
    run: Run, arguments: tuple[str, ...]
) -> None:
    run("remember", "likes tea")

    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*LITEMEM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )

    assert done.returncode == 1
    assert done.stderr == "litemem: can't write the result: No space left on device\n"


def test_a_closed_pipe_ends_quietly(run: Run, tmp_path: Path) -> None:
    for number in range(30):
        run("remember", f"fact {number} {'x' * 4000}")
    command = f"{sys.executable} -m litemem.cli list | head -c 10"

    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)

    assert (len(done.stdout), done.stderr) == (10, "")


def test_warnings_look_like_notes(run: Run, tmp_path: Path) -> None:
    run("remember", "likes tea")
    (tmp_path / "home" / "index.db").write_bytes(b"not a database" * 1000)

    done = in_pipe("search", "tea", "--json")

    assert json.loads(done.stdout)[0]["content"] == "likes tea"
    assert "index.db is damaged" in done.stderr
    assert all(line.startswith("litemem: ") for line in done.stderr.splitlines())


@on_posix
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("remember - <&-", "litemem: standard input is closed\n"),
        ("remember --file - <&-", "litemem: standard input is closed\n"),
        ("forget --all-of-user <&-", "add --yes"),
        ("list >&-", ""),
        ("search tea 2>&-", ""),
        ("block get person 2>&-", ""),
    ],
)
def test_closed_streams_are_no_crash(run: Run, command: str, said: str) -> None:
    run("remember", "likes tea")
    line = f"{sys.executable} -m litemem.cli {command}"

    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)

    assert done.returncode in (0, 1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@on_posix
def test_a_removed_folder_around_a_command_is_one_line(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = f"cd {gone} && rmdir {gone} && {sys.executable} -m litemem.cli session list"

    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr == "litemem: the current folder was removed; change to another\n"


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("litemem se", {"search", "session", "serve"}),
        ("litemem block ", {"list", "get", "set", "append"}),
        ("litemem block get u", {"user"}),
        ("litemem search tea --mode ", {"hybrid", "semantic", "keyword"}),
        ("litemem session re", {"resume", "rename", "repair"}),
        ("litemem list --so", {"--sort"}),
    ],
)
def test_shells_complete_commands_options_and_values(words: str, completed: set[str]) -> None:
    parts = words.split(" ")
    environment = {
        **os.environ,
        "_LITEMEM_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(parts) - 1),
    }
    done = in_pipe(env=environment)

    assert {line.partition(",")[2] for line in done.stdout.split()} == completed
    assert done.stderr == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_of_each_shell_is_printed(shell: str) -> None:
    done = in_pipe(env={**os.environ, "_LITEMEM_COMPLETE": f"{shell}_source"})

    assert f"_LITEMEM_COMPLETE={shell}_complete" in done.stdout
    assert done.returncode == 0
