"""A mistake in what a benchmark is given is one line, and nothing is measured."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from litemem.errors import FormatError
from tests.benchmarks.__main__ import main
from tests.benchmarks.mcp import answered
from tests.benchmarks.server import of_times
from tests.benchmarks.sessions import main as sessions
from tests.benchmarks.start import Command, Run
from tests.benchmarks.write import main as write

MISTAKES = """
mcp --runs 0
mcp --model bogus
mcp --facts many
server --clients 0
server --seconds 3
server --remember 0
server --model no/folder
sessions --nodes 0
sessions --writers -1
sessions --json no/folder.json
speed --rows 0
speed --rows 1000 -5
speed --queries 0
speed --keep FILE
start --runs -1
start --model bogus
write --only bogus
write --only ,
write --model none
write --model hash --only add,import
write --sizes 3
write --facts 3
write --pairs 0
write --imported 0
write --session-lengths -1
write --keep FILE
write --data FILE
write --json FOLDER
"""


@pytest.mark.parametrize("words", MISTAKES.strip().splitlines())
def test_a_mistake_is_told_of_at_once(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    words = words.replace("FILE", str(tmp_path / "file")).replace("FOLDER", str(tmp_path))
    with pytest.raises(SystemExit) as stopped:
        main(words.split())

    out, error = capsys.readouterr()
    option = next(word for word in words.split() if word.startswith("--"))
    assert (stopped.value.code, out) == (2, "")
    assert f"error: argument {option}: " in error.splitlines()[-1]


def test_a_server_that_ends_has_its_words_repeated() -> None:
    with pytest.raises(SystemExit, match="no answer to initialize: the extra is missing"):
        answered([sys.executable, "-c", "import sys; sys.exit('the extra is missing')"])


def test_nothing_is_said_of_times_that_nobody_took() -> None:
    assert list(of_times("search", [])) == []
    assert [one.value for one in of_times("search", [0.5, 0.5])] == [500, 500, 1]


@pytest.mark.parametrize(("peak_mb", "verdict"), [(29.0, "reached"), (31.0, "MISSED")])
def test_a_command_is_judged_by_its_limits(peak_mb: float, verdict: str) -> None:
    run = Run(wall_s=1.0, cpu_s=0.2, peak_mb=peak_mb)
    limits = {"cpu_ms": 250.0, "peak_mb": 30.0}
    command = Command(name="search", arguments=(), most=limits, pairs=[(run, run)])

    assert command.row().endswith(f"250 CPU ms, 30 MB: {verdict} |")
    assert Command(name="list", arguments=(), pairs=[(run, run)]).verdict() == ""


def test_sessions_are_written_as_json_and_judged_at_full_length_alone(tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    sessions(["--nodes", "3", "--writers", "1", "--turns", "2", "--size", "9", "--json", str(path)])

    found = {one["name"]: one for one in json.loads(path.read_text(encoding="utf-8"))}
    assert found["turns lost"]["value"] == 0
    assert [name for name, one in found.items() if one["most"] is not None] == ["turns lost"]


def test_what_was_measured_is_kept_when_a_later_case_fails(tmp_path: Path) -> None:
    path, wrong = tmp_path / "found.json", tmp_path / "wrong"
    corpus = wrong / "a" / "dev" / "corpus.jsonl"
    corpus.parent.mkdir(parents=True)
    corpus.write_text("no JSON\n", encoding="utf-8")
    asked = ["--only", "append,import", "--session-lengths", "1", "--data", str(wrong)]
    with pytest.raises(FormatError, match=r"corpus\.jsonl:1: no JSON"):
        write([*asked, "--json", str(path)])

    assert json.loads(path.read_text(encoding="utf-8")).keys() == {"append"}
