"""How long work is told where stderr is no terminal."""

from __future__ import annotations

import time

import pytest

from litemem.cli.output import progress_bar


def test_work_of_seconds_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("embedding", instead="; --no-wait doesn't wait") as progress:
        progress(0, 400)
        assert capsys.readouterr().err == ""
        time.sleep(2.05)
        progress(100, 400)
        progress(200, 400)
    assert capsys.readouterr() == ("", "litemem: embedding, 25 % so far; --no-wait doesn't wait\n")


def test_work_that_is_done_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("embedding") as progress:
        time.sleep(2.05)
        progress(400, 400)
    assert capsys.readouterr() == ("", "")
