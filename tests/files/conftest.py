"""Ways to meet real trouble: another user, a limit of the system, another process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

NOBODY = 65534

Run = Callable[..., str]


@pytest.fixture
def run_python() -> Run:
    """Run a script in a new process and return what it prints; its failure fails the test."""

    def run(script: str, *arguments: object) -> str:
        command = [sys.executable, "-c", script, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def protected_dir() -> Iterator[Path]:
    """Return a folder that everybody can read, to be write-protected with `chmod(0o555)`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


@pytest.fixture
def unprivileged() -> Callable[[], AbstractContextManager[None]]:
    """Give up root's powers for a while: root may write everywhere."""
    return _unprivileged


@contextmanager
def _unprivileged() -> Iterator[None]:
    is_root = os.geteuid() == 0
    try:
        if is_root:
            os.seteuid(NOBODY)
        yield
    finally:
        if is_root:
            os.seteuid(0)
