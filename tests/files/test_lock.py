from __future__ import annotations

import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from litemem.errors import FileTrouble, LockTimeout, ReadOnly
from litemem.files.lock import locked

HOLD = """
import sys
from pathlib import Path
from litemem.files.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def end(process: subprocess.Popen[str]) -> None:
    process.communicate(timeout=60)


def test_another_process_waits_its_time_and_then_says_so(tmp_path: Path) -> None:
    path = tmp_path / "home" / "lock"
    process = holder(path)
    began = time.monotonic()
    with (
        pytest.raises(LockTimeout, match=r"lock is held by another .* than 0.1 s"),
        locked(path, timeout_s=0.1),
    ):
        pass

    assert 0.1 <= time.monotonic() - began < 5
    end(process)
    with locked(path, timeout_s=0):
        pass


def test_a_killed_holder_frees_the_lock(tmp_path: Path) -> None:
    process = holder(tmp_path / "lock")
    process.kill()
    end(process)

    with locked(tmp_path / "lock", timeout_s=0):
        pass


def test_the_same_thread_is_kept_out_too(tmp_path: Path) -> None:
    with (
        locked(tmp_path / "lock"),
        pytest.raises(LockTimeout),
        locked(tmp_path / "lock", timeout_s=0.02),
    ):
        pass


def test_threads_hold_it_one_after_the_other(tmp_path: Path) -> None:
    inside: list[int] = []
    seen: list[int] = []

    def work() -> None:
        for _ in range(5):
            with locked(tmp_path / "lock"):
                inside.append(1)
                time.sleep(0.001)
                seen.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert seen == [1] * 20


def test_an_error_of_the_body_frees_the_lock_and_comes_through(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "lock"):
        raise ZeroDivisionError

    with locked(tmp_path / "lock", timeout_s=0):
        pass


def test_an_os_error_of_the_body_stays_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(ConnectionResetError), locked(tmp_path / "lock"):
        raise ConnectionResetError


def test_the_lock_file_is_private_and_stays(tmp_path: Path) -> None:
    with locked(tmp_path / "home" / "lock"):
        pass

    assert stat.S_IMODE((tmp_path / "home" / "lock").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700


def test_a_lock_file_that_is_deleted_again_and_again_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    over = threading.Event()

    def delete() -> None:
        while not over.wait(0.0002):
            path.unlink(missing_ok=True)

    thread = threading.Thread(target=delete)
    thread.start()
    for _ in range(300):
        with locked(path, timeout_s=10):
            pass
    over.set()
    thread.join()

    with locked(path), pytest.raises(LockTimeout), locked(path, timeout_s=0):
        pass


def test_a_lock_that_cannot_be_written_is_read_only(
    protected_dir: Path, unprivileged: Callable[[], AbstractContextManager[None]]
) -> None:
    protected_dir.chmod(0o555)

    with (
        unprivileged(),
        pytest.raises(ReadOnly, match=r"can't lock .*/lock: permission denied"),
        locked(protected_dir / "lock"),
    ):
        pass


def test_a_home_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").touch()

    with (
        pytest.raises(FileTrouble, match="home: a file stands where a folder"),
        locked(tmp_path / "home" / "lock"),
    ):
        pass


def test_a_forked_child_does_not_keep_the_lock(
    tmp_path: Path, run_python: Callable[..., str]
) -> None:
    script = """
import os, sys, signal
from pathlib import Path
from litemem.files.lock import locked
path = Path(sys.argv[1])
with locked(path):
    child = os.fork()
    if child == 0:
        signal.pause()
with locked(path, timeout_s=0):
    print("free")
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
"""

    assert run_python(script, tmp_path / "lock") == "free\n"
