"""The demo does the main job with the bundled model, and leaves nothing behind."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_demo_gives_the_same_answers_after_the_index_is_gone(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("LITEMEM_MODEL")
    done = run("demo")

    assert done.exit_code == 0
    assert "same answers, ids and scores" in done.stdout
    assert "Microsoft" in done.stdout
    assert list(tmp_path.glob("litemem-demo-*")) == []


def test_demo_takes_another_model(run: Run) -> None:
    done = run("demo", "--model", "fast")

    assert done.exit_code == 0
    assert "with fast" in done.stdout
