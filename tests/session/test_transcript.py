import json
import multiprocessing
import threading
from datetime import UTC, datetime, timedelta, timezone
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import InvalidName, InvalidValue
from litemem.session import TranscriptManager

NOW = datetime(2026, 2, 8, 14, 32, tzinfo=UTC)
Json: TypeAlias = Any  # any JSON value at all


@pytest.fixture
def manager(tmp_path: Path) -> TranscriptManager:
    return TranscriptManager(tmp_path / "transcripts", clock=lambda: NOW, fsync=False)


def test_a_turn_is_one_documented_line(manager: TranscriptManager) -> None:
    manager.append_turn("s", "user", "é\n", [{"tool": "ls"}], {"model": "m"})
    manager.append_turn("s", "assistant", "done")

    assert (manager.base_dir / "s.jsonl").read_text("utf-8") == (
        '{"ts": "2026-02-08T14:32:00Z", "role": "user", "content": "é\\n", '
        '"actions": [{"tool": "ls"}], "meta": {"model": "m"}}\n'
        '{"ts": "2026-02-08T14:32:00Z", "role": "assistant", "content": "done"}\n'
    )


texts = st.text(st.characters())


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool"]), texts), max_size=8))
def test_every_turn_comes_back(
    tmp_path_factory: pytest.TempPathFactory, turns: list[tuple[str, str]]
) -> None:
    manager = TranscriptManager(tmp_path_factory.mktemp("t"), fsync=False)
    lines = [manager.append_turn("s", role, content) for role, content in turns]
    transcript = manager.load_transcript("s")

    assert lines == list(range(1, len(turns) + 1)) == [turn.line for turn in transcript.turns]
    assert not transcript.problems
    assert [(turn.entry["role"], turn.entry["content"]) for turn in transcript.turns] == [
        (role, content.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass"))
        for role, content in turns
    ]


def test_line_separators_stay_inside_a_turn(manager: TranscriptManager) -> None:
    manager.append_turn("s", "user", "a\u2028b\u0085c\rd\x0be")

    assert [turn["content"] for turn in manager.read_transcript("s")] == ["a\u2028b\u0085c\rd\x0be"]


@pytest.mark.parametrize(
    ("at", "ts"),
    [
        (datetime(2026, 2, 8, 14, 32), "2026-02-08T14:32:00Z"),  # noqa: DTZ001 - naive is UTC
        (datetime(2026, 2, 8, 23, 32, tzinfo=timezone(timedelta(hours=9))), "2026-02-08T14:32:00Z"),
        (NOW + timedelta(milliseconds=5), "2026-02-08T14:32:00.005000Z"),
    ],
)
def test_times_are_utc(manager: TranscriptManager, at: datetime, ts: str) -> None:
    manager.append_turn("s", "user", "x", at=at)

    assert manager.read_transcript("s")[0]["ts"] == ts


def test_the_clock_is_the_machines_by_default(tmp_path: Path) -> None:
    manager = TranscriptManager(str(tmp_path))
    manager.append_turn("s", "user", "x")
    ts = datetime.fromisoformat(manager.read_transcript("s")[0]["ts"])

    assert abs(datetime.now(UTC) - ts) < timedelta(minutes=5)


def test_the_newest_turns_can_be_asked_for(manager: TranscriptManager) -> None:
    for n in range(5):
        manager.append_turn("s", "user", str(n))

    def contents(last_n: int | None) -> list[str]:
        return [turn["content"] for turn in manager.read_transcript("s", last_n)]

    assert contents(None) == ["0", "1", "2", "3", "4"]
    assert contents(2) == ["3", "4"]
    assert contents(0) == []
    assert contents(9) == contents(None)
    with pytest.raises(InvalidValue, match="last_n"):
        contents(-1)


def test_a_missing_session_has_no_turns(manager: TranscriptManager) -> None:
    assert manager.read_transcript("none") == []
    assert not manager.transcript_exists("none")
    assert manager.list_transcripts() == []


def test_transcripts_are_listed(manager: TranscriptManager) -> None:
    for session in ("b", "a"):
        manager.append_turn(session, "user", "x")

    assert manager.list_transcripts() == ["a", "b"]
    assert manager.transcript_exists("a")


def test_every_truncation_loses_one_line_and_is_mended_by_the_next_turn(
    manager: TranscriptManager,
) -> None:
    path = manager.base_dir / "s.jsonl"
    for n in range(2):
        manager.append_turn("s", "user", f"turn {n}")
    data = path.read_bytes()
    for end in range(len(data)):
        path.write_bytes(data[:end])
        whole = (
            data[: end + 1].count(b"\n") if data[:end].endswith(b"}") else data[:end].count(b"\n")
        )
        before = manager.load_transcript("s")
        line = manager.append_turn("s", "user", "next")
        after = manager.load_transcript("s")

        assert len(before.turns) == whole
        assert [problem.line for problem in before.problems] == (
            [] if data[:end].endswith((b"\n", b"}")) or not end else [whole + 1]
        )
        assert [turn.entry["content"] for turn in after.turns][whole:] == ["next"]
        assert after.turns[-1].line == line


def test_a_bad_byte_costs_at_most_its_line(manager: TranscriptManager) -> None:
    manager.append_turn("s", "user", "before")
    path = manager.base_dir / "s.jsonl"
    path.write_bytes(
        b"\xef\xbb\xbf"
        + path.read_bytes().replace(b"\n", b"\r\n")
        + b'{"role":"user","content":"\xff"}\n\xff\n\n[]\n{"role":"user"}\n'
    )
    manager.append_turn("s", "user", "after")
    transcript = manager.load_transcript("s")

    assert [turn.entry["content"] for turn in transcript.turns] == ["before", "\ufffd", "after"]
    assert [turn.line for turn in transcript.turns] == [1, 2, 7]
    assert [problem.line for problem in transcript.problems] == [2, 3, 5, 6]


def test_unknown_keys_of_a_turn_are_kept(manager: TranscriptManager) -> None:
    manager.append_turn("s", "user", "x")
    path = manager.base_dir / "s.jsonl"
    path.write_bytes(b'{"role":"user","content":"x","tokens":7}\n')

    assert manager.read_transcript("s") == [{"role": "user", "content": "x", "tokens": 7}]


def test_a_turn_is_written_once_where_asked(manager: TranscriptManager) -> None:
    first = manager.append_turn("s", "user", "x", at=NOW, once=True)
    again = manager.append_turn("s", "user", "x", at=NOW, once=True)
    other = manager.append_turn("s", "assistant", "x", at=NOW, once=True)
    same_other = manager.append_turn("s", "assistant", "x", at=NOW, once=True)
    twice = manager.append_turn("s", "user", "x", at=NOW)

    assert (first, again, other, same_other, twice) == (1, 1, 2, 2, 3)


@pytest.mark.parametrize(
    ("turn", "name"),
    [
        (("narrator", "x"), "narrator"),
        (("user", 7), "int"),
        (("user", "x", [{"a": float("nan")}]), "actions"),
        (("user", "x", [{"a": object()}]), "actions"),
        (("user", "x", None, {"a": {1}}), "meta"),
    ],
)
def test_what_is_no_turn_is_refused_and_leaves_no_trace(
    manager: TranscriptManager, turn: tuple[Json, ...], name: str
) -> None:
    with pytest.raises(InvalidValue, match=name):
        manager.append_turn("s", *turn)

    assert not manager.transcript_exists("s")


def test_a_wrong_id_makes_no_folder(manager: TranscriptManager) -> None:
    with pytest.raises(InvalidName):
        manager.append_turn("a/b", "user", "x")

    assert not manager.base_dir.exists()


def append_many(folder: Path, name: str) -> None:
    manager = TranscriptManager(folder, fsync=False)
    for n in range(25):
        line = manager.append_turn("s", "user", f"{name} {n} " + "x" * 20_000)
        assert manager.read_transcript("s")[line - 1]["content"].startswith(f"{name} {n} ")


def test_processes_and_threads_lose_no_turn_and_know_their_lines(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    processes = [spawn.Process(target=append_many, args=(tmp_path, f"p{n}")) for n in range(2)]
    threads = [threading.Thread(target=append_many, args=(tmp_path, f"t{n}")) for n in range(2)]
    workers: list[BaseProcess | threading.Thread] = [*processes, *threads]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    transcript = TranscriptManager(tmp_path).load_transcript("s")

    assert [process.exitcode for process in processes] == [0, 0]
    assert len(transcript.turns) == 100
    assert not transcript.problems
    assert (tmp_path / "s.jsonl").read_bytes().count(b"\n") == 100
    assert json.loads((tmp_path / "s.jsonl").read_bytes().split(b"\n")[0])["role"] == "user"
