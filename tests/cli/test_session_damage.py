"""`litemem session` on files with lost lines and odd records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import AsJson, Run


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


@pytest.mark.parametrize("place", ["blocks", "input", "role", "extra"])
def test_a_turn_nested_too_deeply_is_a_placeholder(
    chat: list[str], run: Run, tmp_path: Path, place: str
) -> None:
    deep = "[" * 900 + "]" * 900
    turn = {
        "blocks": f'{{"role":"user","blocks":{deep}}}',
        "input": f'{{"role":"user","blocks":[{{"kind":"tool_call","name":"t","input":{deep}}}]}}',
        "role": f'{{"role":{deep},"blocks":[{{"kind":{deep}}}]}}',
        "extra": f'{{"role":"user","more":{deep}}}',
    }[place]
    with log_of(tmp_path).open("a") as file:
        node = f'{{"id":"deep","parent":"{chat[-1]}","turn":{turn},"createdAt":1}}'
        file.write(f'{{"type":"node","node":{node}}}\n{{"type":"head","leaf":"deep"}}\n')
    run("session", "append", "s", "after it")

    for command in (["show"], ["tree"], ["resume"], *(["export", "--format", f] for f in _FORMATS)):
        for as_json in ([], ["--json"]) if command[0] != "export" else ([],):
            done = run("session", *command, "s", *as_json)
            assert done.exit_code == 0, done.stderr
            assert "after it" in done.stdout
            if place != "extra" or as_json == ["--json"] or "json" in command:
                assert "nested too deeply" in done.stdout or command == ["tree"]
            if as_json or "json" in command:
                json.loads(done.stdout)


_FORMATS = ("md", "html", "json")


def test_one_turn_is_no_turns(run: Run, tmp_path: Path) -> None:
    run("session", "append", "s", "x")
    with log_of(tmp_path).open("a") as file:
        file.write("null\n")

    assert "  1 turn  " in run("session", "list").stdout
    assert "1 odd place in" in run("session", "show", "s").stderr
    assert "s: 1 turn in " in run("session", "export", "s", "-o", "s.md").stdout
    assert "s: 1 turn\n" in run("session", "rm", "s", "--yes").stderr


def test_repair_says_what_it_leaves_and_why(
    chat: list[str], run: Run, as_json: AsJson, tmp_path: Path
) -> None:
    path = log_of(tmp_path)
    data = path.read_bytes().replace(b'"text":"b"', b'"text":"B"')
    path.write_bytes(data.replace(b'"text":"c"', b'"text":"\xff"') + b"null\n")
    done = run("session", "repair", "s").stdout.splitlines()

    assert "s: 1 line changed" in done[0]
    assert [line.split(":")[:2] for line in done[1:]] == [
        ["  left, line 3", " id mismatch"],
        ["  left, line 5", " bad bytes"],
        ["  left, line 5", " id mismatch"],
    ]
    assert all("isn't known" in line for line in done[1:])
    again = as_json("session", "repair", "s")
    assert (again["changed"], [one["line"] for one in again["left"]]) == (0, [3, 5, 5])
    assert "s: 4 turns, 3 findings" in run("session", "verify", "s").stdout


def test_one_finding_is_no_findings(run: Run, tmp_path: Path) -> None:
    run("session", "append", "s", "x")
    with log_of(tmp_path).open("a") as file:
        file.write("null\n")

    assert "s: 1 turn, 1 finding\n" in run("session", "verify", "s").stdout
    assert "s: 1 line changed" in run("session", "repair", "s").stdout


def test_a_label_that_is_taken_is_refused_in_one_line(chat: list[str], run: Run) -> None:
    run("session", "label", "s", chat[0], "start")
    done = run("session", "label", "s", chat[1], "start")

    assert done.exit_code == 1
    assert done.stderr == (
        f'litemem: the label "start" is on node "{chat[0]}": take it away there first\n'
    )
