"""Run commands in a fresh home, without a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from litemem.cli import main

Run = Callable[..., Result]
AsJson = Callable[..., Any]  # Any: a JSON document


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command; a bug's traceback is not swallowed."""
    monkeypatch.setenv("LITEMEM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LITEMEM_MODEL", "hash")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(
            main, arguments, input=stdin, prog_name="litemem", catch_exceptions=False
        )

    return invoke


@pytest.fixture
def as_json(run: Run) -> AsJson:
    """Run a command with --json, and return what it printed."""

    def invoke(*arguments: str, stdin: str | None = None) -> Any:  # noqa: ANN401  # Any: JSON
        done = run(*arguments, "--json", stdin=stdin)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    return invoke
