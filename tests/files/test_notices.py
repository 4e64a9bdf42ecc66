"""Folders that change while one waits."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from litemem.files.notices import TICK_S, notices

Wait = Callable[[Path], bool]


@contextmanager
def listening(
    root: Path, wanted: Callable[[Path], bool] = lambda _: True, *, poll: bool = False
) -> Iterator[Wait]:
    """Collect what is told of a folder; the function waits until a path is among it."""
    stop, told, news = threading.Event(), set[Path](), threading.Condition()

    def listen() -> None:
        for paths in notices(root, stop, wanted, poll=poll):
            with news:
                told.update(paths)
                news.notify_all()

    def wait(path: Path) -> bool:
        with news:
            return news.wait_for(lambda: path in told, 3)

    thread = threading.Thread(target=listen)
    thread.start()
    time.sleep(TICK_S)
    try:
        yield wait
    finally:
        stop.set()
        thread.join(5)
    assert not thread.is_alive()


def test_a_file_in_a_new_folder_is_told(tmp_path: Path) -> None:
    with listening(tmp_path) as told:
        (tmp_path / "new").mkdir()
        (tmp_path / "new" / "a.md").write_text("x")

        assert told(tmp_path / "new") or told(tmp_path / "new" / "a.md")
        (tmp_path / "new" / "b.md").write_text("x")
        assert told(tmp_path / "new" / "b.md")


def test_what_doesnt_count_isnt_told(tmp_path: Path) -> None:
    with listening(tmp_path, lambda path: path.suffix == ".md") as told:
        (tmp_path / "a.txt").write_text("x")
        (tmp_path / "a.md").write_text("x")

        assert told(tmp_path / "a.md")
        assert not told(tmp_path / "a.txt")


def test_a_folder_that_is_moved_and_made_anew_is_told_of(tmp_path: Path) -> None:
    root = tmp_path / "home"
    root.mkdir()
    with listening(root) as told:
        root.rename(tmp_path / "elsewhere")
        time.sleep(TICK_S)
        root.mkdir()
        time.sleep(2 * TICK_S)
        (root / "a.md").write_text("x")

        assert told(root / "a.md")


def test_a_folder_that_cant_be_listened_to_is_looked_at(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    stop = threading.Event()
    begun = time.monotonic()
    with caplog.at_level(logging.WARNING):
        for ticks, paths in enumerate(notices(loop, stop, lambda _: True)):
            assert not paths
            if ticks == 2:
                stop.set()

    assert time.monotonic() - begun > TICK_S
    assert len(caplog.messages) == 1
    assert "looking every 0.5 s" in caplog.text


def test_one_who_only_looks_finds_the_same(tmp_path: Path) -> None:
    (tmp_path / "round").symlink_to(tmp_path)
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    kept, moved, new = (tmp_path / f"{name}.md" for name in ("kept", "moved", "new"))
    for path in (kept, moved):
        path.write_text("x")
    with listening(tmp_path, lambda path: path.suffix == ".md", poll=True) as told:
        state = kept.stat()
        kept.write_text("y")  # as long, and as old
        os.utime(kept, ns=(state.st_atime_ns, state.st_mtime_ns))
        moved.rename(new)
        (tmp_path / "a.txt").write_text("x")

        assert told(kept)
        assert told(moved)
        assert told(new)
        assert not told(tmp_path / "a.txt")
