"""A virtual environment for each peer, made once below a folder."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]
INSTALL_S = 900


class Unavailable(Exception):
    """A peer can't be measured, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """What is measured."""

    name: str
    module: str  # of this package
    needs: tuple[str, ...]  # distributions; none: runs in this environment
    kind: str  # what its search goes by
    vectors: bool = True


PEERS = (
    Peer(name="litemem", module="on_litemem", needs=(), kind="vectors and words"),
    Peer(
        name="lancedb",
        module="on_lancedb",
        needs=("lancedb", "pyarrow", "numpy"),
        kind="vectors and words",
    ),
    Peer(name="chroma", module="on_chroma", needs=("chromadb",), kind="vectors"),
    Peer(name="memsearch", module="on_memsearch", needs=("memsearch",), kind="vectors and words"),
    Peer(name="mem0", module="on_mem0", needs=("mem0ai",), kind="vectors"),
    Peer(
        name="sqlite-utils",
        module="on_sqlite_utils",
        needs=("sqlite-utils",),
        kind="words",
        vectors=False,
    ),
    Peer(
        name="langgraph",
        module="on_langgraph",
        needs=("langgraph-checkpoint-sqlite", "pysqlite3-binary; sys_platform == 'linux'"),
        kind="vectors",
    ),
)


def python_of(peer: Peer, venvs: Path) -> Path:
    """
    Return the interpreter that has a peer, installing it where it isn't yet.

    Raises:
        Unavailable: it can't be installed.
    """
    if not peer.needs:
        return Path(sys.executable)
    folder = venvs / peer.name
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    done = folder / "installed"
    if done.exists() and python.exists():
        return python
    if done.exists():
        raise Unavailable(f"{python} is missing; remove {folder}, and it's installed again")
    print(f"  ({peer.name}: installing {peer.needs[0]})", flush=True)
    _run(sys.executable, "-m", "venv", str(folder))
    _run(str(python), "-m", "pip", "install", "--quiet", *peer.needs)
    done.touch()
    return python


def versions(peer: Peer, python: Path) -> str:
    """Return the version of its first distribution."""
    name = peer.needs[0] if peer.needs else "litemem"
    code = f"from importlib.metadata import version; print(version({name!r}))"
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "?"


def _run(*command: str) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=INSTALL_S
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"installing took more than {INSTALL_S} s") from error
    if done.returncode:
        lines = (done.stderr or done.stdout).splitlines() or ["no reason given"]
        errors = [line for line in lines if line.startswith("ERROR")]
        raise Unavailable(f"can't be installed: {(errors or lines)[-1]}")
