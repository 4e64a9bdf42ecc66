"""A write that finds no room: what the client is told, and what is on disk."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

import litemem
from litemem.errors import FileTrouble, IndexBusy, IndexTrouble
from litemem.files.trouble import translated
from litemem.index.connection import translated as index_translated
from litemem.server.errors import refused
from tests.server.test_process import Process

SOME = {"content": "Likes figs"}


@pytest.fixture
def process(home: Path) -> Iterator[Process]:
    """Serve a home whose index is larger than its other files."""
    process = Process(home)
    for n in range(5):
        process.remember(f"Fact {n}")
    yield process
    process.close()


def limit(process: Process, size: int) -> None:
    """Let no file of the server grow beyond a size in bytes."""
    if sys.platform != "linux":
        pytest.skip("only Linux limits another process")
    import resource

    _, most = resource.prlimit(process.child.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.child.pid, resource.RLIMIT_FSIZE, (size, most))


def log(home: Path) -> str:
    return next(iter((home / "memory").glob("2*.md"))).read_text()


@pytest.mark.usefixtures("socket_enabled")
def test_a_file_that_finds_no_room_is_a_507_and_as_it_was(process: Process) -> None:
    limit(process, 100)
    before = log(process.home)
    for answer in (
        process.client.post("/memory/archival", json=SOME),
        process.client.put("/memory/core", json={"label": "user", "content": "y" * 3000}),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (507, "disk_full")
        assert "is as it was" in answer.json()["error"]["message"]

    assert log(process.home) == before
    assert not (process.home / "memory/user.md").exists()


@pytest.mark.usefixtures("socket_enabled")
def test_an_index_that_finds_no_room_is_a_507_and_nothing_is_lost(process: Process) -> None:
    limit(process, 20_000)
    answer = process.client.post("/memory/archival", json=SOME)

    assert (answer.status_code, answer.json()["error"]["code"]) == (507, "disk_full")
    assert "already" in answer.json()["error"]["message"]
    assert "Likes figs" in log(process.home)
    process.close()
    with litemem.open(process.home) as memory:
        assert [hit.content for hit in memory.search("figs")] == ["Likes figs"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_a_quota_and_a_limit_are_all_507(number: int) -> None:
    with pytest.raises(FileTrouble) as caught, translated(Path("a"), "write"):
        raise OSError(number, "no room")

    told = refused(caught.value)
    assert (told.status, told.code) == (507, "disk_full")


def test_what_sqlite_says_of_a_full_disk_is_a_507() -> None:
    with pytest.raises(FileTrouble) as caught, index_translated(Path("index.db")):
        raise apsw.exception_for(apsw.SQLITE_FULL)

    told = refused(caught.value)
    assert (told.status, told.code) == (507, "disk_full")
    assert "may be in its file already" in str(told)


@pytest.mark.parametrize(
    ("kind", "status"), [(IndexTrouble, 500), (IndexBusy, 503), (FileTrouble, 500)]
)
def test_what_only_the_index_lacks_is_said_to_be_in_the_log(
    kind: type[IndexTrouble | FileTrouble], status: int
) -> None:
    told = refused(kind("x; what was to be remembered is in /home/a.md, and is found once"))
    assert told.status == status
    assert str(told).endswith("is in the day's log already, and is found later")
    assert "/home" not in str(told)


def test_that_text_is_the_cores() -> None:
    from litemem.memory import append

    assert "what was to be remembered is in {" in Path(append.__file__).read_text()
