"""`litemem session` on files with lost lines and odd records."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def chat(run: Run) -> list[str]:
    """Make session "s" of four turns, and return their ids."""
    return [run("session", "append", "s", text).stdout.strip() for text in ("a", "b", "c", "Done")]


def log_of(tmp_path: Path, session_id: str = "s") -> Path:
    return tmp_path / "home" / "sessions" / f"{session_id}.jsonl"


def test_a_lost_line_is_told_and_the_rest_goes_on(
    chat: list[str], run: Run, tmp_path: Path
) -> None:
    path = log_of(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b"garbage\n", *lines[3:]]))
    note = "is missing or can't be read: the path begins after it"

    for command in (
        ["resume", "s"],
        ["resume", "s", "--last", "9"],
        ["resume", "s", "--at", chat[3]],
        ["compact", "s", "--keep", "1", "--offline"],
        ["fork", "s"],
        ["resume", "s-fork"],
    ):
        done = run("session", *command)
        assert (done.exit_code, done.stderr.count(note)) == (0, 1), done.output
    assert note not in run("session", "resume", "s", "--last", "1").stderr
    assert "Done" in run("session", "resume", "s-fork").stdout


def test_a_fork_of_an_emptied_session_is_refused_clearly(run: Run, tmp_path: Path) -> None:
    run("session", "append", "s", "x")
    log_of(tmp_path).write_bytes(b"")
    done = run("session", "fork", "s")

    assert (done.exit_code, done.stderr) == (1, "litemem: session 's' has no turns to fork\n")
