"""`python -m litemem`."""

from __future__ import annotations

import subprocess
import sys

import pytest

from litemem import __version__


@pytest.mark.parametrize("module", ["litemem", "litemem.cli"])
def test_the_package_runs_as_the_command(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=True
    )

    assert done.stdout == f"{__version__}\n"
