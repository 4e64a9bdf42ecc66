"""The built wheel works alone: no checkout, a clean virtual environment, the bundled model."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def _run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.wheel
@pytest.mark.timeout(600)
def test_wheel_installs_and_runs_the_demo_without_the_checkout(tmp_path: Path) -> None:
    _run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, ROOT, cwd=tmp_path)
    (wheel,) = tmp_path.glob("litemem-*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    _run(python, "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)

    shown = _run(tmp_path / "venv" / "bin" / "litemem", "demo", cwd=tmp_path)

    where = _run(python, "-c", "import litemem; print(litemem.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(tmp_path)
    assert (Path(where.strip()).parent / "server" / "page" / "index.html").exists()
    assert "same answers, ids and scores" in shown
