"""Benchmarks of sets say what they can't do before they begin, and lose nothing that is done."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType, ModuleType

import pytest

from litemem.errors import FormatError
from tests.benchmarks import compaction, extraction, peers, plots, retrieval
from tests.benchmarks.compaction import Outcome
from tests.benchmarks.intervals import mean
from tests.benchmarks.kept import Kept
from tests.benchmarks.peers.given import made_up
from tests.benchmarks.peers.process import Process
from tests.benchmarks.peers.venvs import PEERS, Unavailable, python_of
from tests.benchmarks.retrieval import run_set
from tests.benchmarks.scores import read

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return what writes a set of one row and one query."""
    row = {"id": "a", "conv": "c", "session_id": "s", "ts": "2025-03-04", "role": "Ann"}
    row["text"] = "I bought a red bicycle."
    query = {"id": "q", "conv": "c", "category": "fact", "text": "Which bicycle was bought?"}
    found = {"gold": ["a"], "gold_sessions": ["s"], "answer": "a red one"}

    def write_one(name: str) -> Path:
        folder = tmp_path / "sets" / name / "dev"
        folder.mkdir(parents=True)
        (folder / "corpus.jsonl").write_text(json.dumps(row), encoding="utf-8")
        (folder / "queries.jsonl").write_text(json.dumps(query | found), encoding="utf-8")
        return folder

    return write_one


def test_keyword_search_is_measured_without_a_model(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITEMEM_MODEL", "there is no such one")

    run = run_set(write("madial_zh"), mode="keyword")
    assert run.score("R@5") == 100
    assert (run.notes, run.verdict()) == (set(), "")


def test_a_search_that_falls_back_on_words_says_so(write: Write) -> None:
    run = run_set(write("locomo"), model="none", mode="semantic")

    assert [note.partition(":")[0] for note in run.notes] == ["keyword only"]


def test_only_what_the_default_model_has_to_reach_is_judged(write: Write) -> None:
    run = run_set(write("locomo"), model="none")
    before = run.verdict()
    run.judged = True

    assert (before, run.verdict()) == ("", "R@10 82: reached, sHit@5 95: reached")
    run.answers.clear()
    assert run.verdict() == "R@10 82: MISSED, sHit@5 95: MISSED"


def test_a_set_that_is_done_isnt_lost_by_the_next_one(write: Write, tmp_path: Path) -> None:
    good, bad, out = write("a"), write("b"), tmp_path / "out.json"
    (bad / "corpus.jsonl").write_text('{"id": "a"}', encoding="utf-8")
    given = ["--data", str(good.parents[1]), "--mode", "keyword", "--json", str(out)]

    with pytest.raises(FormatError, match=r"corpus.jsonl:1: lacks conv"):
        retrieval.main(given)
    assert list(read(out)) == [("a", "q")]


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (retrieval, "--data {folder}/a"),
        (retrieval, "--data {folder} --sets a,b"),
        (retrieval, "--data {folder} --sets="),
        (retrieval, "--data {folder} --against {folder}/a/dev/corpus.jsonl"),
        (retrieval, "--data {folder} --against {folder}/empty"),
        (retrieval, "--data {folder} --against {folder}/other"),
        (retrieval, "--data {folder} --json {folder}/none/out.json"),
        (compaction, ""),
        (compaction, "--data {folder} --sets a --shares 1.1"),
        (compaction, "--tokens {folder}/empty"),
        (extraction, "--sets a"),
        (peers, "--only litemem,litemem2"),
        (peers, "--rows 0"),
        (peers, "--data {folder}/a"),
        (plots, "--measure"),
        (plots, "--day 0"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_done(
    write: Write,
    command: ModuleType,
    arguments: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = write("a").parents[1]
    (folder / "empty").touch()
    other = {"set": "other", "id": "q", "ranked": [], "sessions": []}
    (folder / "other").write_text(json.dumps(other), encoding="utf-8")

    with pytest.raises(SystemExit, match="2"):
        command.main(arguments.format(folder=folder).split())
    said, told = capsys.readouterr()
    assert said == ""
    assert "error: " in told.splitlines()[-1]


def test_what_is_kept_is_resampled_by_conversation() -> None:
    of = [
        Kept(conversation=f"c{c}", question="q", answer=c % 2, whole=None, evidence=c % 2)
        for c in range(8)
        for _ in range(30)
    ]
    outcome = Outcome(name="s", way="w", share=0.1, size=0.1, of=of)

    one_each = mean([float(c % 2) for c in range(8)])
    found = outcome.mean("answer")
    assert (found.low, found.high) == (one_each.low, one_each.high)
    assert outcome.mean("whole").percent() == "–"


def test_ctrl_c_ends_a_peer_that_is_waited_for(tmp_path: Path) -> None:
    work = made_up(tmp_path / "work", 30, 1)
    one = Process(PEERS[0], Path(sys.executable), tmp_path / "store", work.folder, timeout_s=60)
    os.kill(one.pid, signal.SIGSTOP)  # doesn't answer

    def interrupted(_: int, __: FrameType | None) -> None:
        raise KeyboardInterrupt

    former = signal.signal(signal.SIGALRM, interrupted)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            one.do("search", query=0, k=1)
    finally:
        signal.signal(signal.SIGALRM, former)
    with pytest.raises(ProcessLookupError):
        os.kill(one.pid, 0)
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join(5)
            assert not thread.is_alive()


def test_an_environment_without_its_python_says_what_to_do(tmp_path: Path) -> None:
    peer = next(peer for peer in PEERS if peer.needs)
    (tmp_path / peer.name).mkdir()
    (tmp_path / peer.name / "installed").touch()

    with pytest.raises(Unavailable, match=f"remove {tmp_path / peer.name}"):
        python_of(peer, tmp_path)


def test_a_peer_that_fails_fails_the_command(tmp_path: Path) -> None:
    peer = next(peer for peer in PEERS if peer.needs)
    (tmp_path / peer.name).mkdir()
    (tmp_path / peer.name / "installed").touch()

    with pytest.raises(SystemExit, match=f"not all is measured of {peer.name}"):
        peers.main(["--only", peer.name, "--rows", "30", "--venvs", str(tmp_path)])


def test_what_peers_find_is_written_with_its_interval(write: Write, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    peers.main(["--data", str(write("s")), "--only", "litemem", "--json", str(out)])

    written = json.loads(out.read_text(encoding="utf-8"))
    found = {"value": 1.0, "low": 1.0, "high": 1.0, "count": 1}
    assert written["set"] == "s"
    assert written["peers"]["litemem"]["figures"]["R@10"] == found
