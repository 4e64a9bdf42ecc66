"""Kept files and homes that aren't whole are made anew, and few queries are counted rightly."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import litemem
from tests.benchmarks.bare import Bare, sound
from tests.benchmarks.homes import facts, filled
from tests.benchmarks.made import made
from tests.benchmarks.ours import Ours, fill, whole
from tests.benchmarks.speed import searches
from tests.benchmarks.synthetic import Corpus

ROWS = 40
HARMS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "garbage": lambda _: b"garbage" * 999,
    "half zeros": lambda file: file[: len(file) // 2] + bytes(len(file) // 2),
}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus(ROWS)


@pytest.fixture(scope="module")
def files(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    fill(folder / "ours.db", corpus)
    Bare.fill(folder / "bare.db", corpus)
    return folder


def test_what_a_run_left_half_made_is_begun_anew(corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "bare.db"
    for suffix in (".part", ".part-wal", ".part-shm"):
        path.with_name(path.name + suffix).write_text("left by kill -9")

    made(path, lambda part: Bare.fill(part, corpus), lambda file: sound(file, ROWS))
    assert [one.name for one in tmp_path.iterdir()] == ["bare.db"]


def test_a_kept_file_is_whole_with_its_own_rows_alone(files: Path) -> None:
    ours, bare = files / "ours.db", files / "bare.db"

    assert sound(bare, ROWS)
    assert whole(ours, ROWS)
    assert not sound(bare, ROWS + 1)
    assert not whole(ours, ROWS - 1)
    assert not whole(bare, ROWS)


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_a_damaged_file_is_made_anew(
    harm: Callable[[bytes], bytes],
    corpus: Corpus,
    files: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "ours.db"
    path.write_bytes(harm((files / "ours.db").read_bytes()))

    made(path, lambda part: fill(part, corpus), lambda file: whole(file, ROWS))
    assert whole(path, ROWS)
    assert "isn't whole" in capsys.readouterr().out


def test_a_whole_file_is_used_again(files: Path) -> None:
    made(files / "ours.db", lambda _: pytest.fail("made again"), lambda file: whole(file, ROWS))


def test_a_half_made_home_is_made_anew(tmp_path: Path) -> None:
    for name in (f"hash-{ROWS}-3", f"hash-{ROWS}-3.part"):
        with litemem.open(tmp_path / name, model="hash") as memory:
            memory.remember_many(list(facts(ROWS, days=3))[: ROWS // 2])

    home = filled(tmp_path, ROWS, days=3, model="hash", to=tmp_path / "copy")
    with litemem.open(home) as memory:
        found = memory.stats()
    assert (found.total_memories, found.vectors, found.logs) == (ROWS, ROWS, 3)
    assert not (tmp_path / f"hash-{ROWS}-3.part").exists()


@pytest.mark.parametrize("queries", [1, 4])
def test_few_queries_are_all_counted(queries: int, corpus: Corpus, files: Path) -> None:
    asked = corpus.queries(queries)
    ours, bare = Ours(files / "ours.db", asked), Bare(files / "bare.db")
    with closing(ours.index), closing(bare.db):
        found = searches(ROWS, ours, bare, asked)

    assert {one.times.count for one in found if one.times is not None} == {queries}
